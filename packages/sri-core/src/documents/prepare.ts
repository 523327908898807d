import { Type } from '@sinclair/typebox';
import { inspectCommonParts } from './common-parts.js';
import type { PrepareContext } from './context.js';
import { prepareCreditNote } from './credit-note.js';
import { additionalInfo, buyerSchema, issueDate, itemsWithOptionalSums, itemsWithSums } from './document.js';
import { codeField } from './field.js';
import { createFindings, type Findings } from './findings.js';
import { prepareInvoice } from './invoice.js';
import { checkCertificateRuc, checkIssuer } from './issuer-check.js';
import type { PreparedDocument } from './prepared-document.js';
import { createShape } from './shape.js';

/**
 * Checks a creation body and works out every sum: all that a document needs but its number.
 *
 * @param body anything at all; unknown fields are ignored. Its `documentType` says which body it is.
 * @throws ValidationError naming everything that is wrong with the body and the issuer, at most 50 things. Nothing
 * else is thrown, whatever `body` is.
 */
export function prepareDocument(body: unknown, context: PrepareContext): PreparedDocument {
  const findings = createFindings({ language: context.language ?? 'es', strict: context.strict ?? false });
  if (checkIssuer(context.issuer, findings)) checkCertificateRuc(context, findings);
  const head = HEAD.copy(body);
  if (!HEAD.fits(head)) return refuse(body, context, findings);
  return head.documentType === '04'
    ? prepareCreditNote(body, context, findings)
    : prepareInvoice(body, context, findings);
}

// --- internal ---

const documentType = codeField({
  codes: [{ code: '01' }, { code: '04' }],
  description: 'The document to create.',
  example: '01',
});
const HEAD = createShape(Type.Object({ documentType }));
const shared = { documentType, issueDate, buyer: buyerSchema };
const SHARED = createShape(Type.Object({ ...shared, items: itemsWithOptionalSums, additionalInfo }));
const SHARED_WITH_SUMS = createShape(Type.Object({ ...shared, items: itemsWithSums, additionalInfo }));

/** Without a type no body is whole; what every body has is judged all the same. */
function refuse(body: unknown, context: PrepareContext, findings: Findings): never {
  const shape = context.requireAmounts ? SHARED_WITH_SUMS : SHARED;
  const copy = shape.copy(body);
  for (const { field, fault } of shape.faults(copy)) findings.fail(field, fault.rule, fault.params);
  inspectCommonParts(copy, context, findings);
  return findings.refuse();
}
