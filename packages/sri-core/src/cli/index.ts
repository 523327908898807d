/** Subpath `sri-core/cli`: the building blocks of the `sri-core` and `sri-server` commands. May change in any release. */

export { type CliText, daysLeft, fillText, languageOf } from './cli-text.js';
export {
  type Command,
  type CommandArgument,
  type CommandCall,
  type CommandDetails,
  type CommandOption,
  type CommandOptions,
  type CommandResult,
  commandsIn,
  defineCommand,
  flagOption,
  type OptionValues,
  type Terminal,
  textOption,
} from './command.js';
export { CORE_COMMANDS } from './commands.js';
export { describeCoreFailure } from './core-failures.js';
export { isKnownAuthority } from './diagnosis/certificate-findings.js';
export { type Diagnosis, diagnose } from './diagnosis/load.js';
export { CommandFailure, UsageError } from './failure.js';
export { readInputFile, toText } from './input-file.js';
export { parseJson } from './json-text.js';
export { listenHere } from './listen-here.js';
export { endWithReader, nodeTerminal, outliveReader } from './node-terminal.js';
export { giveName, requireFileName, writeOutputFile } from './output-file.js';
export { openWithPassword } from './p12-password.js';
export { readPackageVersion } from './package-version.js';
export { type DescribedFailure, type Program, type ProgramIo, runProgram } from './run.js';
export { printable, toLines, toTable } from './table.js';
export { readWhole } from './whole-number.js';
