import { formatMoney } from '../../money.js';
import type { PrepareContext } from '../context.js';
import type { PreparedBase } from '../document-type.js';
import type { Findings } from '../findings.js';
import { checkUnknownFields, inspectCommonParts, prepareCommonParts } from '../parts/common-parts.js';
import { prepareRefund } from '../parts/iva-refund.js';
import { checkOriginalDate, prepareOriginal } from '../parts/modified-document.js';
import { refuseFinalConsumer } from '../parts/party.js';
import type { OriginalDocument, PreparedSale } from '../parts/prepared.js';
import { checkTaxGroups } from '../parts/tax-groups.js';
import { checkSums, sumDocument } from '../parts/totals.js';
import { createShape } from '../shape.js';
import { normalizeText } from '../text.js';
import { creditNoteSchema, creditNoteWithSumsSchema } from './body.js';

/** A validated credit note (nota de crédito). */
export interface PreparedCreditNote extends PreparedBase, PreparedSale {
  readonly documentType: '04';
  readonly originalDocument: OriginalDocument;
  readonly motivo: string;
}

/**
 * Validates the body of a credit note and computes its sums.
 *
 * @param body any value.
 * @throws ValidationError with every failure.
 */
export function prepareCreditNote(body: unknown, context: PrepareContext, findings: Findings): PreparedCreditNote {
  const shape = context.requireAmounts ? SHAPE_WITH_SUMS : SHAPE;
  const copy = shape.copy(body);
  refuseFinalConsumer(copy, findings);
  checkOriginalDate(copy, context, findings);
  if (!shape.fits(copy)) {
    for (const { field, fault } of shape.faults(copy)) findings.fail(field, fault.rule, fault.params);
    inspectCommonParts(copy, context, findings);
    checkUnknownFields(shape, body, findings);
    return findings.refuse();
  }
  const originalDocument = prepareOriginal(copy.originalDocument);
  const parts = prepareCommonParts(copy, context, findings, originalDocument.issueDate);
  findings.throwIfBlocked();

  const sums = sumDocument(parts.items, 0n);
  checkSums(sums, 'items', findings);
  const { refund, taxTotals } = prepareRefund(copy.ivaRefund, parts.buyer, sums.taxTotals, findings);
  checkTaxGroups(parts.items, taxTotals, findings);
  checkUnknownFields(shape, body, findings);
  findings.throwIfFailed();

  return {
    documentType: '04',
    ...parts,
    originalDocument,
    motivo: normalizeText(copy.motivo),
    subtotal: sums.subtotal,
    discount: sums.discount,
    taxTotals,
    total: formatMoney(sums.total - refund),
    warnings: findings.warnings,
  };
}

// --- internal ---

const SHAPE = createShape(creditNoteSchema);
const SHAPE_WITH_SUMS = createShape(creditNoteWithSumsSchema);
