import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const PACKAGES = fileURLToPath(new URL('../../', import.meta.url));

interface SourceFile {
  /** `sri-core/signing/xades.ts`, `storage-adapters/sqlite/file.ts` … */
  readonly path: string;
  readonly text: string;
  /** Files of the same package, as `path`; other modules by their name. */
  readonly imports: readonly string[];
}

const files = ['sri-core', 'storage-adapters', 'server'].flatMap(readPackage);
const sources = files.filter((file) => !file.path.endsWith('.test.ts'));
/** Imports between files of the server, except tests and their helpers. */
const arrows = sources
  .filter(({ path }) => isOfServer(path))
  .flatMap(({ path, imports }) => imports.filter(isOfServer).map((to) => ({ from: path, to })))
  .filter(({ from, to }) => dirname(from) !== dirname(to));
const byPath = new Map(files.map((file) => [file.path, file]));

describe('imports', () => {
  it('imports go from server to storage-adapters to sri-core, and never back', () => {
    const allowed: Record<string, readonly string[]> = {
      'sri-core': [],
      'storage-adapters': ['sri-core'],
      server: ['sri-core', 'sri-storage-adapters'],
    };
    const wrong = sources.flatMap((file) =>
      file.imports
        .filter((name) => /^sri-(core|storage-adapters|server)\b/.test(name) && !name.endsWith('.ts'))
        .filter((name) => !allowed[packageOf(file)]?.includes(name.split('/')[0] ?? ''))
        .map((name) => `${file.path} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('relative imports stay inside their package', () => {
    const wrong = files.flatMap((file) =>
      file.imports
        .filter((name) => name.endsWith('.ts') && packageOf({ path: name }) !== packageOf(file))
        .map((name) => `${file.path} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(['sri-core', 'storage-adapters'])('imports inside %s go from later to earlier parts only', (name) => {
    const wrong = sources
      .filter((file) => packageOf(file) === name && !file.path.startsWith('storage-adapters/testing/'))
      .flatMap((file) =>
        file.imports
          .filter((path) => path.startsWith(`${name}/`) && path.endsWith('.ts'))
          .filter((path) => level(path) > level(file.path))
          .map((path) => `${file.path} → ${path}`),
      );
    expect(wrong).toEqual([]);
  });

  it('the test finds the sources and their imports', () => {
    expect(sources.length).toBeGreaterThan(900);
    expect(arrows.length).toBeGreaterThan(900);
  });

  it('imports form no circle', () => {
    expect(circles()).toEqual([]);
  });

  // The command line is the only part of core that reads and writes files; no library file imports it.
  it('the core does not reach the file system, the environment or the console', () => {
    const wrong = sources
      .filter((file) => packageOf(file) === 'sri-core' && !/^sri-core\/(testing|cli)\//.test(file.path))
      .filter((file) => /node:fs|process\.env|console\./.test(withoutComments(file.text)))
      .map((file) => file.path);
    expect(wrong).toEqual([]);
  });

  it('imports of the client reach only the client', () => {
    const wrong = sources
      .filter((file) => /^sri-core\/client(\/|\.ts$)/.test(file.path))
      .flatMap((file) =>
        file.imports.filter((name) => !name.startsWith('sri-core/client/')).map((name) => `${file.path} → ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  it('no area imports h3', () => {
    const wrong = sources
      .filter((file) => AREAS.includes(roomOf(file.path)))
      .filter((file) => file.imports.includes('h3'))
      .map((file) => file.path);
    expect(wrong).toEqual([]);
  });

  it('imports inside the server go from later to earlier rooms only', () => {
    const wrong = arrows
      .filter(({ from, to }) => rank(roomOf(from)) < rank(roomOf(to)))
      .map(({ from, to }) => `${from} → ${to}`);
    expect(wrong).toEqual([]);
  });

  it('imports from one area to another go through its index', () => {
    const wrong = arrows
      .filter(({ from, to }) => [from, to].every((path) => AREAS.includes(roomOf(path))) && roomOf(from) !== roomOf(to))
      .filter(({ to }) => !to.endsWith('/index.ts'))
      .map(({ from, to }) => `${from} → ${to}`);
    expect(wrong).toEqual([]);
  });

  it('no two folders of the server import each other', () => {
    const folders = new Set(arrows.map(({ from, to }) => `${dirname(from)} ${dirname(to)}`));
    const mutual = [...folders].filter((pair) => {
      const [from = '', to = ''] = pair.split(' ');
      return from < to && folders.has(`${to} ${from}`);
    });
    expect(mutual).toEqual([]);
  });
});

// --- internal ---

/** The subjects of the server, each before its importers. */
const AREAS: readonly string[] = [
  'accounts',
  'notifications',
  'webhooks',
  'mail',
  'keys',
  'issuers',
  'agreements',
  'documents',
  'billing',
  'onboarding',
  'operator',
];

/** The rooms of the server in order. Files directly in `src` assemble them. */
const ROOMS: readonly string[] = [
  'platform',
  ...AREAS,
  'config',
  'gate',
  'openapi',
  'error-pages',
  'guide',
  'console',
  'ops',
  'assembly',
  'demo',
  'cli',
];

/** Separate programs: they import what they run. */
function isOfServer(path: string): boolean {
  return path.startsWith('server/') && !path.includes('/testing/') && !/^server\/(main|demo)\.ts$/.test(path);
}

function roomOf(path: string): string {
  const [, room = '', inside] = path.split('/');
  return inside === undefined ? 'assembly' : room;
}

function rank(room: string): number {
  const found = ROOMS.indexOf(room);
  if (found < 0) throw new Error(`${room} has no place in the order of the server's rooms: add it to AREAS or ROOMS`);
  return found;
}

/** The parts of core, then those of the adapters, from the earliest to the latest. */
const ORDER: readonly RegExp[] = [
  /^sri-core\/(errors|money|calendar|choice|environment|search-text|nearest-word|decode-text|sequential|access-key|identification|clock|random|logger|occupancy)\.ts$/,
  /^sri-core\/(catalogs\/|lifecycle\/status|sri\/transport|signing\/signer|translate)/,
  /^sri-core\/xml\//,
  /^sri-core\/documents\//,
  /^sri-core\/storage\.ts$/,
  /^sri-core\/signing\//,
  // Certificates for trials, which the simulated SRI's documents are signed with.
  /^sri-core\/testing\/(der-writer|test-certificate|test-container|test-p12)\.ts$/,
  /^sri-core\/ride\//,
  /^sri-core\/sri\//,
  /^sri-core\/received\//,
  /^sri-core\/lifecycle\//,
  /^sri-core\/webhooks\//,
  /^sri-core\/engine(-options|-arguments)?\.ts$/,
  /^sri-core\/client\//,
  /^sri-core\/(index|client|simulator|webhooks)\.ts$/,
  /^sri-core\/testing\//,
  /^sri-core\/cli\//,
  /^storage-adapters\/errors\.ts$/,
  /^storage-adapters\/sql\//,
  /^storage-adapters\/(sequentials|hosts)\.ts$/,
  /^storage-adapters\/jobs\//,
  /^storage-adapters\/documents\//,
  /^storage-adapters\/lists\//,
  /^storage-adapters\/commits\//,
  /^storage-adapters\/migrations\//,
  /^storage-adapters\/kysely-storage\.ts$/,
  /^storage-adapters\/(sqlite|postgres)\//,
  /^storage-adapters\/index\.ts$/,
];

function level(path: string): number {
  const found = ORDER.findIndex((part) => part.test(path));
  if (found < 0) throw new Error(`${path} has no place in the order of parts: add it to ORDER`);
  return found;
}

function packageOf(file: { readonly path: string }): string {
  return file.path.split('/')[0] ?? '';
}

function readPackage(name: string): SourceFile[] {
  const root = join(PACKAGES, name, 'src');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return {
        path: `${name}/${path}`,
        text,
        imports: importsOf(text, join(root, path)),
      };
    });
}

function importsOf(text: string, file: string): string[] {
  const pattern =
    /(?:^|[\s;])(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|^import\s*['"]([^'"]+)['"]/gm;
  return [...withoutComments(text).matchAll(pattern)].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    if (!name.startsWith('.')) return name;
    const target = relative(PACKAGES, normalize(join(dirname(file), name)));
    return target.replace('/src/', '/').replace(/\.js$/, '.ts');
  });
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function circles(): string[] {
  const found: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    state.set(path, 'open');
    for (const name of byPath.get(path)?.imports ?? []) if (byPath.has(name)) visit(name, [...trail, path]);
    state.set(path, 'done');
  };
  for (const file of sources) visit(file.path, []);
  return found;
}
