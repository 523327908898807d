// Writes the parts list of what we ship (CycloneDX, as npm makes it) to a file, dist/sbom.json unless another is given, and
// checks that it lists every package which "npm install sri-server" brings and names no place they come from.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = resolve(process.argv[2] ?? join(root, 'dist', 'sbom.json'));
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
/** Packages that the build puts inside our own files; an install does not bring them. */
const BUNDLED = ['pdfkit', 'uqr'];
/** Parts of those that the build leaves out: see packages/sri-core/tsup.config.ts. */
const LEFT_OUT = ['fontkit', 'linebreak'];
const shipped = new Set([...shippedPackages(), ...BUNDLED.flatMap((name) => withDependencies(name))]);

const whole = JSON.parse(describeAll());
// "--omit dev" would leave out whatever any workspace also develops with, such as pg: the lock file knows better.
const components = whole.components
  .filter((component) => shipped.has(component['bom-ref']))
  // npm names our own after their folders.
  .map((component) => ({ ...component, name: component['bom-ref'].replace(/@[^@]*$/, '') }));
const kept = new Set([whole.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
const dependencies = whole.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
// This folder is gone again.
const component = { ...whole.metadata.component, name: 'sri-workspace' };
const document = { ...whole, metadata: { ...whole.metadata, component }, components, dependencies };

const missing = [...shipped].filter((ref) => !kept.has(ref));
const places = JSON.stringify(document).match(/https?:\/\/[^"\s]*(registry|npmjs)[^"\s]*/g) ?? [];
if (missing.length > 0 || places.length > 0 || document.bomFormat !== 'CycloneDX') {
  console.error(`Missing: ${missing.join(', ') || 'none'}. Addresses of a registry: ${places.length}.`);
  process.exit(1);
}
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, `${JSON.stringify(document, null, 2)}\n`);
console.log(`${components.length} components in ${target}`);

/** npm describes only a root that has a version, which a workspace need not have: it is asked in a copy that has one. */
function describeAll() {
  const copy = mkdtempSync(join(tmpdir(), 'sbom-'));
  try {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const { version } = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8'));
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, version }));
    for (const file of ['package-lock.json', '.npmrc']) cpSync(join(root, file), join(copy, file));
    for (const folder of readdirSync(join(root, 'packages'))) {
      mkdirSync(join(copy, 'packages', folder), { recursive: true });
      cpSync(join(root, 'packages', folder, 'package.json'), join(copy, 'packages', folder, 'package.json'));
    }
    const options = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
    const { status, stdout, stderr } = spawnSync('npm', options, { cwd: copy, encoding: 'utf8', maxBuffer: 64 << 20 });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Name and version of our own packages, and of everything that is not for development alone, nested copies too. */
function shippedPackages() {
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional, link }]) => path !== '' && !dev && !devOptional && !link)
    .map(([path, { name, version }]) => `${name ?? path.replace(/^.*(node_modules|packages)\//, '')}@${version}`);
}

/** A package and all it needs, by the rules npm finds them by. */
function withDependencies(name, from = '', seen = new Set()) {
  const path = findPackage(name, from);
  if (path === null || seen.has(path)) return [];
  seen.add(path);
  const { version, dependencies = {} } = lock.packages[path];
  const needs = Object.keys(dependencies).filter((needed) => !LEFT_OUT.includes(needed));
  const below = needs.flatMap((needed) => withDependencies(needed, path, seen));
  return [`${name}@${version}`, ...below];
}

function findPackage(name, from) {
  for (let folder = from; ; folder = folder.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    const path = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`;
    if (lock.packages[path]) return path;
    if (folder === '') return null;
  }
}
