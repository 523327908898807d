// Rejects these packages in the lock file: below the version that fixed a known hole (security/floors.json), without a
// digest, with a `resolved` address, or with an install script that is not allowed.
// --audit also prints the answer of "npm audit"; it does not change the exit code, since the registry may not answer.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../packages/server/scripts/read-arguments.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = readArguments(import.meta.url, {
  options: {
    lock: { type: 'string', default: `${root}package-lock.json` },
    audit: { type: 'boolean', default: false },
  },
});
const floors = JSON.parse(readFileSync(`${root}security/floors.json`, 'utf8'));
const { allowScripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const { packages } = JSON.parse(readFileSync(values.lock, 'utf8'));

const installed = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, entry]) => ({
    path,
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    ...entry,
  }));
const complaints = [];

for (const { package: name, floors: lines, reason } of floors) {
  const copies = installed.filter((entry) => entry.name === name);
  if (copies.length === 0) complaints.push(`${name} has a floor and is not installed: take its entry away.`);
  for (const { path, version } of copies) {
    if (!isMended(version, lines)) complaints.push(`${path} is ${version}, below ${lines.join(' and ')}. ${reason}`);
  }
}
for (const { path, name, integrity, inBundle, resolved, hasInstallScript, os, cpu } of installed) {
  // A bundled dependency is covered by the digest of its package.
  if (!integrity && !inBundle) complaints.push(`${path} has no digest.`);
  if (resolved) complaints.push(`${path} names where it comes from.`);
  const fitsHere = fits(os, process.platform) && fits(cpu, process.arch);
  if (hasInstallScript && fitsHere && !Object.hasOwn(allowScripts, name)) {
    complaints.push(`${path} has an install script: read it, and add it to allowScripts in package.json.`);
  }
}

for (const complaint of complaints) console.error(complaint);
console.log(
  `${installed.length} packages, ${floors.length} with a floor: ${complaints.length === 0 ? 'none below' : 'not clean'}`,
);
if (values.audit) showAudit();
process.exit(complaints.length === 0 ? 0 : 1);

/** Whether a version reaches the floor of its release line (versions that get only fixes). */
function isMended(version, lines) {
  const own = lines.find((floor) => lineOf(floor) === lineOf(version));
  return own ? isAtLeast(version, own) : lines.every((floor) => isAtLeast(version, floor));
}

/** The major version, and before 1.0 the minor one too. */
function lineOf(version) {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor}` : major;
}

function isAtLeast(version, floor) {
  const [own, low] = [version, floor].map((text) => text.split('-')[0].split('.').map(Number));
  for (let part = 0; part < 3; part += 1) if (own[part] !== low[part]) return own[part] > low[part];
  // A pre-release sorts before its release.
  return !version.includes('-') || floor.includes('-');
}

function fits(allowed, here) {
  return (
    !allowed || allowed.includes(here) || (allowed.every((one) => one.startsWith('!')) && !allowed.includes(`!${here}`))
  );
}

function showAudit() {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8', timeout: 30_000 });
  try {
    const { vulnerabilities, metadata } = JSON.parse(stdout);
    if (!metadata) throw new Error('no report');
    console.log(
      `npm audit: ${JSON.stringify(metadata.vulnerabilities)} ${Object.keys(vulnerabilities ?? {}).join(', ')}`,
    );
  } catch {
    console.log('npm audit gave no answer.');
  }
}
