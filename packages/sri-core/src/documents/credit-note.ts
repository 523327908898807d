import { type TSchema, Type } from '@sinclair/typebox';
import { toIsoDate, toIssueDate } from '../calendar.js';
import { formatDecimal, MONEY_SCALE } from '../money.js';
import { checkUnknownFields, inspectCommonParts, prepareCommonParts } from './common-parts.js';
import type { PrepareContext } from './context.js';
import {
  additionalInfo,
  buyerSchema,
  documentTypeField,
  issueDate,
  itemsWithOptionalSums,
  itemsWithSums,
  originalDocumentSchema,
} from './document.js';
import { textField } from './field.js';
import type { Findings } from './findings.js';
import type { PreparedCreditNote } from './prepared-document.js';
import { createShape } from './shape.js';
import { checkTaxGroups } from './tax-groups.js';
import { normalizeText } from './text.js';
import { isWritable, MAX_AMOUNT, sumDocument } from './totals.js';

/** Creation body of a credit note; sums that follow from other fields may be left out. */
export const creditNoteSchema = createCreditNoteSchema(itemsWithOptionalSums);

/** Creation body of a credit note as the HTTP contract has it: every sum is there. */
export const creditNoteWithSumsSchema = createCreditNoteSchema(itemsWithSums);

/**
 * Checks the body of a credit note and works out its sums.
 *
 * @param body anything at all.
 * @throws ValidationError with everything that is wrong.
 */
export function prepareCreditNote(body: unknown, context: PrepareContext, findings: Findings): PreparedCreditNote {
  const shape = context.requireAmounts ? SHAPE_WITH_SUMS : SHAPE;
  const copy = shape.copy(body);
  if (TO_FINAL_CONSUMER.fits(copy)) findings.fail('buyer.idType', 'finalConsumer');
  if (!shape.fits(copy)) {
    for (const { field, fault } of shape.faults(copy)) findings.fail(field, fault.rule, fault.params);
    inspectCommonParts(copy, context, findings);
    checkUnknownFields(shape, body, findings);
    return findings.refuse();
  }
  const { originalDocument } = copy;
  const original = {
    documentType: originalDocument.documentType,
    number: originalDocument.number,
    issueDate: toIsoDate(originalDocument.issueDate) ?? '',
  };
  const parts = prepareCommonParts(copy, context, findings, original.issueDate);
  if (original.issueDate > parts.issueDate) {
    findings.fail('originalDocument.issueDate', 'notLater', { date: toIssueDate(parts.issueDate) });
  }
  findings.throwIfBlocked();

  const sums = sumDocument(parts.items, 0n);
  if (!isWritable(sums)) findings.fail('items', 'maxAmount', { max: formatDecimal(MAX_AMOUNT, MONEY_SCALE) });
  checkTaxGroups(parts.items, sums.taxTotals, findings);
  checkUnknownFields(shape, body, findings);
  findings.throwIfFailed();

  return {
    documentType: '04',
    ...parts,
    original,
    motivo: normalizeText(copy.motivo),
    subtotal: sums.subtotal,
    discount: sums.discount,
    taxTotals: sums.taxTotals,
    total: formatDecimal(sums.total, MONEY_SCALE),
    warnings: findings.warnings,
  };
}

// --- internal ---

const SHAPE = createShape(creditNoteSchema);
const SHAPE_WITH_SUMS = createShape(creditNoteWithSumsSchema);
/** The SRI refuses a credit note to an unnamed consumer. */
const TO_FINAL_CONSUMER = createShape(Type.Object({ buyer: Type.Object({ idType: Type.Literal('07') }) }));

function createCreditNoteSchema<Items extends TSchema>(items: Items) {
  return Type.Object(
    {
      documentType: documentTypeField('04', 'Credit note (nota de crédito).'),
      issueDate,
      buyer: buyerSchema,
      originalDocument: originalDocumentSchema,
      motivo: textField({ max: 300, description: 'Why the original is credited.', example: 'Devolución' }),
      items,
      additionalInfo,
    },
    { description: 'A credit note to create.' },
  );
}
