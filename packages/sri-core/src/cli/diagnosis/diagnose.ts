import type { SignerFacts, VerificationReport } from '../../signing/verification.js';
import { isRefusal } from '../../sri/authorization.js';
import { readSubmissionText } from '../../sri/rules/submission.js';
import { childText } from '../../xml/reader.js';
import { findInCertificate } from './certificate-findings.js';
import { type FiledAuthorization, readComprobanteFile } from './comprobante-file.js';
import { findInContent } from './content-findings.js';
import { type Finding, object, pass } from './finding.js';
import { findInSignature } from './signature-findings.js';
import { fromMessage } from './sri-message.js';

/** The diagnosis of a file: its kind, its findings, and whether the SRI would reject it. */
export interface Diagnosis {
  readonly refused: boolean;
  /** Name of the root element; null without one. */
  readonly document: string | null;
  readonly accessKey: string | null;
  readonly signer: SignerFacts | null;
  /** The SRI's answer, when the file holds one. */
  readonly authorization: FiledAuthorization | null;
  readonly findings: readonly Finding[];
}

/** The first and last moment of the day on which the file may have been sent. */
export interface JudgedDay {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Checks a comprobante as the SRI would: file, structure, access key, signature, certificate, sums, date. It reports every
 * fault instead of the first. Only the SRI knows whether the certificate is revoked, its chain is valid, the RUC may issue,
 * or the number is used: this check leaves these four out.
 *
 * @param bytes the comprobante, or the `<autorizacion>` that holds it.
 * @param day the day of sending; null for the signing time, unless that lies ahead.
 */
export async function diagnose(bytes: Uint8Array, now: Date, day: JudgedDay | null = null): Promise<Diagnosis> {
  const file = readComprobanteFile(bytes);
  if (!('xml' in file)) return conclude({ findings: file.findings });
  const { xml, authorization } = file;
  const { report, findings: ofSignature } = await findInSignature(xml, day?.to ?? now);
  const submission = readSubmissionText(xml);
  if ('identifier' in submission) {
    const said = submission.additionalInfo ?? submission.message;
    const unreadable = object('fail', 'file', { sriCode: submission.identifier, message: { es: said, en: said } });
    // When the file is not XML, the signature check would repeat it in worse words.
    const isXml = submission.identifier !== '35';
    return conclude({ authorization, findings: [...file.findings, ...(isXml ? [unreadable] : []), ...ofSignature] });
  }
  const ruc = childText(submission.infoTributaria, 'ruc');
  const content = findInContent(submission, day?.to ?? signedBy(report, now), authorization !== null);
  const findings = [
    ...file.findings,
    ...(authorization ? authorizationFindings(authorization) : []),
    ...(authorization?.estado === 'AUTORIZADO' ? content.map(asOfThen) : content),
    ...ofSignature,
    ...(report.signer ? findInCertificate(report.signer, ruc, day?.from ?? now) : []),
  ];
  return conclude({
    document: submission.root.name,
    accessKey: submission.accessKey || null,
    signer: report.signer,
    authorization,
    findings,
  });
}

// --- internal ---

/** A SigningTime in the future is a separate fault and cannot be a sending time. */
function signedBy({ signingTime }: VerificationReport, now: Date): Date {
  return signingTime && signingTime < now ? signingTime : now;
}

/** The rules of today. A part that they refuse in an authorized file was allowed on its day. */
function asOfThen(finding: Finding): Finding {
  const isRule = finding.area === 'structure' || finding.area === 'sums';
  return isRule && finding.verdict === 'fail' ? { ...finding, verdict: 'warn', advice: ALLOWED_THEN } : finding;
}

const ALLOWED_THEN = {
  es: 'Según el archivo, el SRI lo autorizó: las reglas de ese día lo admitían, y las de hoy no.',
  en: 'The file says that the SRI authorized it: the rules of that day allowed it, and those of today do not.',
};

function conclude(found: Partial<Diagnosis> & { readonly findings: readonly Finding[] }): Diagnosis {
  const refused = found.findings.some(({ verdict }) => verdict === 'fail');
  return { document: null, accessKey: null, signer: null, authorization: null, ...found, refused };
}

function authorizationFindings({ estado, number, date, messages }: FiledAuthorization): readonly Finding[] {
  const facts = [estado, number, date].filter(Boolean).join(', ');
  const verdict = estado === 'AUTORIZADO' ? 'warn' : 'fail';
  const message = {
    es: `El archivo es la respuesta del SRI (${facts}); se revisa el comprobante que contiene.`,
    en: `The file is the SRI's answer (${facts}); what it holds is looked at.`,
  };
  // A refusal without messages is one too.
  const answer = isRefusal(estado) ? object('fail', 'file', { message }) : pass('file', message);
  return [answer, ...messages.map((each) => fromMessage('file', each, verdict))];
}
