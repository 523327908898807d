import fc from 'fast-check';
import { countries } from '../../catalogs/countries.js';
import { presumptiveWithholdings } from '../../catalogs/presumptive-withholdings.js';
import { supportDocumentTypes } from '../../catalogs/support-document-types.js';
import type { InvoiceBody } from '../../documents/invoice/body.js';
import { decimal, digits, documentNumber, IVA_CODES, maybe, nastyText, randomInvoice } from '../random-bodies.js';

const money = decimal(99_999, 2);
const country = fc.constantFrom(...countries.map(({ code }) => code));
const incoterm = fc.stringMatching(/^[A-Z]{1,10}$/);

const exportTerms = fc.record(
  {
    incoterm,
    incotermPlace: nastyText(300),
    originCountry: country,
    shippingPort: nastyText(300),
    destinationPort: nastyText(300),
    destinationCountry: country,
    purchaseCountry: maybe(country),
    subtotalIncoterm: incoterm,
    freight: maybe(money),
    insurance: maybe(money),
    customs: maybe(money),
    otherTransport: maybe(money),
  },
  {
    requiredKeys: [
      'incoterm',
      'incotermPlace',
      'originCountry',
      'shippingPort',
      'destinationPort',
      'destinationCountry',
      'subtotalIncoterm',
    ],
  },
);

const reimbursement = fc.record({
  supplier: fc.record({
    idType: fc.constantFrom('04' as const, '05' as const, '06' as const, '08' as const),
    id: fc.oneof(digits(13), nastyText(20)),
    kind: fc.constantFrom('01' as const, '02' as const),
    country: maybe(country),
  }),
  documentType: fc.constantFrom(...supportDocumentTypes.map(({ code }) => code)),
  number: documentNumber(),
  issueDate: fc.constantFrom('21/11/2026', '29/02/2024', '01/01/2000'),
  authorizationNumber: fc.constantFrom(10, 37, 49).chain(digits),
  taxes: fc.array(
    fc.record(
      {
        codes: fc.constantFrom(...IVA_CODES),
        taxableBase: money,
        taxAmount: maybe(money),
      },
      { requiredKeys: ['codes', 'taxableBase'] },
    ),
    { minLength: 1, maxLength: 3 },
  ),
});

const reimbursements = fc.array(reimbursement, { minLength: 1, maxLength: 4 }).map((list) =>
  list.map((entry) => ({
    ...entry,
    taxes: entry.taxes.map(({ codes, ...amounts }) => ({ code: '2' as const, ...codes, ...amounts })),
  })),
);

const thirdPartyCharges = fc.array(fc.record({ concept: nastyText(300), amount: money }), {
  minLength: 1,
  maxLength: 5,
});

const withholdings = fc.array(
  fc.record({
    code: fc.constant('4' as const),
    rateCode: fc.constantFrom(...presumptiveWithholdings.map(({ code }) => code)),
    rate: fc.constantFrom('1', '0.12', '100.00', '999.99', '0.2'),
    amount: money,
  }),
  { minLength: 1, maxLength: 3 },
);

const deliveryGuide = fc.record({
  departureAddress: nastyText(300),
  arrivalAddress: nastyText(300),
  startDate: fc.constantFrom('21/11/2026', '30/11/2026'),
  endDate: fc.constantFrom('30/11/2026', '01/01/2027'),
  carrier: fc.record({
    idType: fc.constantFrom('04' as const, '05' as const, '06' as const, '08' as const),
    id: fc.oneof(digits(13), nastyText(20)),
    name: nastyText(300),
  }),
  licensePlate: nastyText(20),
  destinations: fc.array(
    fc.record(
      {
        reason: nastyText(300),
        customsDocument: maybe(nastyText(64)),
        branchCode: maybe(digits(3)),
        route: maybe(nastyText(300)),
      },
      { requiredKeys: ['reason'] },
    ),
    { minLength: 1, maxLength: 4 },
  ),
});

/** The subsidy of each price, and the unit of each line. */
const measures = fc.record({ extra: fc.integer({ min: 0, max: 5_000_000 }), unitOfMeasure: maybe(nastyText(50)) });

const negotiable = fc.record({ email: fc.constantFrom('a@b.ec', `${'x'.repeat(64)}@${'y'.repeat(32)}.ec`) });

function add(parts: Partial<{ [Key in keyof InvoiceBody]: fc.Arbitrary<InvoiceBody[Key]> }>) {
  return fc.tuple(randomInvoice, fc.record(parts)).map(([invoice, more]): InvoiceBody => ({ ...invoice, ...more }));
}

/** Random bodies of each variant of an invoice, by its name. */
export const RANDOM_VARIANTS = {
  export: add({ export: exportTerms }),
  reimbursement: add({ reimbursements }),
  subsidy: fc.tuple(randomInvoice, fc.array(measures, { minLength: 6, maxLength: 6 })).map(subsidize),
  'third parties': add({ thirdPartyCharges, tip: fc.constantFrom('0', '12.34') }),
  'third parties, tip and withholdings': add({
    thirdPartyCharges,
    withholdings,
    tip: money,
    licensePlate: nastyText(20),
  }),
  'withholdings in advance': add({ withholdings, licensePlate: maybe(nastyText(20)) }),
  transport: add({ deliveryGuide }),
  'negotiable invoice': fc.tuple(add({ negotiable }), nastyText(300)).map(makeNegotiable),
  'all of them': fc
    .tuple(
      add({ export: exportTerms, reimbursements, thirdPartyCharges, withholdings, deliveryGuide, negotiable }),
      nastyText(300),
      fc.array(measures, { minLength: 6, maxLength: 6 }),
    )
    .map(([invoice, address, each]) => subsidize([makeNegotiable([invoice, address]), each])),
} as const satisfies Readonly<Record<string, fc.Arbitrary<InvoiceBody>>>;

// --- internal ---

function subsidize([invoice, each]: [InvoiceBody, { extra: number; unitOfMeasure: string | null }[]]): InvoiceBody {
  const items = invoice.items.map((item, index) => {
    const { extra = 0, unitOfMeasure = null } = each[index] ?? {};
    const unsubsidizedPrice = (Number(item.unitPrice) + extra / 1_000_000).toFixed(6);
    return { ...item, unsubsidizedPrice, unitOfMeasure };
  });
  return { ...invoice, items };
}

function makeNegotiable([invoice, address]: [InvoiceBody, string]): InvoiceBody {
  const payments = invoice.payments.map((payment) => ({ ...payment, term: 30, termUnit: 'dias' as const }));
  return { ...invoice, buyer: { ...invoice.buyer, address }, payments };
}
