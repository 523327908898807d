import { readFileSync } from 'node:fs';
import type { Static } from '@sinclair/typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { CreditNoteBody } from './credit-note/body.js';
import { creditNoteSchema } from './credit-note/body.js';
import type { DeliveryGuideBody } from './delivery-guide/body.js';
import { deliveryGuideSchema } from './delivery-guide/body.js';
import type { InvoiceBody } from './invoice/body.js';
import { invoiceSchema } from './invoice/body.js';

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

describe('the interfaces of the bodies', () => {
  it('match the types of the schemas, field by field', () => {
    expectTypeOf<InvoiceBody>().toEqualTypeOf<DeepReadonly<Static<typeof invoiceSchema>>>();
    expectTypeOf<CreditNoteBody>().toEqualTypeOf<DeepReadonly<Static<typeof creditNoteSchema>>>();
    expectTypeOf<DeliveryGuideBody>().toEqualTypeOf<DeepReadonly<Static<typeof deliveryGuideSchema>>>();
  });

  it('describe every field', () => {
    const files = [
      './parts/bodies.ts',
      './invoice/body.ts',
      './invoice/variant-bodies.ts',
      './credit-note/body.ts',
      './delivery-guide/body.ts',
    ];
    const sources = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'));
    const fields = [...sources.join('\n').matchAll(/(.*)\n {2}readonly (\w+)\??: /g)];
    expect(fields.length).toBeGreaterThan(30);
    const told = fields.filter(([, before = '']) => /\*\/$/.test(before)).map(([, , name]) => name);
    expect(told).toEqual(fields.map(([, , name]) => name));
    const named = new Set(
      JSON.stringify([invoiceSchema, creditNoteSchema, deliveryGuideSchema]).match(/"(\w+)":\{/g) ?? [],
    );
    for (const name of told) expect(named).toContain(`"${name}":{`);
  });
});
