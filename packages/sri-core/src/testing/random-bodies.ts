import fc from 'fast-check';
import { FINAL_CONSUMER_ID, type idTypes } from '../catalogs/id-types.js';
import { paymentMethods } from '../catalogs/payment-methods.js';
import { termUnits } from '../catalogs/term-units.js';
import type { CreditNoteBody } from '../documents/credit-note/body.js';
import type { InvoiceBody } from '../documents/invoice/body.js';
import type { Issuer } from '../documents/issuer.js';
import { isWritableText, normalizeText } from '../documents/text.js';

// Above the arbitraries, which use them at module load.
const NASTY = [
  ...['&', '<', '>', '"', "'", '&amp;', '&#10;', '&undefined;', ']]>', '<![CDATA[', '<!--', '-->'],
  ...['<?xml version="1.0"?>', '</factura>', '<ds:Signature/>', '\r\n', '\n', '\t', '\r', ' ', '  ', '\u00a0'],
  ...['\u2028', '\u2029', '\ufeff', '\u202e', '\u200b', '\u200d', '👨‍👩‍👧‍👦', '🇪🇨', 'é', 'e\u0301'],
  ...['Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢', '漢字', 'العربية', 'Ñandú & Cía.', '\u{10ffff}', '\ufdd0', '$&', '$1'],
  ...['%s', '{max}', 'A'.repeat(40)],
];

/** Rates of IVA, by code. */
export const IVA_CODES = [
  { rateCode: '0', rate: '0' },
  { rateCode: '2', rate: '12' },
  { rateCode: '4', rate: '15.00' },
  { rateCode: '5', rate: '5.0' },
  { rateCode: '6', rate: '0.00' },
  { rateCode: '7', rate: '0' },
  { rateCode: '8', rate: '8' },
  { rateCode: '10', rate: '13' },
];

/** The issue date of random documents. */
export const RANDOM_TODAY = '2026-11-21';

/**
 * Text that documents must carry unchanged: markup, quotes, entities, line breaks, other scripts, emoji, stacked combining
 * marks, direction marks. At most `max` UTF-16 units after normalising, and never blank.
 */
export function nastyText(max: number): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...NASTY) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
    { weight: 1, arbitrary: fc.constantFrom('😀'.repeat(Math.floor(max / 2)), 'ñ'.repeat(max)) },
  );
  return fc
    .array(piece, { minLength: 1, maxLength: 5 })
    .map((pieces) => cut(pieces.join(''), max))
    .filter((text) => isWritableText(text) && normalizeText(text) !== '');
}

/** Random issuers with documents that the schemas accept. */
export const randomIssuer: fc.Arbitrary<Issuer> = fc.record(
  {
    ruc: digits(10).map((ten) => `${ten}001`),
    businessName: nastyText(300),
    tradeName: maybe(nastyText(300)),
    mainAddress: maybe(nastyText(300)),
    branchCode: digits(3),
    issuePointCode: digits(3),
    branchAddress: maybe(nastyText(300)),
    requiredAccounting: fc.boolean(),
    specialTaxpayer: maybe(fc.stringMatching(/^[A-Za-z0-9]{3,13}$/)),
    withholdingAgent: maybe(fc.integer({ min: 1, max: 99_999_999 }).map(String)),
    rimpe: fc.constantFrom(null, 'GENERAL', 'POPULAR'),
  },
  { requiredKeys: ['ruc', 'businessName', 'branchCode', 'issuePointCode', 'requiredAccounting'] },
);

/** Random environments and numbers of documents. */
export const randomNumbering = fc.record({
  environment: fc.constantFrom('sandbox' as const, 'production' as const),
  sequential: fc.integer({ min: 1, max: 999_999_999 }),
  numericCode: digits(8),
});

/** Random bodies of invoices, with optional parts in any combination and without computable sums. */
export const randomInvoice: fc.Arbitrary<InvoiceBody> = fc.record(
  {
    documentType: fc.constant('01' as const),
    issueDate: fc.constantFrom('21/11/2026', null),
    buyer: randomParty(['04', '05', '06', '07', '08']),
    guiaRemision: documentNumber(),
    items: randomItems(randomTaxes()),
    tip: fc.constantFrom('0', '0.00', '1.5', '12.34'),
    payments: randomPayments(),
    additionalInfo: additionalInfo(15),
  },
  { requiredKeys: ['documentType', 'buyer', 'items', 'payments'] },
);

/** Random bodies of credit notes, without computable sums. */
export const randomCreditNote: fc.Arbitrary<CreditNoteBody> = fc.record(
  {
    documentType: fc.constant('04' as const),
    issueDate: fc.constantFrom('21/11/2026', null),
    buyer: randomParty(['04', '05', '06', '08']),
    originalDocument: originalDocument(),
    motivo: nastyText(300),
    items: randomItems(randomTaxes()),
    additionalInfo: additionalInfo(15),
  },
  { requiredKeys: ['documentType', 'buyer', 'originalDocument', 'motivo', 'items'] },
);

/** Texts of that many digits. */
export function digits(count: number): fc.Arbitrary<string> {
  return fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count }).map((some) => some.join(''));
}

