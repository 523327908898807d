#!/usr/bin/env node
// The entry of `npm start` and of the command line. It imports nothing at the top, so that an old Node gets a sentence
// instead of a crash.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [command, ...rest] = process.argv.slice(2);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `This server needs Node 22.19 or newer, and this is ${process.versions.node}. "npm start" brings its own.\n`,
  );
  process.exitCode = 1;
} else if (command === undefined || (command === 'serve' && rest.length === 0)) {
  await serve();
} else {
  await operate([command, ...rest]);
}

// --- internal ---

async function operate(argv: readonly string[]): Promise<void> {
  const { runCommand } = await import('./cli/run.js');
  const { userInfo } = await import('node:os');
  process.exitCode = await runCommand(argv, {
    env: process.env,
    actor: accountOf(userInfo),
    write: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  });
}

/** The machine's account; its number where it has no name, as in some containers. */
function accountOf(userInfo: () => { readonly username: string }): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

async function serve(): Promise<void> {
  const { ConfigError, startServer } = await import('./index.js');
  try {
    const server = await startServer(process.env);
    const { places } = server;
    process.stdout.write(
      [
        `Listening on ${server.url}`,
        `Sandbox documents go to ${places.sandboxDocuments}; production documents go to ${places.productionDocuments}`,
        `Mail goes to ${places.mail}`,
        `Data is in ${places.data}`,
        '',
      ].join('\n'),
    );
    stopOnSignal(() => server.close());
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(error instanceof ConfigError ? `Configuration:\n${message}\n` : `Not started: ${message}\n`);
    process.exitCode = 1;
  }
}

/** The first signal ends gracefully; a second one at once. */
function stopOnSignal(close: () => Promise<void>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    process.stdout.write('Stopping; once more to stop at once.\n');
    await close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
}

export {};
