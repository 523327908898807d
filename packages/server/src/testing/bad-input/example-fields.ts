import { DOCUMENT_TYPES, DOCUMENTS, type DocumentType, toIsoDate } from 'sri-core';
import { bodyOf } from '../type-bodies.js';
import { SENT_VALUES, type SentValue } from './values.js';

/** A field of a registry example, with the values that it refuses in any body. */
export interface ExampleField {
  readonly type: DocumentType;
  /** The index of the type's example that has it. */
  readonly index: number;
  /** In the form of errors: `supportingDocuments[0].withholdings[0].rate`. */
  readonly field: string;
  readonly refused: readonly SentValue[];
}

/**
 * Every field of every example, once per type. The refused values follow from the form of the example: a text accepts
 * no number, a day only days, and so on.
 */
export function exampleFields(): readonly ExampleField[] {
  return DOCUMENT_TYPES.flatMap((type) => {
    const seen = new Set(['documentType']);
    return DOCUMENTS[type].examples.flatMap((_, index) =>
      leavesOf(bodyOf(type, { index })).flatMap(({ field, value }) => {
        const name = field.replace(/\[\d+\]/g, '[0]');
        if (seen.has(name)) return [];
        seen.add(name);
        return [{ type, index, field, refused: SENT_VALUES.filter((sent) => refuses(field, value, sent)) }];
      }),
    );
  });
}

// --- internal ---

const DECIMAL =
  /(^|\.)(quantity|unitPrice|discount|rate|taxableBase|taxAmount|amount|total|subtotal|tip|boxPrice|incomeTax|freight|insurance|customs|otherTransport|unsubsidizedPrice)$/;
const CODE = /(^|\.)(idType|kind|code|rateCode|method|location|supportCode|documentType|tax|regime)$/;
const NUMBER = /^\d{3}-\d{3}-\d{9}$/;

function refuses(field: string, value: unknown, { sort, value: sent }: SentValue): boolean {
  // An optional field may be left out, be null or be blank.
  if (sort === 'absent' || sort === 'blank' || sent === null) return false;
  if (typeof value === 'boolean') return typeof sent !== 'boolean';
  if (typeof value === 'number') return typeof sent !== 'number';
  // An optional list may be empty.
  if (Array.isArray(value)) return !(Array.isArray(sent) && sent.length === 0);
  // A part may have only fields with a default.
  if (typeof value === 'object') return typeof sent !== 'object' || Array.isArray(sent);
  if (sort !== 'text') return true;
  const text = String(sent);
  if (toIsoDate(String(value))) return !toIsoDate(text);
  if (NUMBER.test(String(value))) return !NUMBER.test(text);
  if (DECIMAL.test(field)) return !/^\d{1,12}(\.\d{1,6})?$/.test(text);
  // An unknown code of a withholding is only a warning.
  if (CODE.test(field) && !/withholdings\[\d+\]\.code$/.test(field)) return !/^[0-9A-Z]{1,6}$/.test(text);
  return text.length === 10_000;
}

/** Every field of a body, including nested ones. */
function leavesOf(value: unknown, prefix = ''): readonly { readonly field: string; readonly value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    const field = Array.isArray(value) ? `${prefix}[${key}]` : prefix === '' ? key : `${prefix}.${key}`;
    return [{ field, value: entry as unknown }, ...leavesOf(entry, field)];
  });
}
