import { type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import { countries } from '../../catalogs/countries.js';
import { documentTypes } from '../../catalogs/document-types.js';
import { supportDocumentTypes } from '../../catalogs/support-document-types.js';
import { taxTypes } from '../../catalogs/tax-types.js';
import {
  codeField,
  dateField,
  decimalField,
  optional,
  optionalPart,
  patternField,
  rateField,
  textField,
} from '../field.js';
import { MAX_ADDITIONAL_INFO } from './additional-info.js';
import { partyEmail, partySchema } from './party.js';

/** Form of the document number that people read, `001-002-000000123`. */
export const DOCUMENT_NUMBER = {
  pattern: '^[0-9]{3}-[0-9]{3}-[0-9]{9}$',
  form: 'NNN-NNN-NNNNNNNNN',
  example: '001-001-000000123',
} as const;

/** The day of issue, today in Ecuador. */
export const issueDate = optional(
  dateField({
    description: 'Issue date, DD/MM/YYYY. It must be today in Ecuador, which is the default.',
    example: '21/11/2026',
  }),
);

/** A country, by its code. */
export function countryField(description: string, example: string) {
  return codeField({
    catalog: 'countries',
    codes: countries,
    description: `${description}, as in the catalog countries.`,
    example,
  });
}

/** The buyer. */
export const buyerSchema = partySchema({
  description: 'The buyer.',
  address: 'Address; not written into credit notes.',
  email: partyEmail,
});

/** A pair that is written unchanged. */
export function nameValueSchema(description: string) {
  return Type.Object(
    {
      name: textField({ max: 300, description: 'Name.', example: 'Vendedor' }),
      value: textField({ max: 300, description: 'Value.', example: 'J. Pérez' }),
    },
    { description },
  );
}

/** Pairs for the foot of the document. */
export const additionalInfo = optionalPart(
  Type.Array(nameValueSchema('A field of infoAdicional.'), {
    maxItems: MAX_ADDITIONAL_INFO,
    description: 'Up to 15 pairs, written as campoAdicional.',
  }),
);

const money = (description: string, example: string) => decimalField({ decimals: 2, description, example });

/** The two codes of a tax. */
const TAX_CODES = {
  code: codeField({ catalog: 'tax-types', codes: taxTypes, description: 'Tax: 2 IVA, 3 ICE, 5 IRBPNR.', example: '2' }),
  rateCode: patternField({
    pattern: '^[0-9]{1,4}$',
    form: 'N … NNNN',
    description: 'Rate code of the tax, as in the catalog tax-rates.',
    example: '4',
  }),
};

/** [tarifa] */
export const TAX_RATE = rateField({ description: 'Percentage; for taxes by unit, dollars a unit.', example: '15.00' });

/** The tax of a line. */
function taxSchema<Base extends TSchema, Amount extends TSchema>(taxableBase: Base, taxAmount: Amount) {
  return Type.Object({ ...TAX_CODES, rate: TAX_RATE, taxableBase, taxAmount }, { description: 'A tax of the line.' });
}

function taxesSchema<Tax extends TSchema>(tax: Tax) {
  return Type.Array(tax, { minItems: 1, maxItems: 10, description: 'Taxes of the line.' });
}

/** [unidadMedida, precioSinSubsidio] The additional fields of the lines of some types. */
export const MEASURES = {
  unitOfMeasure: optional(textField({ max: 50, description: 'Unit of measure.', example: 'kg' })),
  unsubsidizedPrice: optional(
    decimalField({
      decimals: 6,
      description: 'Price of one without the subsidy of the State; not below unitPrice, which has it.',
      example: '9.00',
    }),
  ),
};

/** The lines of a document. @param taxes of a line. @param more further fields of a line. */
export function itemsSchema<Taxes extends TSchema, More extends Record<string, TSchema> = Record<never, TSchema>>(
  taxes: Taxes,
  more?: More,
) {
  return Type.Array(
    Type.Object(
      {
        mainCode: textField({ max: 25, description: "The seller's code of the product.", example: 'CAF-500' }),
        auxiliaryCode: optional(textField({ max: 25, description: 'A second code.', example: '7861234567890' })),
        auxCode: optional(
          textField({
            max: 25,
            description: 'Another name of auxiliaryCode, which goes first.',
            example: '7861234567890',
          }),
        ),
        description: textField({ max: 300, description: 'What is sold.', example: 'Café de Loja 500 g' }),
        quantity: decimalField({ decimals: 6, description: 'Quantity.', example: '2.00' }),
        unitPrice: decimalField({
          decimals: 6,
          description: 'Price of one, before taxes and discount.',
          example: '7.50',
        }),
        discount: optional(money('Discount on the line; 0.00 by default.', '0.50')),
        total: optional(
          money(
            'What the line comes to before taxes, for what is sold for an amount, such as fuel. Default: quantity × unitPrice − discount, from which it may be a cent away.',
            '14.50',
          ),
        ),
        additionalDetails: optionalPart(
          Type.Array(nameValueSchema('A detail of the line.'), {
            maxItems: 3,
            description: 'Up to 3 pairs, written as detAdicional.',
          }),
        ),
        taxes,
        ...((more ?? {}) as More),
      },
      { description: 'A line.' },
    ),
    { minItems: 1, maxItems: 1000, description: 'Lines, in the order they are printed.' },
  );
}

const TAXABLE_BASE = money('Amount the tax applies to; the base of IVA includes ICE.', '14.50');
const TAX_AMOUNT = money('The tax: base × rate, rounded half up.', '2.18');

/** Taxes with optional sums. */
export const taxesWithOptionalSums = taxesSchema(taxSchema(optional(TAXABLE_BASE), optional(TAX_AMOUNT)));
/** Taxes with required sums. */
export const taxesWithSums = taxesSchema(taxSchema(TAXABLE_BASE, TAX_AMOUNT));
/** Lines with optional sums. */
export const itemsWithOptionalSums = itemsSchema(taxesWithOptionalSums);
/** Lines with required sums. */
export const itemsWithSums = itemsSchema(taxesWithSums);

/** The fields of a tax with a given base, apart from any line. @param rate required, or optional where the table has it. */
export function flatTaxSchema<Rate extends TSchema>(rate: Rate, description: string) {
  return Type.Object(
    { ...TAX_CODES, rate, taxableBase: money('Amount the tax applies to.', '100.00'), taxAmount: optional(TAX_AMOUNT) },
    { description },
  );
}

/** The type of another electronic document. */
export const documentTypeCode = codeField({
  catalog: 'document-types',
  codes: documentTypes,
  description: 'Type of the document, 01 for an invoice.',
  example: '01',
});

/** The type of another document, electronic or not. */
export const supportTypeCode = codeField({
  catalog: 'support-document-types',
  codes: supportDocumentTypes,
  description: 'Type of the document, as in the catalog support-document-types.',
  example: '01',
});

/** The authorization of another document. */
export function authorizationField(description: string, example: string) {
  return patternField({ pattern: '^[0-9]{10,49}$', form: '10 … 49 N', description, example });
}

/** The document that a note modifies. */
export const originalDocumentSchema = Type.Object(
  {
    documentType: documentTypeCode,
    number: patternField({ ...DOCUMENT_NUMBER, description: 'Its number.' }),
    issueDate: dateField({ description: 'The day it was issued, DD/MM/YYYY.', example: '02/11/2026' }),
  },
  { description: 'The document being modified.' },
);

/** The constant with the name of a body's shape. */
export function documentTypeField<const Code extends string>(code: Code, description: string): TUnsafe<Code> {
  return codeField({ codes: [{ code }], description, example: code });
}
