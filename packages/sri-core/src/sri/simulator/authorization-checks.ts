import { parseAccessKey } from '../../access-key.js';
import { documentTypes } from '../../catalogs/document-types.js';
import { fromAmbiente } from '../../environment.js';
import { checkCedula, checkRuc } from '../../identification.js';
import type { SriMessage } from '../../storage.js';
import { childText } from '../../xml/reader.js';
import { findDifferences, findGroupDifferences } from './arithmetic.js';
import type { Submission } from './submission.js';
import { sriMessage } from './wire.js';

/** What the authorization checks need to know from outside the document. */
export interface AuthorizationContext {
  /** When the SRI took the document. */
  readonly now: Date;
  readonly checkSignature: boolean;
  /** Whether an invoice with that number was taken from the issuer of the key. */
  readonly knowsInvoice: (accessKey: string, number: string) => boolean;
}

/** What authorization decides: refused when one message is an error. */
export interface Verdict {
  readonly authorized: boolean;
  readonly messages: readonly SriMessage[];
}

/**
 * Judges a received document. The SRI stops at the first class of checks that fails: signature, key against content,
 * receiver and sustaining document, sums. Warnings are given only with an authorization.
 *
 * @see Ficha técnica off-line v2.34, §11.
 */
export async function judge(submission: Submission, context: AuthorizationContext): Promise<Verdict> {
  const error =
    (context.checkSignature ? await checkSignature(submission, context.now) : null) ??
    checkKey(submission) ??
    checkReceiver(submission) ??
    checkSums(submission);
  if (error) return { authorized: false, messages: [error] };
  return { authorized: true, messages: warnings(submission, context) };
}

/** The elements of a document, by their names, that its access key says otherwise. The key must be one. */
export function findKeyDifferences({ accessKey, infoTributaria, info }: Submission): readonly string[] {
  const key = parseAccessKey(accessKey);
  const text = (name: string) => childText(infoTributaria, name);
  return [
    ['fechaEmision', childText(info, 'fechaEmision') === key.issueDate],
    ['codDoc', text('codDoc') === key.documentType],
    ['ruc', text('ruc') === key.ruc],
    ['ambiente', fromAmbiente(text('ambiente') ?? '') === key.environment],
    ['estab', text('estab') === key.branchCode],
    ['ptoEmi', text('ptoEmi') === key.issuePointCode],
    ['secuencial', Number(text('secuencial')) === key.sequential],
    ['tipoEmision', text('tipoEmision') === accessKey[47]],
  ].flatMap(([name, same]) => (same ? [] : [String(name)]));
}

// --- internal ---

async function checkSignature(submission: Submission, now: Date): Promise<SriMessage | null> {
  const { verifyXml } = await import('../../signing/verify.js');
  const report = await verifyXml(submission.xml, { now });
  const failed = report.checks.find((check) => !check.ok);
  if (!report.valid)
    return sriMessage('39', `La firma es invalida [${failed?.advice?.es ?? 'no se encontró la firma'}]`);
  const ruc = report.signer?.ruc ?? null;
  // Not every certificate's RUC can be read; only one that is another's is known to be wrong.
  const foreign = ruc !== null && ruc !== childText(submission.infoTributaria, 'ruc');
  return foreign ? sriMessage('39', 'No existe el RUC en el certificado') : null;
}

function checkKey(submission: Submission): SriMessage | null {
  const differing = findKeyDifferences(submission);
  if (differing.length === 0) return null;
  return sriMessage('58', `La clave de acceso difiere del comprobante en: ${differing.join(', ')}`);
}

function checkReceiver({ info, documentType }: Submission): SriMessage | null {
  if (documentType !== '04') return null;
  if (childText(info, 'tipoIdentificacionComprador') === '07') {
    return sriMessage('69', 'Una nota de crédito no puede emitirse a consumidor final.');
  }
  const modified = childText(info, 'codDocModificado');
  return documentTypes.some(({ code }) => code === modified) ? null : sriMessage('64', `codDocModificado: ${modified}`);
}

function checkSums(submission: Submission): SriMessage | null {
  const differences = findDifferences(submission);
  if (differences.length === 0) return null;
  const document = submission.documentType === '01' ? 'Factura' : 'Nota de Crédito';
  const list = differences.map((difference) => `\n\t${difference}`).join('');
  return sriMessage('52', `\n\n--- Inventario de errores ---\n\n- ${document}:${list}`);
}

function warnings(submission: Submission, context: AuthorizationContext): SriMessage[] {
  const { accessKey, info, documentType } = submission;
  const key = parseAccessKey(accessKey);
  const found: SriMessage[] = [];
  const id = childText(info, 'identificacionComprador') ?? '';
  const idType = childText(info, 'tipoIdentificacionComprador');
  const wrong = (idType === '05' && checkCedula(id) === 'wrong') || (idType === '04' && checkRuc(id) === 'wrong');
  if (wrong) found.push(sriMessage('62'));
  const modified = childText(info, 'numDocModificado') ?? '';
  if (documentType === '04' && !context.knowsInvoice(accessKey, modified)) found.push(sriMessage('68', modified));
  // Whether the SRI lets it pass is not known: it is not refused here, and is said.
  for (const difference of findGroupDifferences(submission)) {
    found.push({ ...sriMessage('52', difference), type: 'ADVERTENCIA' });
  }
  if (key.environment === 'sandbox') found.push(TEST_ENVIRONMENT);
  return found;
}

/** Every authorization of the test environment carries it, in these words. */
const TEST_ENVIRONMENT: SriMessage = {
  ...sriMessage('60'),
  message: 'ESTE PROCESO FUE REALIZADO EN EL AMBIENTE DE PRUEBAS',
};
