import { describe, expect, it } from 'vitest';
import { creditNoteSchema, creditNoteWithSumsSchema } from './credit-note/body.js';
import { invoiceSchema, invoiceWithSumsSchema } from './invoice/body.js';
import { issuerSchema } from './issuer-check.js';
import { DOCUMENT_TYPES, documentTypeOf } from './registry.js';

/** The JSON of a schema, as an OpenAPI document shows it. */
const json = (schema: object) => JSON.parse(JSON.stringify(schema));

function* leaves(schema: Record<string, unknown>, path = ''): Generator<[string, Record<string, unknown>]> {
  const inner = Array.isArray(schema['anyOf']) ? schema['anyOf'][0] : schema;
  if (inner.type === 'object') {
    for (const [name, property] of Object.entries<Record<string, unknown>>(inner.properties)) {
      yield* leaves(property, `${path}.${name}`);
    }
  } else if (inner.type === 'array') yield* leaves(inner.items, `${path}[]`);
  else yield [path, inner];
}

describe.each([
  ...DOCUMENT_TYPES.flatMap((code) => {
    const { name, optionalSums, withSums } = documentTypeOf(code).body;
    return [
      { name, schema: optionalSums },
      { name: `${name} with sums`, schema: withSums },
    ];
  }),
  { name: 'issuer', schema: issuerSchema },
])('the schema of the $name', ({ schema }) => {
  it('the schema of a document describes each field, with a type and an example', () => {
    for (const [path, leaf] of leaves(json(schema))) {
      expect(leaf, path).toMatchObject({
        type: expect.anything(),
        description: expect.any(String),
        examples: [expect.anything()],
      });
    }
  });
});

describe('required fields', () => {
  const taxOf = (schema: object) => json(schema).properties.items.items.properties.taxes.items.required;

  it('the contract requires the sums, and the library does not', () => {
    expect(taxOf(invoiceWithSumsSchema)).toEqual(['code', 'rateCode', 'rate', 'taxableBase', 'taxAmount']);
    expect(taxOf(creditNoteWithSumsSchema)).toEqual(taxOf(invoiceWithSumsSchema));
    expect(taxOf(invoiceSchema)).toEqual(['code', 'rateCode', 'rate']);
    expect(json(invoiceWithSumsSchema).properties.payments.items.required).toEqual(['method', 'total']);
    expect(json(invoiceSchema).properties.payments.items.required).toEqual(['method']);
  });

  it('the schema requires these parts of an invoice and of a credit note', () => {
    expect(json(invoiceSchema).required).toEqual(['documentType', 'buyer', 'items', 'payments']);
    expect(json(creditNoteSchema).required).toEqual(['documentType', 'buyer', 'originalDocument', 'motivo', 'items']);
    expect(json(issuerSchema).required).toEqual([
      'ruc',
      'businessName',
      'branchCode',
      'issuePointCode',
      'requiredAccounting',
    ]);
  });
});

it('JSON Schema describes the fields’ checks: limits, patterns, codes, and null for «absent»', () => {
  const { properties } = json(invoiceSchema);
  expect(properties.buyer.properties.name).toMatchObject({ type: 'string', minLength: 1, maxLength: 300 });
  expect(properties.buyer.properties.idType.enum).toEqual(['04', '05', '06', '07', '08']);
  expect(properties.items.items.properties.quantity.pattern).toBe('^[0-9]{1,12}(\\.[0-9]{1,6})?$');
  expect(properties.payments.items.properties.termUnit).toMatchObject({
    type: ['string', 'null'],
    enum: ['dias', 'semanas', 'meses', 'anios', null],
  });
  expect(properties.items).toMatchObject({ minItems: 1, maxItems: 1000 });
});
