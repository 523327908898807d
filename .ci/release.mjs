// Makes a release: `node .ci/release.mjs 0.2.0` sets the version of every package and of what they need of each other,
// closes the changelog's section, commits and tags. Pushing the tag publishes it, by .github/workflows/release.yml.
// `--verify 0.2.0` only says whether the checkout is that version.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const FOLDERS = ['packages/sri-core', 'packages/storage-adapters', 'packages/server'];
const [first = '', second = ''] = process.argv.slice(2);
const verifies = first === '--verify';
const version = verifies ? second : first;
if (!/^\d+\.\d+\.\d+(-[a-z0-9.]+)?$/.test(version)) fail('Give a version such as 0.2.0.');

const manifests = FOLDERS.map((folder) => {
  const path = `${folder}/package.json`;
  return { path, content: JSON.parse(read(path)) };
});
const names = manifests.map(({ content }) => content.name);
const changelog = read('CHANGELOG.md');

if (verifies) verify();
else release();

function verify() {
  for (const { path, content } of manifests) {
    if (content.version !== version) fail(`${path} is version ${content.version}, not ${version}.`);
    for (const name of names) {
      const needed = content.dependencies?.[name];
      if (needed && needed !== version) fail(`${path} needs ${name} ${needed}, not ${version}.`);
    }
  }
  if (!changelog.includes(`\n## ${version} – `)) fail(`CHANGELOG.md has no section for ${version}.`);
  console.log(`This is ${version}.`);
}

function release() {
  if (git('status', '--porcelain') !== '') fail('There are changes that are not committed.');
  if (git('tag', '--list', `v${version}`) !== '') fail(`v${version} is there already.`);
  const [, rest] = changelog.split('## Unreleased\n');
  if (!/^(- |### )/.test(rest?.trimStart() ?? '')) fail('CHANGELOG.md has nothing under «Unreleased».');
  const before = manifests[0].content.version;
  for (const { path, content } of manifests) {
    content.version = version;
    for (const name of names) if (content.dependencies?.[name]) content.dependencies[name] = version;
    writeFileSync(new URL(path, root), `${JSON.stringify(content, null, 2)}\n`);
  }
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(
    new URL('CHANGELOG.md', root),
    changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} – ${today}\n`),
  );
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: root, stdio: 'ignore' });
  git('commit', '--all', '--message', `release: ${version} instead of ${before}`);
  git('tag', '--annotate', `v${version}`, '--message', version);
  console.log(`v${version} is committed and tagged. Push it to publish: git push --follow-tags`);
}

function read(path) {
  return readFileSync(new URL(path, root), 'utf8');
}

function git(...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
}

function fail(reason) {
  console.error(reason);
  process.exit(1);
}
