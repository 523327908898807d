#!/usr/bin/env node
// Entry of the `sri-core` command. It has no top-level imports, so that an old Node prints a message instead of crashing.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `sri-core needs Node 22.19 or newer, and this is ${process.versions.node}. Install Node 24: https://nodejs.org\n`,
  );
  process.exitCode = 1;
} else {
  const { CORE_COMMANDS, describeCoreFailure, endWithReader, nodeTerminal, readPackageVersion, runProgram } =
    await import('./index.js');
  endWithReader();
  const program = {
    name: 'sri-core',
    commands: CORE_COMMANDS,
    version: () => readPackageVersion(import.meta.url),
    closing: {
      es: 'No necesita servidor; solo received, key check y verify --online llaman al SRI. Códigos de salida: 0 bien, 1 rechazado o falló, 2 no se entendió.',
      en: 'Needs no server; only received, key check and verify --online call the SRI. Exit codes: 0 done, 1 refused or failed, 2 not understood.',
    },
    context: async () => ({}),
    describe: describeCoreFailure,
  };
  process.exitCode = await runProgram(program, process.argv.slice(2), { env: process.env, terminal: nodeTerminal() });
}

export {};