/** Document numbers: `001-002-000000123`. */
export function documentNumber(): fc.Arbitrary<string> {
  return fc.tuple(digits(3), digits(3), digits(9)).map((parts) => parts.join('-'));
}

/** Documents that notes modify. */
export function originalDocument() {
  return fc.record({
    documentType: fc.constantFrom('01' as const, '05' as const),
    number: documentNumber(),
    issueDate: fc.constantFrom('20/11/2026', '01/02/2024', '29/02/2016', '01/01/2000'),
  });
}

/** The value, or null. */
export function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { nil: null });
}

/** A decimal text, sometimes without decimals, with all of them, or with trailing zeros. */
export function decimal(max: number, decimals: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min: 0, max }), fc.stringMatching(new RegExp(`^[0-9]{0,${decimals}}$`)))
    .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`));
}

/** Pairs for the foot, or null. */
export function additionalInfo(max: number) {
  return maybe(nameValues(max));
}

/** Random parties of those identification types. */
export function randomParty<Type extends (typeof idTypes)[number]['code']>(types: readonly Type[]) {
  return fc.constantFrom(...types).chain((idType) =>
    fc.record({
      idType: fc.constant(idType),
      id: idType === '07' ? fc.constant(FINAL_CONSUMER_ID) : fc.oneof(digits(10), digits(13), nastyText(20)),
      name: nastyText(300),
      email: fc.constantFrom('a@b.ec', "o'brien+tag@sub.example.com.ec", 'x_y.z-1@example.org'),
      address: maybe(fc.oneof(nastyText(300), fc.constantFrom('', ' '))),
    }),
  );
}

/** One to six random lines with such taxes. */
export function randomItems<Taxes>(taxes: fc.Arbitrary<Taxes>) {
  return fc.array(randomItem(taxes), { minLength: 1, maxLength: 6 });
}

/** A payment without a total, or two to five payments with a total. */
export function randomPayments() {
  return fc.oneof(
    fc.array(randomPayment(false), { minLength: 1, maxLength: 1 }),
    fc.array(randomPayment(true), { minLength: 2, maxLength: 5 }),
  );
}

/** Pairs of nasty texts. */
export function nameValues(max: number) {
  return fc.array(fc.record({ name: nastyText(300), value: nastyText(300) }), { maxLength: max });
}

// --- internal ---

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  // Drops half of a cut surrogate pair.
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}

function randomTaxes() {
  const iva = fc.constantFrom(...IVA_CODES).map((rate) => ({ code: '2' as const, ...rate }));
  const ice = fc
    .record({
      rateCode: fc.constantFrom('3101', '3610', '3630'),
      rate: fc.constantFrom('10', '20.00', '37.55', '300', '150.5'),
    })
    .map((rate) => ({ code: '3' as const, ...rate }));
  const iceByUnit = fc
    .record({
      rateCode: fc.constantFrom('3053', '3680'),
      rate: fc.constantFrom('0.18', '0.08'),
      taxableBase: decimal(5_000, 2),
    })
    .map((rate) => ({ code: '3' as const, ...rate }));
  const irbpnr = fc.constant({ code: '5' as const, rateCode: '5001', rate: '0.02' });
  return fc
    .tuple(iva, fc.option(fc.oneof(ice, iceByUnit)), fc.option(irbpnr), fc.boolean())
    .map(([first, second, third, reverse]) => {
      const taxes = [first, second, third].filter((tax) => tax !== null);
      return reverse ? taxes.toReversed() : taxes;
    });
}

function randomItem<Taxes>(taxes: fc.Arbitrary<Taxes>) {
  return fc
    .record(
      {
        mainCode: nastyText(25),
        auxiliaryCode: maybe(nastyText(25)),
        description: nastyText(300),
        quantity: fc.oneof(decimal(9, 6), decimal(5_000, 6), fc.constantFrom('1', '0', '000001.000000')),
        unitPrice: fc.oneof(decimal(99, 6), decimal(50_000, 2)),
        discountPercent: fc.integer({ min: 0, max: 100 }),
        additionalDetails: maybe(nameValues(3)),
        taxes,
      },
      { requiredKeys: ['mainCode', 'description', 'quantity', 'unitPrice', 'discountPercent', 'taxes'] },
    )
    .map(({ discountPercent, ...item }) => {
      const cents = Math.floor(Number(item.quantity) * Number(item.unitPrice) * discountPercent * 0.999);
      return discountPercent === 0 ? item : { ...item, discount: (Math.max(0, cents) / 100).toFixed(2) };
    });
}

function randomPayment(withTotal: boolean) {
  return fc.record(
    {
      method: fc.constantFrom(...paymentMethods.map((method) => method.code)),
      total: decimal(99_999, 2),
      term: fc.constantFrom(0, 1, 30, 0.5, 12.25, 999_999_999_999),
      termUnit: fc.constantFrom(...termUnits.map((unit) => unit.code)),
    },
    { requiredKeys: withTotal ? ['method', 'total'] : ['method'] },
  );
}
