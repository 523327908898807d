import { readdirSync, readFileSync } from 'node:fs';
import type { Static } from '@sinclair/typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { CreditNoteBody, creditNoteSchema } from './credit-note/body.js';
import type { DebitNoteBody, debitNoteSchema } from './debit-note/body.js';
import type { DeliveryGuideBody, deliveryGuideSchema } from './delivery-guide/body.js';
import type { InvoiceBody, invoiceSchema } from './invoice/body.js';
import type { PurchaseSettlementBody, purchaseSettlementSchema } from './purchase-settlement/body.js';
import { DOCUMENT_TYPES, type DocumentBody, documentTypeOf } from './registry.js';
import type { WithholdingBody, withholdingSchema } from './withholding/body.js';

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** The sources of the types and their parts. */
function sources(): readonly string[] {
  const here = new URL('./', import.meta.url);
  return readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('/') && file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, here), 'utf8'));
}

describe('the interfaces of the bodies', () => {
  it('the interfaces of the bodies match the types of the schemas, field by field', () => {
    expectTypeOf<InvoiceBody>().toEqualTypeOf<DeepReadonly<Static<typeof invoiceSchema>>>();
    expectTypeOf<PurchaseSettlementBody>().toEqualTypeOf<DeepReadonly<Static<typeof purchaseSettlementSchema>>>();
    expectTypeOf<CreditNoteBody>().toEqualTypeOf<DeepReadonly<Static<typeof creditNoteSchema>>>();
    expectTypeOf<DebitNoteBody>().toEqualTypeOf<DeepReadonly<Static<typeof debitNoteSchema>>>();
    expectTypeOf<DeliveryGuideBody>().toEqualTypeOf<DeepReadonly<Static<typeof deliveryGuideSchema>>>();
    expectTypeOf<WithholdingBody>().toEqualTypeOf<DeepReadonly<Static<typeof withholdingSchema>>>();
    expectTypeOf<DocumentBody>().toEqualTypeOf<
      InvoiceBody | PurchaseSettlementBody | CreditNoteBody | DebitNoteBody | DeliveryGuideBody | WithholdingBody
    >();
  });

  it('the interfaces of the bodies describe every field', () => {
    const interfaces = sources().flatMap((source) => source.match(/^export interface \w+Body\b.*?^}/gms) ?? []);
    expect(interfaces.length).toBeGreaterThan(20);
    const fields = [...interfaces.join('\n').matchAll(/(.*)\n +readonly (\w+)\??: /g)];
    expect(fields.length).toBeGreaterThan(100);
    const reported = fields.filter(([, before = '']) => /\*\/$/.test(before)).map(([, , name]) => name);
    expect(reported).toEqual(fields.map(([, , name]) => name));
    const schemas = DOCUMENT_TYPES.map((code) => documentTypeOf(code).body.optionalSums);
    const named = new Set(JSON.stringify(schemas).match(/"(\w+)":\{/g) ?? []);
    for (const name of reported) expect(named).toContain(`"${name}":{`);
  });
});
