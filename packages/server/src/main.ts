#!/usr/bin/env node
// The entry of `npm start` and of the command line. It has no imports at the top, so that an old Node prints a sentence
// instead of crashing.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const words = process.argv.slice(2);
if (major < 22 || (major === 22 && minor < 19)) {
  // An installed package has no `npm start`; only a checkout has its own Node.
  const advice = import.meta.url.includes('/node_modules/')
    ? 'Install Node 24: https://nodejs.org'
    : '"npm start" brings its own; other commands: npm exec -- sri-server <command>';
  process.stderr.write(`This server needs Node 22.19 or newer, and this is ${process.versions.node}. ${advice}\n`);
  process.exitCode = 1;
} else {
  await operate(words.length === 0 ? ['serve'] : words);
}

// --- internal ---

async function operate(argv: readonly string[]): Promise<void> {
  if (argv[0] === 'serve') {
    const { boundMemory } = await import('./bounded-memory.js');
    boundMemory();
    const { boundThreads } = await import('./platform/threads/bounded-threads.js');
    boundThreads();
  }
  const { endWithReader, nodeTerminal, outliveReader } = await import('sri-core/cli');
  const { readEnvFile } = await import('./cli/frame/read-env-file.js');
  const { runCommand } = await import('./cli/run.js');
  const { userInfo } = await import('node:os');
  if (argv[0] === 'serve') outliveReader();
  else endWithReader();
  const { variables, fault } = await readEnvFile('.env');
  const code = await runCommand(argv, {
    // The environment takes precedence.
    env: { ...variables, ...process.env },
    envFault: fault,
    actor: accountOf(userInfo),
    terminal: nodeTerminal(),
  });
  // A closed server exits at once, even if some connection still waits.
  if (argv[0] === 'serve') process.exit(code);
  process.exitCode = code;
}

/** The machine's account; its number if it has no name, as in some containers. */
function accountOf(userInfo: () => { readonly username: string }): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

export {};
