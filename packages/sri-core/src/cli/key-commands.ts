import { randomInt } from 'node:crypto';
import { type AccessKey, buildAccessKey, isAccessKey, parseAccessKey } from '../access-key.js';
import { ecuadorDate, toIsoDate, toIssueDate } from '../calendar.js';
import { documentTypes } from '../catalogs/document-types.js';
import { DEFAULT_DOCUMENT_TYPE } from '../documents/registry.js';
import { checkRuc } from '../identification.js';
import { checkValidity } from '../received/validity.js';
import { formatDocumentNumber } from '../sequential.js';
import { type CommandCall, type CommandOptions, defineCommand, flagOption, textOption } from './command.js';
import { whatIsWrongWithKey } from './diagnosis/access-key-words.js';
import { readDocumentNumber } from './document-number.js';
import { CommandFailure, UsageError } from './failure.js';
import { SRI_OPTION, withSri } from './sri-option.js';
import { toLines } from './table.js';
import { describeValidity } from './validity-words.js';

/** `key parse` */
export const parseKeyCommand = defineCommand({
  args: [
    {
      name: 'key',
      description: { es: 'Los 49 dígitos; los blancos se pasan por alto', en: 'The 49 digits; blanks are passed over' },
    },
  ],
  async run({ args, language }) {
    const { accessKey, ...parts } = parseAccessKey(readKey(args));
    const type = documentTypes.find(({ code }) => code === parts.documentType);
    const { branchCode, issuePointCode, sequential } = parts;
    const facts = {
      accessKey,
      ...parts,
      number: formatDocumentNumber(branchCode, issuePointCode, sequential),
      documentName: type?.description[language] ?? null,
      rucCheckDigit: checkRuc(parts.ruc),
    };
    const shown = { ...facts, rucCheckDigit: VERDICTS[facts.rucCheckDigit][language] };
    return { json: { ok: true, key: facts }, text: toLines(shown, language) };
  },
});

/** `key check` */
export const checkKeyCommand = defineCommand({
  about: {
    es: 'Sirve la clave de cualquiera: no hace falta ser su emisor ni su receptor. Termina en 1 si el comprobante no vale.',
    en: "Anybody's key will do: one need be neither its issuer nor its receiver. Ends with 1 if the document is not valid.",
  },
  args: [{ name: 'key', description: { es: 'Los 49 dígitos', en: 'The 49 digits' } }],
  options: SRI_OPTION,
  async run(call) {
    const { args, language } = call;
    const accessKey = readKey(args);
    const validity = await withSri(call, (sri) => checkValidity(accessKey, { sri }));
    const isValid = validity.status === 'AUTHORIZED' || validity.status === 'PENDING_ANNULMENT';
    return { json: { ok: isValid, validity }, text: describeValidity(validity, language), passed: isValid };
  },
});

const BUILD_OPTIONS = {
  ruc: textOption('digits', { es: '13 dígitos', en: '13 digits' }),
  type: textOption('code', { es: 'codDoc; 01 si no se dice', en: 'codDoc; default 01' }),
  number: textOption('001-001-000000001', { es: 'Serie y número', en: 'Series and number' }),
  date: textOption('DD/MM/YYYY', {
    es: 'Fecha de emisión; si no, hoy en Ecuador',
    en: 'Issue date; default today in Ecuador',
  }),
  production: flagOption({ es: 'Ambiente 2; si no, 1, pruebas', en: 'Environment 2; default 1, test' }),
  'numeric-code': textOption('digits', { es: '8 dígitos; si no, al azar', en: '8 digits; default random' }),
} as const satisfies CommandOptions;

/** `key build` */
export const buildKeyCommand = defineCommand({
  options: BUILD_OPTIONS,
  async run(call) {
    const number = readDocumentNumber(required(call, 'number'));
    for (const [name, count] of DIGITS) {
      if (new RegExp(`^[0-9]{${count}}$`).test(call.options[name] ?? '0'.repeat(count))) continue;
      throw new UsageError({ es: `--${name} tiene ${count} dígitos.`, en: `--${name} has ${count} digits.` });
    }
    const issueDate = call.options.date ?? toIssueDate(ecuadorDate(new Date()));
    if (!toIsoDate(issueDate)) {
      throw new UsageError({ es: '--date es una fecha como 21/11/2026.', en: '--date is a date such as 21/11/2026.' });
    }
    const accessKey = buildAccessKey({
      issueDate,
      documentType: call.options.type ?? DEFAULT_DOCUMENT_TYPE,
      ruc: required(call, 'ruc'),
      environment: call.options.production ? 'production' : 'sandbox',
      ...number,
      numericCode: call.options['numeric-code'] ?? String(randomInt(100_000_000)).padStart(8, '0'),
    });
    return { json: { ok: true, accessKey }, text: accessKey };
  },
});

// --- internal ---

const DIGITS = [
  ['ruc', 13],
  ['type', 2],
  ['numeric-code', 8],
] as const;

/** Describes the check digit for people. */
const VERDICTS = {
  right: { es: 'correcto', en: 'right' },
  wrong: { es: 'incorrecto', en: 'wrong' },
  uncertain: { es: 'no se puede comprobar', en: 'cannot be checked' },
} as const;

function readKey(args: readonly string[]): AccessKey {
  const text = (args[0] ?? '').replace(/\s/g, '');
  if (!isAccessKey(text)) throw new CommandFailure('ACCESS_KEY_INVALID', whatIsWrongWithKey(text));
  return text;
}

function required({ options }: CommandCall<typeof BUILD_OPTIONS>, name: 'ruc' | 'number'): string {
  const text = options[name];
  if (text === null) throw new UsageError({ es: `Falta --${name}.`, en: `--${name} is missing.` });
  return text;
}
