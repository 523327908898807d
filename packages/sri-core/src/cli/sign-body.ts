import type { Language } from '../catalogs/catalog.js';
import type { Issuer } from '../documents/issuer.js';
import type { Warning } from '../documents/messages.js';
import type { SignatureAlgorithm, Signer } from '../signing/signer.js';
import { type CommandOptions, flagOption, type OptionValues, textOption } from './command.js';
import { readDocumentNumber } from './document-number.js';
import { CommandFailure, UsageError } from './failure.js';
import { readInputFile, toText } from './input-file.js';
import { parseJson } from './json-text.js';

/** The options of `sign` for a JSON. */
export const BODY_OPTIONS = {
  issuer: textOption('file', {
    es: 'Con un JSON: otro JSON con los datos del emisor (ruc, businessName …)',
    en: 'With a JSON: another JSON with the data of the issuer (ruc, businessName …)',
  }),
  number: textOption('001-001-000000001', { es: 'Con un JSON: serie y número', en: 'With a JSON: series and number' }),
  production: flagOption({
    es: 'Con un JSON: ambiente 2; si no, 1, pruebas',
    en: 'With a JSON: environment 2; default 1, test',
  }),
} as const satisfies CommandOptions;

/** A signed XML. */
export interface SignedFile {
  readonly signed: string;
  /** Absent for an XML of another program. */
  readonly accessKey?: string;
  readonly warnings: readonly Warning[];
}

/** How to sign. */
export interface BodySigning {
  readonly signer: Signer;
  readonly algorithm: SignatureAlgorithm;
  readonly language: Language;
}

/**
 * Reads what signing a body needs, before the command asks for the certificate.
 *
 * @returns a function that validates the body, writes its XML and signs it.
 * @throws UsageError, CommandFailure JSON_INVALID
 */
export async function readBodyToSign(
  text: string,
  path: string,
  { issuer: issuerPath, number, production }: OptionValues<typeof BODY_OPTIONS>,
): Promise<(signing: BodySigning) => Promise<SignedFile>> {
  if (issuerPath === null || number === null) throw new UsageError(NEEDED);
  const { branchCode, issuePointCode, sequential } = readDocumentNumber(number);
  const body = fromJson(text, path);
  const stated = fromJson(
    toText(await readInputFile(issuerPath, { maxBytes: MAX_ISSUER_BYTES }), issuerPath),
    issuerPath,
  );
  // `signDocument` validates the issuer, like the body.
  const issuer = { ...(stated as object), branchCode, issuePointCode } as Issuer;
  return async (signing) => {
    const { signDocument } = await import('../lifecycle/sign-document.js');
    const { uncheckedBody } = await import('../documents/registry.js');
    const environment = production ? 'production' : 'sandbox';
    const options = { ...signing, issuer, environment, sequential } as const;
    const { signedXml, accessKey, warnings } = await signDocument(uncheckedBody(body), options);
    return { signed: signedXml, accessKey, warnings };
  };
}

// --- internal ---

const MAX_ISSUER_BYTES = 64 * 1024;
const NEEDED = {
  es: 'Un JSON se firma con --issuer (los datos del emisor) y --number (001-001-000000001).',
  en: 'A JSON is signed with --issuer (the data of the issuer) and --number (001-001-000000001).',
};

function fromJson(text: string, path: string): unknown {
  const read = parseJson(text);
  if ('value' in read) return read.value;
  const name = JSON.stringify(path);
  throw new CommandFailure('JSON_INVALID', { es: `${name} ${read.wrong.es}`, en: `${name} ${read.wrong.en}` });
}
