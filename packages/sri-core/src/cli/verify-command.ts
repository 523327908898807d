import { isAccessKey } from '../access-key.js';
import { toIsoDate, toIssueDate } from '../calendar.js';
import type { Language } from '../catalogs/catalog.js';
import { SriUnavailableError } from '../errors.js';
import { checkValidity, type Validity } from '../received/validity.js';
import { fillText } from './cli-text.js';
import { type CommandOptions, defineCommand, flagOption, textOption } from './command.js';
import type { Diagnosis, JudgedDay } from './diagnosis/diagnose.js';
import type { Finding } from './diagnosis/finding.js';
import { ANSWER } from './diagnosis/sri-message.js';
import { UsageError } from './failure.js';
import { readInputFile } from './input-file.js';
import { SRI_OPTION, type SriCall, withSri } from './sri-option.js';
import { printable } from './table.js';
import { describeValidity } from './validity-words.js';

const VERIFY_OPTIONS = {
  at: textOption('YYYY-MM-DD', {
    es: 'Juzga como si se enviara ese día; si no, en el momento de su firma',
    en: 'Judges as if it were sent on that day; default the moment of its signature',
  }),
  online: flagOption({
    es: 'Además pregunta al SRI si el comprobante vale (necesita red)',
    en: 'Also asks the SRI whether the document is valid (needs the network)',
  }),
  ...SRI_OPTION,
} as const satisfies CommandOptions;

/** `verify` */
export const verifyCommand = defineCommand({
  about: {
    es: 'Mira archivo, estructura, clave de acceso, firma, certificado, totales, contenido y fecha, todo de una vez, y dice\npor qué el SRI respondería «FIRMA INVÁLIDA» u otra cosa, qué suele causarlo y qué hacer. Lo que solo el SRI sabe\n(revocación, cadena, permiso del RUC, número ya usado) no se juzga. Termina en 1 cuando el SRI lo rechazaría.',
    en: 'Looks at file, structure, access key, signature, certificate, sums, content and date, all of them at once, and tells\nwhy the SRI would answer «FIRMA INVÁLIDA» or something else, what usually causes it and what to do. What the SRI\nalone knows (revocation, chain, whether the RUC may issue, numbers used) is not judged. Ends with 1 when the SRI would refuse it.',
  },
  args: [
    {
      name: 'file',
      description: {
        es: 'El XML firmado, o el de su autorización; - es la entrada estándar',
        en: 'The signed XML, or that of its authorization; - is the standard input',
      },
    },
  ],
  options: VERIFY_OPTIONS,
  async run(call) {
    const day = readDay(call.options.at);
    const bytes = await readInputFile(call.args[0] ?? '', { maxBytes: 4 * 1024 * 1024, terminal: call.terminal });
    const { diagnose } = await import('./diagnosis/diagnose.js');
    const diagnosis = await diagnose(bytes, new Date(), day);
    const { refused, findings, accessKey, ...facts } = diagnosis;
    const { online, sri } = call.options;
    const { validity, silence } = online || sri !== null ? await askSri(accessKey, call) : NOT_ASKED;
    const isValid = validity === null || validity.status === 'AUTHORIZED' || validity.status === 'PENDING_ANNULMENT';
    const passed = !refused && isValid && silence === null;
    return {
      json: { ok: passed, accessKey, ...facts, findings, ...(validity ? { validity } : {}) },
      text: [print(diagnosis, call.language), ...(validity ? [describeValidity(validity, call.language)] : [])].join(
        '\n',
      ),
      notices: silence === null ? [] : [fillText(NO_ANSWER, { why: silence })],
      passed,
    };
  },
});

/** Formats a diagnosis for people: faults first, each with its advice. */
export function print(diagnosis: Diagnosis, language: Language): string {
  const { findings } = diagnosis;
  const order = { fail: 0, warn: 1, ok: 2 };
  const lines = findings
    .toSorted((a, b) => order[a.verdict] - order[b.verdict])
    .flatMap((finding) => printFinding(finding, language));
  return [...lines, '', VERDICTS[verdictOf(diagnosis)][language]].join('\n');
}

// --- internal ---

