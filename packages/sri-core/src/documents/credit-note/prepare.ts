import type { Static } from '@sinclair/typebox';
import { formatMoney } from '../../money.js';
import type { PrepareContext } from '../context.js';
import type { Computed, PreparedBase } from '../document-type.js';
import type { Findings } from '../findings.js';
import { inspectCommonParts, prepareCommonParts } from '../parts/common-parts.js';
import { prepareRefund } from '../parts/iva-refund.js';
import { prepareOriginal } from '../parts/modified-document.js';
import type { OriginalDocument, PreparedSale } from '../parts/prepared.js';
import { checkTaxGroups } from '../parts/tax-groups.js';
import { checkSums, sumDocument } from '../parts/totals.js';
import { normalizeText } from '../text.js';
import type { creditNoteSchema } from './body.js';

/** A validated credit note (nota de crédito). */
export interface PreparedCreditNote extends PreparedBase, PreparedSale {
  readonly documentType: '04';
  readonly originalDocument: OriginalDocument;
  readonly motivo: string;
}

/** Validates the well-formed parts of the body of a credit note whose shape is wrong. */
export function inspectCreditNote(copy: unknown, context: PrepareContext, findings: Findings): void {
  inspectCommonParts(copy, context, findings);
}

/** Validates the body of a credit note and computes its sums. */
export function prepareCreditNote(
  copy: Body,
  context: PrepareContext,
  findings: Findings,
): Computed<PreparedCreditNote> {
  const originalDocument = prepareOriginal(copy.originalDocument);
  const parts = prepareCommonParts(copy, context, findings, originalDocument.issueDate);
  findings.throwIfBlocked();

  const sums = sumDocument(parts.items, 0n);
  checkSums(sums, 'items', findings);
  const { refund, taxTotals } = prepareRefund(copy.ivaRefund, parts.buyer, sums.taxTotals, findings);
  checkTaxGroups(parts.items, taxTotals, findings);

  return {
    ...parts,
    originalDocument,
    motivo: normalizeText(copy.motivo),
    subtotal: sums.subtotal,
    discount: sums.discount,
    taxTotals,
    total: formatMoney(sums.total - refund),
  };
}

// --- internal ---

type Body = Static<typeof creditNoteSchema>;
