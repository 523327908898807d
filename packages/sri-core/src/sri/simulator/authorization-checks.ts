import { parseAccessKey } from '../../access-key.js';
import type { SriCheckContext } from '../../documents/document-type.js';
import type { SriMessage } from '../../storage.js';
import { childText } from '../../xml/reader.js';
import { findRefusal, findWarnings } from '../rules/content.js';
import { findKeyDifferences } from '../rules/key.js';
import { sriMessage } from '../rules/sri-message.js';
import type { Submission } from '../rules/submission.js';

/** Facts that the authorization checks need from outside the document. */
export interface AuthorizationContext {
  /** When the SRI received the document. */
  readonly now: Date;
  readonly checkSignature: boolean;
  /** Whether the SRI accepted a document of that type and number from the key's issuer. */
  readonly knows: (accessKey: string, documentType: string, number: string) => boolean;
}

/** Authorization's decision: a single error rejects the document. */
export interface AuthorizationVerdict {
  readonly authorized: boolean;
  readonly messages: readonly SriMessage[];
}

/**
 * Checks a received document. The SRI stops at the first class of checks that fails: signature, key against content,
 * receiver and sustaining document, sums. Warnings come only with an authorization.
 *
 * @see Ficha técnica off-line v2.34, §11.
 */
export async function judge(submission: Submission, context: AuthorizationContext): Promise<AuthorizationVerdict> {
  const { accessKey } = submission;
  const ofIssuer: SriCheckContext = { knows: (type, number) => context.knows(accessKey, type, number) };
  const error =
    (context.checkSignature ? await checkSignature(submission, context.now) : null) ??
    checkKey(submission) ??
    findRefusal(submission, ofIssuer);
  if (error) return { authorized: false, messages: [error] };
  const messages = [...findWarnings(submission, ofIssuer)];
  if (parseAccessKey(accessKey).environment === 'sandbox') messages.push(TEST_ENVIRONMENT);
  return { authorized: true, messages };
}

// --- internal ---

async function checkSignature(submission: Submission, now: Date): Promise<SriMessage | null> {
  const { verifyXml } = await import('../../signing/verify.js');
  const report = await verifyXml(submission.xml, { now });
  const failed = report.checks.find((check) => !check.ok);
  if (!report.valid)
    return sriMessage('39', `La firma es invalida [${failed?.advice?.es ?? 'no se encontró la firma'}]`);
  const ruc = report.signer?.ruc ?? null;
  // Not every certificate's RUC is readable. Only the RUC of another taxpayer is a certain fault.
  const foreign = ruc !== null && ruc !== childText(submission.infoTributaria, 'ruc');
  return foreign ? sriMessage('39', 'No existe el RUC en el certificado') : null;
}

function checkKey(submission: Submission): SriMessage | null {
  const differing = findKeyDifferences(submission);
  if (differing.length === 0) return null;
  return sriMessage('58', `La clave de acceso difiere del comprobante en: ${differing.join(', ')}`);
}

/** Every authorization of the test environment carries this text. */
const TEST_ENVIRONMENT: SriMessage = {
  ...sriMessage('60'),
  message: 'ESTE PROCESO FUE REALIZADO EN EL AMBIENTE DE PRUEBAS',
};
