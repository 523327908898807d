import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * The arguments of a script. `--help` prints the comment that the script begins with; a wrong argument prints it too.
 *
 * @param script the address of the script: `import.meta.url`.
 * @returns also `refuse`, which ends the script because of a wrong value.
 */
export function readArguments(script, { options, ...rest }) {
  const usage = readFileSync(new URL(script), 'utf8')
    .match(/^(?:\/\/.*\n)+/)[0]
    .replaceAll(/^\/\/ ?/gm, '');
  const refuse = (message) => {
    console.error(`${message}\n\n${usage}`);
    process.exit(2);
  };
  try {
    const parsed = parseArgs({ ...rest, options: { ...options, help: { type: 'boolean' } } });
    if (!parsed.values.help) return { ...parsed, refuse };
  } catch (error) {
    refuse(error.message);
  }
  console.log(usage);
  process.exit(0);
}
