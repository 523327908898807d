import { parseAccessKey } from '../../access-key.js';
import { systemClock } from '../../clock.js';
import { ENVIRONMENTS, type Environment } from '../../environment.js';
import { describeListProblem } from '../../received/describe-problem.js';
import { LIST_MAX_BYTES, parseReceivedList } from '../../received/received-list.js';
import { type CommandOptions, defineCommand, flagOption, textOption } from '../command.js';
import { CommandFailure, UsageError } from '../failure.js';
import { readInputFile } from '../input-file.js';
import { SRI_OPTION, withSri } from '../sri-option.js';
import { toTable } from '../table.js';
import { readWhole } from '../whole-number.js';
import { fetchList } from './fetch-list.js';
import { openReceivedFolder, type ReceivedFolder } from './folder.js';
import { hasDocument, type KeyOutcome, type ReceivedVerdict } from './outcome.js';
import { createPace } from './pace.js';
import { STATUS_WORDS, tableHeadings, tableRow } from './table.js';

const RECEIVED_OPTIONS = {
  out: textOption('folder', {
    es: 'Carpeta para <clave>.xml, <clave>.pdf y recibidos.csv',
    en: 'Folder for <key>.xml, <key>.pdf and recibidos.csv',
  }),
  resume: flagOption({
    es: 'Continúa en una carpeta comenzada: trae lo que falta',
    en: 'Goes on in a folder that was begun: fetches what is missing',
  }),
  environment: textOption('sandbox|production', {
    es: 'Solo las claves de ese ambiente; si no, cada una en el suyo',
    en: 'Only the keys of that environment; default each in its own',
  }),
  rate: textOption('n', {
    es: 'Consultas al SRI por segundo; si no, 4; al SRI real no más de 10',
    en: 'Calls to the SRI in a second; default 4; to the real SRI at most 10',
  }),
  ...SRI_OPTION,
} as const satisfies CommandOptions;

/** `received` */
export const receivedCommand = defineCommand({
  about: {
    es: [
      'Trae del SRI el XML de cada clave del TXT que el portal descarga («Comprobantes electrónicos recibidos»), revisa su firma,',
      'imprime su RIDE y escribe recibidos.csv con una fila por comprobante. No entra al portal ni pide la contraseña: las claves',
      'bastan. Si se corta, --resume continúa. Termina en 1 si algún comprobante falta, no vale o no se pudo leer.',
    ].join('\n'),
    en: [
      'Fetches the XML of each key in the TXT that the portal offers («Comprobantes electrónicos recibidos») from the SRI, checks',
      'its signature, prints its RIDE and writes recibidos.csv with a row for each document. It does not enter the portal and asks',
      'for no password: the keys suffice. Cut off, it goes on with --resume. Ends with 1 if a document is missing, invalid or unreadable.',
    ].join('\n'),
  },
  args: [
    {
      name: 'list',
      description: {
        es: 'El TXT del portal, o una clave de acceso por línea; - es la entrada estándar',
        en: "The portal's TXT, or one access key a line; - is the standard input",
      },
    },
  ],
  options: RECEIVED_OPTIONS,
  async run(call) {
    const { options, language, terminal } = call;
    if (options.out === null) throw new UsageError({ es: 'Falta --out.', en: '--out is missing.' });
    const rate = readWhole('--rate', options.rate ?? '4', 1, options.sri === null ? MOST_RATE : MOST_RATE_ELSEWHERE);
    const environment = readEnvironment(options.environment);
    const path = call.args[0] ?? '';
    const { rows: listed, ...faults } = parseReceivedList(
      await readInputFile(path, { maxBytes: LIST_MAX_BYTES, terminal }),
    );
    const rows = listed.filter(
      (row) => environment === null || parseAccessKey(row.accessKey).environment === environment,
    );
    const described = faults.problems.map((problem) => ({
      ...problem,
      message: describeListProblem(problem, language),
    }));
    for (const { line, message } of described) terminal.complain(`${path}:${line}: ${message}\n`);
    if (rows.length === 0) throw emptyList(path, described);

    const folder = await openReceivedFolder(options.out, options.resume);
    const verdicts = new Map<string, ReceivedVerdict>(folder.settled);
    const left = rows.filter(({ accessKey }) => !folder.settled.has(accessKey));
    let done = rows.length - left.length;
    await withSri(call, (sri) =>
      fetchList(left, {
        sri,
        pace: createPace(systemClock, rate),
        folder,
        signal: terminal.stopSignal(),
        onVerdict(verdict) {
          verdicts.set(verdict.accessKey, verdict);
          done += 1;
          if (terminal.isInteractive) terminal.complain(`\r${done}/${rows.length}`);
        },
      }),
    );
    if (terminal.isInteractive && left.length > 0) terminal.complain('\n');

    const outcomes = rows.map((row) => ({ row, verdict: verdicts.get(row.accessKey) ?? NOT_ASKED }));
    const table = await folder.saveTable(await tableOf(outcomes, folder));
    const counts: Record<string, number> = {};
    for (const { verdict } of outcomes) counts[verdict.status] = (counts[verdict.status] ?? 0) + 1;
    const wrong = outcomes.filter(({ verdict }) => verdict.status !== 'AUTHORIZED' || verdict.signatureValid === false);
    // A repeated row loses nothing: joined lists overlap.
    const isRead = faults.furtherProblems === 0 && described.every(({ rule }) => rule === 'duplicate');
    const isWhole = wrong.length === 0 && isRead;
    const isResumable = outcomes.some(({ verdict }) => ['FAILED', 'PENDING', 'IN_PROCESS'].includes(verdict.status));
    return {
      json: {
        ok: isWhole,
        table,
        documents: outcomes.length,
        counts,
        problems: described,
        furtherProblems: faults.furtherProblems,
        failures: wrong.map(({ row, verdict }) => ({ line: row.line, ...verdict, accessKey: row.accessKey })),
      },
      text: [...printWrong(wrong, language), ...printCounts(counts), table].join('\n'),
      notices: isResumable ? [RESUME] : [],
      passed: isWhole,
    };
  },
});

