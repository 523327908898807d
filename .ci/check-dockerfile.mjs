// Runs the Dockerfile on this machine, for machines that cannot build images. Each stage gets a folder under a temporary
// root and runs the same copies and commands in order. Then it starts the result without privileges and runs its health
// check. Prints the size. Exits with 1 at the first step that fails.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../packages/server/src/testing/free-port.ts';

const context = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'dockerfile-'));
chmodSync(work, 0o755);
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

/** This very Node before any other. */
const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;

/** The instructions, with continued lines joined. */
const instructions = readFileSync(join(context, 'Dockerfile'), 'utf8')
  .replace(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  .map((line) => /^(\w+)\s+(.*)$/.exec(line)?.slice(1) ?? []);

const stages = new Map();
let stage;
for (const [instruction, rest] of instructions) {
  if (instruction === 'FROM') {
    const [, image, name] = /^(\S+)(?: AS (\w+))?$/.exec(rest) ?? [];
    const major = /^node:(\d+)/.exec(image ?? '')?.[1];
    if (major !== process.versions.node.split('.')[0]) fail(`${image} is not the Node this runs on`);
    stage = { root: join(work, name ?? 'final'), workdir: '/', env: {}, user: 'root' };
    mkdirSync(stage.root);
    if (name) stages.set(name, stage);
  } else if (instruction === 'WORKDIR') {
    stage.workdir = rest;
    mkdirSync(inside(rest), { recursive: true });
  } else if (instruction === 'COPY') copy(rest);
  else if (instruction === 'RUN') run(rest);
  else if (instruction === 'ENV')
    for (const pair of rest.split(' ')) stage.env[pair.split('=')[0]] = pair.split('=')[1];
  else if (instruction === 'USER') stage.user = rest;
  else if (instruction === 'HEALTHCHECK') stage.health = JSON.parse(/CMD (\[.*\])$/.exec(rest)[1]);
  else if (instruction === 'ENTRYPOINT') stage.entrypoint = JSON.parse(rest);
  else if (instruction === 'CMD') stage.cmd = JSON.parse(rest);
}
if (stage.user === 'root') fail('the image would run as root');
console.log(`weight without the base image: ${megabytes(stage.root)} MB`);
await start();

function inside(path) {
  return join(stage.root, path.startsWith('/') ? path : join(stage.workdir, path));
}

function copy(rest) {
  const from = /^--from=(\w+) (.*)$/.exec(rest);
  const words = (from?.[2] ?? rest).split(' ');
  const target = words.pop();
  const base = from ? stages.get(from[1]).root : context;
  for (const word of words) {
    const source = join(base, word);
    const destination = target.endsWith('/') ? join(inside(target), word.split('/').at(-1)) : inside(target);
    mkdirSync(dirname(destination), { recursive: true });
    // What .dockerignore keeps out of the context; within the image everything is copied.
    const filter = from ? () => true : (path) => !/\/(node_modules|dist|coverage)(\/|$)/.test(path.slice(base.length));
    cpSync(source, destination, { recursive: true, filter, verbatimSymlinks: true });
  }
  console.log(`COPY ${rest}`);
}

/** Maps the image's absolute paths to the stage's root, and `chown` to open permissions. */
function run(command) {
  const here = command.replace(/(?<=\s)\/(?=\w)/g, `${stage.root}/`).replace(/\bchown node:node\b/g, 'chmod 777');
  const result = spawnSync('sh', ['-ec', here], {
    cwd: inside(stage.workdir),
    encoding: 'utf8',
    env: { ...process.env, PATH },
  });
  if (result.status !== 0) fail(`RUN ${command}\n${result.stdout}${result.stderr}`);
  console.log(`RUN ${command}`);
}

async function start() {
  const port = await freePort();
  const data = inside('/data');
  const env = {
    ...stage.env,
    PATH,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: data,
    MASTER_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    BASE_URL: 'https://api.example.com',
  };
  // Only root has privileges to drop.
  const rights = process.getuid() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const [program, ...words] = [...stage.entrypoint, ...stage.cmd];
  const began = performance.now();
  const server = spawn(program, words, {
    cwd: inside(stage.workdir),
    env,
    ...rights,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (told += chunk));
  const healthy = () => spawnSync(stage.health[0], stage.health.slice(1), { env }).status === 0;
  while (!healthy()) {
    if (server.exitCode !== null || performance.now() - began > 30_000) fail(`not healthy:\n${told}`);
    await sleep(100);
  }
  console.log(`healthy after ${Math.round(performance.now() - began)} ms`);
  server.kill('SIGTERM');
  const [code] = await new Promise((resolve) => server.once('exit', (...how) => resolve(how)));
  if (code !== 0) fail(`ended with ${code}:\n${told}`);
  console.log('stopped');
}

function megabytes(folder) {
  const { stdout } = spawnSync('du', ['-sm', folder], { encoding: 'utf8' });
  return Number.parseInt(stdout, 10);
}

function fail(reason) {
  console.error(`The Dockerfile does not hold: ${reason}`);
  process.exit(1);
}