/** The SRI's answer; null without one. `silence`: why it did not answer. */
interface AuthorityAnswer {
  readonly validity: Validity | null;
  readonly silence: string | null;
}

const NOT_ASKED: AuthorityAnswer = { validity: null, silence: null };
const NO_ANSWER = {
  es: 'El SRI no respondió si el comprobante vale; repita más tarde. ({why})',
  en: 'The SRI did not answer whether the document is valid; try again later. ({why})',
};

/** Asks the SRI about a valid key. For any other key the findings give the reason. */
async function askSri(accessKey: string | null, call: SriCall): Promise<AuthorityAnswer> {
  if (accessKey === null || !isAccessKey(accessKey)) return NOT_ASKED;
  try {
    return { validity: await withSri(call, (sri) => checkValidity(accessKey, { sri })), silence: null };
  } catch (error) {
    if (!(error instanceof SriUnavailableError)) throw error;
    return { validity: null, silence: error.message };
  }
}

const MARKS = { ok: '✓', warn: '!', fail: '✗' } as const;
const VERDICTS = {
  refused: { es: 'El SRI lo rechazaría.', en: 'The SRI would refuse it.' },
  answer: {
    es: 'No se revisó ningún comprobante. Los códigos de arriba, si los hay, son los que respondió el SRI.',
    en: 'No document was looked at. The codes above, if there are any, are what the SRI answered.',
  },
  contradicted: {
    es: 'Según el archivo, el SRI ya lo autorizó, pero lo marcado con «✗» lo contradice: qué vale lo dice el SRI (--online).',
    en: 'The file says that the SRI has authorized it, but what is marked «✗» says otherwise: the SRI tells which holds (--online).',
  },
  authorized: {
    es: 'Según el archivo, el SRI ya lo autorizó, y aquí no se ve nada que lo contradiga.',
    en: 'The file says that the SRI has authorized it, and nothing that can be seen here says otherwise.',
  },
  doubtful: {
    es: 'Aquí no se puede asegurar que el SRI lo reciba: lo marcado con «!» puede hacer que lo rechace. Lo demás está bien.',
    en: 'That the SRI would take it cannot be said here: what is marked «!» may have it refused. The rest is right.',
  },
  fine: {
    es: 'Nada de lo que aquí se puede ver lo haría rechazar.',
    en: 'Nothing that can be seen here would have it refused.',
  },
};

function verdictOf({ refused, authorization, findings }: Diagnosis): keyof typeof VERDICTS {
  if (authorization?.estado === 'AUTORIZADO') return refused ? 'contradicted' : 'authorized';
  if (refused) return findings[0]?.message === ANSWER ? 'answer' : 'refused';
  // The SRI authorizes a document despite a warning about its content.
  return findings.some(({ verdict, area }) => verdict === 'warn' && area !== 'content') ? 'doubtful' : 'fine';
}

/** The code of a finding, worded as a possibility where only the SRI decides. Codes the SRI already answered are certain. */
function codeOf({ verdict, sriCode, area }: Finding, language: Language): string {
  if (sriCode === null || verdict === 'ok') return '';
  const code = `SRI ${sriCode}${sriCode === '39' ? ', FIRMA INVÁLIDA' : ''}`;
  if (verdict === 'fail' || area === 'file' || area === 'content') return ` [${code}]`;
  return language === 'es' ? ` [posible: ${code}]` : ` [possible: ${code}]`;
}

function printFinding(finding: Finding, language: Language): readonly string[] {
  const { verdict, message, advice } = finding;
  const lines = [`${MARKS[verdict]} ${printable(message[language])}${codeOf(finding, language)}`];
  if (advice && verdict !== 'ok') lines.push(`    ${printable(advice[language])}`);
  return lines;
}

/** The whole day in Ecuador given by `--at`. */
function readDay(text: string | null): JudgedDay | null {
  if (text === null) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && toIsoDate(toIssueDate(text))) {
    return { from: new Date(`${text}T00:00:00.000-05:00`), to: new Date(`${text}T23:59:59.999-05:00`) };
  }
  throw new UsageError({ es: '--at es una fecha como 2026-11-21.', en: '--at is a date such as 2026-11-21.' });
}
