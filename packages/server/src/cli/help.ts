import type { Command } from './command.js';

/** How the program is called. */
export const PROGRAM = 'sri-server';

/** What the whole program, or a group of its commands, can do. @param prefix the words of the group; empty for all. */
export function groupHelp(commands: readonly Command[], prefix: string): string {
  const listed = commands.filter(({ name }) => prefix === '' || name.startsWith(`${prefix} `));
  const serve = prefix === '' ? [['serve', 'Run the server until it is told to stop; also what no command does']] : [];
  const rows = [...serve, ...listed.map((command) => [synopsis(command), command.summary])];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return [
    `Usage: ${PROGRAM} ${prefix ? `${prefix} ` : ''}<command> [options]`,
    '',
    ...rows.map(([name = '', summary = '']) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    ...COMMON,
    '',
    `${PROGRAM} <command> --help tells more of one.`,
    '',
  ].join('\n');
}

/** What one command does, takes and answers. */
export function commandHelp(command: Command): string {
  const { args = [], options = {}, summary, about } = command;
  const optionRows = Object.entries(options).map(([name, { value, description }]) => [
    `--${name}${value ? ` <${value}>` : ''}`,
    description,
  ]);
  const argumentRows = args.map(({ name, description }) => [`<${name}>`, description]);
  const width = Math.max(0, ...[...argumentRows, ...optionRows].map(([name = '']) => name.length));
  const show = (rows: readonly (readonly string[])[]) =>
    rows.map(([name = '', description = '']) => `  ${name.padEnd(width)}  ${description}`);
  return [
    `Usage: ${PROGRAM} ${synopsis(command)} [options]`,
    '',
    `${summary}.`,
    ...(about ? ['', about] : []),
    ...(argumentRows.length > 0 ? ['', 'Arguments:', ...show(argumentRows)] : []),
    ...(optionRows.length > 0 ? ['', 'Options:', ...show(optionRows)] : []),
    '',
    ...COMMON,
    '',
  ].join('\n');
}

/** What serving takes. */
export function serveHelp(): string {
  return [
    `Usage: ${PROGRAM} serve`,
    '',
    'Runs the server until SIGTERM or SIGINT: running requests and jobs end first; a second signal ends it at once.',
    'Everything is set by environment variables; docs/en/server.md lists them.',
    '',
  ].join('\n');
}

// --- internal ---

const COMMON = [
  'With every command:',
  '  --json      The result as JSON on the standard output',
  '  -h, --help  This text',
  '',
  'It works on the database that DATABASE_URL and DATA_DIR name, with MASTER_KEYS, as the server does; servers may run',
  'beside it. Exit codes: 0 done, 1 refused or failed, 2 not understood.',
];

function synopsis({ name, args = [] }: Command): string {
  return [name, ...args.map((argument) => `<${argument.name}>`)].join(' ');
}
