import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config/config.js';
import { environmentFile } from '../config/config-reference.js';
import { freePort } from '../testing/free-port.js';
import { configureNginx, hasProgram } from '../testing/nginx.js';
import { makeTestTls } from '../testing/webhook-receiver.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const FILES = [
  'compose.yaml',
  'Dockerfile',
  'deploy/Caddyfile',
  'deploy/nginx.conf',
  'deploy/nginx-cells.conf',
  'deploy/sri-server.service',
];
const MEBIBYTE = 1024 * 1024;

describe('the files to deploy with', () => {
  it.each(FILES)('%s sets only variables that the server reads', (file) => {
    const known = [...environmentFile().matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
    // The second kind is PostgreSQL's own.
    const set = [...read(file).matchAll(/\b(?!POSTGRES_)([A-Z]{2,}[A-Z_]*)(?:=|: )/g)].map(([, name]) => name);
    expect(set.filter((name) => !known.includes(name) && name !== 'CMD' && name !== 'FROM')).toEqual([]);
  });

  it('the files let a stopping server finish running work', () => {
    const grace = readConfig({}).shutdownGraceMs / 1000;
    const seconds = (file: string, form: RegExp) => Number(form.exec(read(file))?.[1]);
    expect(seconds('compose.yaml', /^ +stop_grace_period: (\d+)s$/m)).toBeGreaterThan(grace);
    expect(seconds('deploy/sri-server.service', /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(grace);
  });

  it.each(['deploy/nginx.conf', 'deploy/nginx-cells.conf'])('%s keeps no part of an export in a file', (file) => {
    expect(read(file)).toMatch(/^ +proxy_max_temp_file_size 0;$/m);
  });

  it('compose.yaml limits the log of each container', () => {
    const [, services = ''] = /^services:\n([\s\S]*?)^volumes:/m.exec(read('compose.yaml')) ?? [];
    const [, ...each] = services.split(/^ {2}\w+:$/m);
    expect(each.map((service) => /^ {4}logging: (?:&logging\n {6}driver: local|\*logging)$/m.test(service))).toEqual([
      true,
      true,
    ]);
  });

  it.skipIf(!hasProgram('systemd-analyze', '--version'))('the systemd unit is valid', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sri-unit-'));
    const unit = join(folder, 'sri-server.service');
    // The program is missing here, which may be the only error.
    writeFileSync(unit, read('deploy/sri-server.service').replace(/^ExecStart=.*/m, 'ExecStart=/bin/true'));
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(stdout + stderr).toBe('');
  });
});

/** How to start each proxy with its file, on a port and with a certificate of this test. */
const PROXIES = {
  nginx: {
    version: '-v',
    configure: ({ folder, port, upstream }: Place) =>
      configureNginx(read('deploy/nginx.conf'), { folder, port, upstreams: { '127.0.0.1:3000': upstream } }),
  },
  caddy: {
    version: 'version',
    configure: ({ folder, port, upstream }: Place) => {
      const site = read('deploy/Caddyfile')
        .replace('127.0.0.1:3000', upstream)
        .replace(
          /^api\.example\.com \{$/m,
          `https://api.example.com:${port} {\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
        );
      writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
      return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    },
  },
} as const;

interface Place {
  readonly folder: string;
  readonly port: number;
  /** The address of the server. */
  readonly upstream: string;
}

describe.each(Object.entries(PROXIES))('%s with its file', (program, { version, configure }) => {
  const tls = makeTestTls();
  const isMissing = tls === null || !hasProgram(program, version);
  const folder = mkdtempSync(join(tmpdir(), 'sri-proxy-'));
  let seen: IncomingHttpHeaders = {};
  const upstream = createServer((incoming, response) => {
    // The server is not ready, as on a full disk.
    if (incoming.url === '/readyz') response.statusCode = 503;
    else seen = incoming.headers;
    incoming
      .once('end', () => response.end('taken'))
      .once('error', () => {})
      .resume();
  });
  let proxy: ChildProcessByStdio<null, null, Readable> | null = null;
  let port = 0;

  beforeAll(async () => {
    if (isMissing || tls === null) return;
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    port = await freePort();
    writeFileSync(join(folder, 'cert.pem'), tls.cert);
    writeFileSync(join(folder, 'key.pem'), tls.key);
    const words = configure({ folder, port, upstream: `127.0.0.1:${(upstream.address() as AddressInfo).port}` });
    proxy = spawn(program, words, { env: { ...process.env, HOME: folder }, stdio: ['ignore', 'ignore', 'pipe'] });
    const complaints = text(proxy.stderr);
    while ((await ask().catch(() => 0)) !== 200) {
      if (proxy.exitCode !== null) throw new Error(`It ended: ${await complaints}`);
      await sleep(50);
    }
  });
  afterAll(async () => {
    const gone = proxy && proxy.exitCode === null ? once(proxy, 'exit') : null;
    proxy?.kill('SIGTERM');
    await gone;
    upstream.close();
    upstream.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (headers: Readonly<Record<string, string>> = {}, body = Buffer.alloc(0)) =>
    new Promise<number>((resolve, reject) => {
      const options = { port, host: '127.0.0.1', servername: 'api.example.com', rejectUnauthorized: false };
      const asked = request({
        ...options,
        method: 'POST',
        path: '/',
        headers: { host: 'api.example.com', ...headers },
      });
      asked.once('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      asked.once('error', reject);
      asked.end(body);
    });

  it.skipIf(isMissing)(
    'the proxy passes the client’s address to an unready server, whatever the client claims',
    async () => {
      expect(await ask({ 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http' })).toBe(200);
      expect(seen).toMatchObject({
        host: 'api.example.com',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'https',
      });
    },
  );

  it.skipIf(isMissing)(
    'the proxy passes the largest upload, and only nginx, which stores bodies, rejects larger uploads',
    async () => {
      expect(await ask({}, Buffer.alloc(10 * MEBIBYTE + 100_000))).toBe(200);
      // The server itself answers 413 behind Caddy.
      expect(await ask({}, Buffer.alloc(13 * MEBIBYTE)).catch(() => 413)).toBe(program === 'nginx' ? 413 : 200);
    },
  );
});

it.skipIf(!hasProgram('nginx', '-v') || makeTestTls() === null)(
  'nginx returns to a restarted replica before the next replica restarts',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sri-replicas-'));
    const tls = makeTestTls();
    writeFileSync(join(folder, 'cert.pem'), tls?.cert ?? '');
    writeFileSync(join(folder, 'key.pem'), tls?.key ?? '');
    const [port, first, second] = [await freePort(), await freePort(), await freePort()];
    const [, line = ''] = /^( +server 127\.0\.0\.1:3000.*;\n)/m.exec(read('deploy/nginx.conf')) ?? [];
    const replicas = line.replace('3000', `${first}`) + line.replace('3000', `${second}`);
    const words = configureNginx(read('deploy/nginx.conf'), { folder, port, upstreams: { [line]: replicas } });
    const proxy = spawn('nginx', words, { stdio: 'ignore' });
    let asked = 0;
    const replicaAt = (at: number) =>
      createServer((_, response) => {
        asked = at;
        response.end();
      }).listen(at, '127.0.0.1');
    const ask = () =>
      new Promise<number>((resolve) => {
        const options = { port, host: '127.0.0.1', servername: 'api.example.com', rejectUnauthorized: false };
        request(options, (response) => resolve(response.resume().statusCode ?? 0))
          .once('error', () => resolve(0))
          .end();
      });
    const servers = [replicaAt(second)];
    try {
      // The first replica is away for a moment.
      await vi.waitFor(async () => expect(await ask()).toBe(200));
      for (let count = 0; count < 4; count += 1) expect(await ask()).toBe(200);
      servers.push(replicaAt(first));
      const isBack = async () => expect([await ask(), asked]).toEqual([200, first]);
      await vi.waitFor(isBack, { timeout: 5_000 });
    } finally {
      for (const server of servers) server.close().closeAllConnections();
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