// --- internal ---

/** The highest rate to the real SRI, whose limits are not published. */
const MOST_RATE = 10;
const MOST_RATE_ELSEWHERE = 1_000;

const NOT_ASKED = {
  accessKey: '',
  status: 'PENDING',
  signatureValid: null,
  authorizationDate: null,
  reason: null,
} as const satisfies ReceivedVerdict;

const RESUME = {
  es: 'Faltan comprobantes: repita el comando con --resume.',
  en: 'Documents are missing: run the command again with --resume.',
};

function readEnvironment(text: string | null): Environment | null {
  const found = ENVIRONMENTS.find((known) => known === text);
  if (text === null || found) return found ?? null;
  throw new UsageError({ es: '--environment es sandbox o production.', en: '--environment is sandbox or production.' });
}

function emptyList(path: string, problems: readonly object[]): CommandFailure {
  const name = JSON.stringify(path);
  const words = {
    es: `${name} no tiene ninguna clave de acceso que se pueda consultar.`,
    en: `${name} holds no access key that can be asked for.`,
  };
  return new CommandFailure('LIST_EMPTY', words, { problems });
}

/** The table with the documents that the folder holds, of this run or an earlier one. One is in memory at a time. */
async function tableOf(outcomes: readonly KeyOutcome[], folder: ReceivedFolder): Promise<string> {
  let text = tableHeadings();
  for (const { row, verdict } of outcomes) {
    const comprobante = hasDocument(verdict) ? await folder.readDocument(row.accessKey) : null;
    text += tableRow({ row, verdict, comprobante });
  }
  return text;
}

function printWrong(wrong: readonly KeyOutcome[], language: 'es' | 'en'): readonly string[] {
  if (wrong.length === 0) return [];
  const rows = wrong
    .slice(0, MOST_TOLD)
    .map(({ row, verdict }) => [
      row.accessKey,
      `${STATUS_WORDS[verdict.status]}${verdict.signatureValid === false ? ', FIRMA NO VÁLIDA' : ''}`,
      verdict.reason,
    ]);
  return [toTable(['accessKey', 'status', 'why'], rows, language), ''];
}

const MOST_TOLD = 50;

function printCounts(counts: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(STATUS_WORDS).flatMap(([status, words]) =>
    counts[status] ? [`${counts[status]} ${words}`] : [],
  );
}
