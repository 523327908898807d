import type { SignerFacts, VerificationReport } from '../../signing/verification.js';
import { readSubmissionText } from '../../sri/rules/submission.js';
import { childText } from '../../xml/reader.js';
import { findInCertificate } from './certificate-findings.js';
import { type FiledAuthorization, readComprobanteFile } from './comprobante-file.js';
import { findInContent } from './content-findings.js';
import { type Finding, object, pass } from './finding.js';
import { findInSignature } from './signature-findings.js';
import { fromMessage } from './sri-message.js';

/** What a file was found to be, and whether the SRI would refuse it. */
export interface Diagnosis {
  readonly refused: boolean;
  /** Name of the root element; null where there is none. */
  readonly document: string | null;
  readonly accessKey: string | null;
  readonly signer: SignerFacts | null;
  /** What the SRI said, where the file holds its answer. */
  readonly authorization: FiledAuthorization | null;
  readonly findings: readonly Finding[];
}

/** A day on which a file may have been sent, from its first to its last moment. */
export interface JudgedDay {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Looks at a comprobante as the SRI would, all of it instead of up to the first fault: file, structure, access key,
 * signature, certificate, sums, date. Known to the SRI alone, and not looked at: whether the certificate was revoked, its
 * chain, whether the RUC may issue, and whether the number was used.
 *
 * @param bytes the comprobante, or the `<autorizacion>` it came back in.
 * @param day when it would be sent; null for the moment it was signed, as far as that has come.
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
    // Where it is not XML at all, the signature says the same thing in better words.
    const isXml = submission.identifier !== '35';
    return conclude({ authorization, findings: [...file.findings, ...(isXml ? [unreadable] : []), ...ofSignature] });
  }
  const ruc = childText(submission.infoTributaria, 'ruc');
  const findings = [
    ...file.findings,
    ...(authorization ? authorizationFindings(authorization) : []),
    ...findInContent(submission, day?.to ?? signedBy(report, now), authorization !== null),
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

/** A SigningTime that lies ahead is a fault of its own, and no moment at which anything was sent. */
function signedBy({ signingTime }: VerificationReport, now: Date): Date {
  return signingTime && signingTime < now ? signingTime : now;
}

function conclude(found: Partial<Diagnosis> & { readonly findings: readonly Finding[] }): Diagnosis {
  const refused = found.findings.some(({ verdict }) => verdict === 'fail');
  return { document: null, accessKey: null, signer: null, authorization: null, ...found, refused };
}

function authorizationFindings({ estado, number, date, messages }: FiledAuthorization): readonly Finding[] {
  const facts = [estado, number, date].filter(Boolean).join(', ');
  const verdict = estado === 'AUTORIZADO' ? 'warn' : 'fail';
  const answer = pass('file', {
    es: `El archivo es la respuesta del SRI (${facts}); se revisa el comprobante que contiene.`,
    en: `The file is the SRI's answer (${facts}); what it holds is looked at.`,
  });
  return [answer, ...messages.map((message) => fromMessage('file', message, verdict))];
}
