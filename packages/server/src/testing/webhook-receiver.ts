import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A received delivery. */
export interface SeenDelivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on this machine. */
export interface WebhookReceiver {
  /** With a trailing slash. */
  readonly url: string;
  readonly seen: readonly SeenDelivery[];
  /** The status of its answers from now on, or no answer at all. */
  answer: number | 'nothing';
  /** Resets the counts. */
  forget(): void;
  close(): void;
}

/** Starts a receiver. @param tls its certificate and key; without them it speaks plain HTTP. */
export async function openReceiver(tls?: TestTls): Promise<WebhookReceiver> {
  const seen: SeenDelivery[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    seen.push({ path: request.url ?? '', headers: request.headers, body });
    if (receiver.answer !== 'nothing') response.writeHead(receiver.answer).end('thanks');
  };
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void receive(request, response).catch(() => {});
  const server = tls ? createHttpsServer({ cert: tls.cert, key: tls.key }, listener) : createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `${tls ? 'https' : 'http'}://${tls ? 'localhost' : '127.0.0.1'}:${port}/`,
    seen,
    answer: 200,
    forget() {
      seen.length = 0;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}

/** A certificate for `localhost`, with the authority that issued it. PEM. */
export interface TestTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Makes an authority and a certificate issued by it. @returns null without openssl. */
export function makeTestTls(): TestTls | null {
  const folder = mkdtempSync(join(tmpdir(), 'sri-tls-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...parameters: string[]) => execFileSync('openssl', parameters, { cwd: folder, stdio: 'pipe' });
  try {
    writeFileSync(file('leaf.ext'), 'subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n');
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '3650', '-subj', '/CN=Test CA');
    openssl('req', ...key, '-keyout', 'leaf.key', '-out', 'leaf.csr', '-subj', '/CN=localhost');
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'leaf.ext', '-days', '3650'];
    openssl('x509', '-req', '-in', 'leaf.csr', ...signing, '-out', 'leaf.pem');
    const read = (name: string) => readFileSync(file(name), 'utf8');
    return { ca: read('ca.pem'), cert: read('leaf.pem'), key: read('leaf.key') };
  } catch {
    process.stdout.write('openssl makes no certificate: the tests that need one are skipped.\n');
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
