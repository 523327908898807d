import fc from 'fast-check';
import { countries } from '../../catalogs/countries.js';
import { paymentMethods } from '../../catalogs/payment-methods.js';
import { type SupportCode, supportCodes } from '../../catalogs/support-codes.js';
import { withholdingCodes } from '../../catalogs/withholding-codes.js';
import type { ReimbursementBody } from '../../documents/parts/reimbursements.js';
import type {
  SupportingDocumentBody,
  SupportPaymentBody,
  SupportTaxBody,
  WithheldBody,
  WithholdingBody,
  WithholdingVersion,
} from '../../documents/withholding/body.js';
import { decimal, digits, documentNumber, IVA_CODES, maybe, nameValues, nastyText } from '../random-bodies.js';

// Above the arbitraries, which use them at module load.
const BANANA_CODES = ['338', '340', '341', '342', '342A', '342B'];
const SELF_CODES = ['350', '3481'];
const PAST_DATES = ['21/11/2026', '18/11/2026', '01/02/2024', '29/02/2016', '01/01/2000'];
const NAME = nastyText(300);
const ID = fc.oneof(digits(10), digits(13), nastyText(20));
const AUTHORIZATION = fc.oneof(digits(10), digits(37), digits(49));
const REIMBURSEMENT: fc.Arbitrary<ReimbursementBody> = fc.record({
  supplier: fc.record({
    idType: fc.constantFrom('04' as const, '05' as const, '06' as const, '08' as const),
    id: ID,
    kind: fc.constantFrom('01' as const, '02' as const),
    country: maybe(fc.constantFrom('593', '110')),
  }),
  documentType: fc.constantFrom('01' as const, '03' as const, '12' as const),
  number: documentNumber(),
  issueDate: fc.constantFrom(...PAST_DATES),
  authorizationNumber: AUTHORIZATION,
  taxes: fc.array(
    fc
      .tuple(fc.constantFrom(...IVA_CODES), decimal(9_999, 2))
      .map(([rate, taxableBase]) => ({ code: '2' as const, ...rate, taxableBase })),
    { minLength: 1, maxLength: 3 },
  ),
});

/** Random bodies of withholding receipts, with optional parts in any combination and sums given or left out. */
export const randomWithholding: fc.Arbitrary<WithholdingBody> = withholdingOf('2.0.0');

/** The same, for schema 1.0.0. */
export const randomOldWithholding: fc.Arbitrary<WithholdingBody> = withholdingOf('1.0.0');

// --- internal ---

function withholdingOf(version: WithholdingVersion): fc.Arbitrary<WithholdingBody> {
  return fc.record(
    {
      documentType: fc.constant('07' as const),
      version: version === '1.0.0' ? fc.constant(version) : fc.constantFrom(version, null),
      issueDate: fc.constantFrom('21/11/2026', null),
      subject: subject(),
      fiscalPeriod: fc.constantFrom('11/2026', '10/2026', '01/2027', null),
      supportingDocuments: fc.array(supportingDocument(version), { minLength: 1, maxLength: 5 }),
      additionalInfo: maybe(nameValues(15)),
    },
    {
      requiredKeys: [
        'documentType',
        'subject',
        'supportingDocuments',
        ...(version === '1.0.0' ? (['version'] as const) : []),
      ],
    },
  );
}

function subject() {
  const of = <Type extends '04' | '05' | '06' | '08', Kind>(idType: Type, kind: fc.Arbitrary<Kind>) =>
    fc.record({
      idType: fc.constant(idType),
      id: ID,
      name: NAME,
      email: fc.constantFrom('a@b.ec', "o'brien+tag@sub.example.com.ec"),
      address: maybe(NAME),
      kind,
      relatedParty: maybe(fc.boolean()),
    });
  const nothing = fc.constant(null);
  return fc.oneof(
    of('04', nothing),
    of('05', nothing),
    of('06', nothing),
    of('08', fc.constantFrom('01' as const, '02' as const)),
  );
}

function supportingDocument(version: WithholdingVersion): fc.Arbitrary<SupportingDocumentBody> {
  return fc.oneof(
    ...supportCodes.flatMap(({ code, documentTypes }) => {
      const [reimbursing, others] = [
        documentTypes.filter((type) => type === '41' && version === '2.0.0'),
        documentTypes.filter((type) => type !== '41' && (version === '2.0.0' || type.length === 2)),
      ];
      return [
        documentOf(code, others, fc.constant(null), version),
        ...(reimbursing.length > 0
          ? [documentOf(code, reimbursing, fc.array(REIMBURSEMENT, { minLength: 1, maxLength: 3 }), version)]
          : []),
      ];
    }),
  );
}

function documentOf(
  supportCode: SupportCode,
  documentTypes: readonly SupportingDocumentBody['documentType'][],
  reimbursements: fc.Arbitrary<readonly ReimbursementBody[] | null>,
  version: WithholdingVersion,
): fc.Arbitrary<SupportingDocumentBody> {
  return fc.record(
    {
      supportCode: fc.constant(supportCode),
      documentType: fc.constantFrom(...documentTypes),
      number: documentNumber(),
      issueDate: fc.constantFrom(...PAST_DATES),
      registrationDate: fc.constantFrom('28/11/2026', '21/11/2026', null),
      authorizationNumber: maybe(AUTHORIZATION),
      payment: maybe(payment(version)),
      taxes: fc.array(tax(), { minLength: 1, maxLength: 3 }),
      withholdings: fc.array(withheld(supportCode, version), { minLength: 1, maxLength: 4 }),
      payments: fc.oneof(
        fc.array(pago(false), { minLength: 1, maxLength: 1 }),
        fc.array(pago(true), { minLength: 2, maxLength: 4 }),
      ),
      reimbursements,
    },
    {
      requiredKeys: [
        'supportCode',
        'documentType',
        'number',
        'issueDate',
        'taxes',
        'withholdings',
        'payments',
        'reimbursements',
      ],
    },
  );
}

function payment(version: WithholdingVersion): fc.Arbitrary<SupportPaymentBody> {
  const local = fc.constantFrom<SupportPaymentBody>({}, { location: '01' }, { location: null, treaty: null });
  if (version === '1.0.0') return local;
  const abroad = fc
    .record({
      location: fc.constant('02' as const),
      regime: fc.constantFrom('01' as const, '02' as const, '03' as const),
      country: fc.constantFrom(...countries.map(({ code }) => code).filter((code) => code !== '593')),
      treaty: fc.boolean(),
      subjectToWithholding: fc.boolean(),
      taxHaven: maybe(fc.boolean()),
    })
    .map(({ subjectToWithholding, ...rest }) => (rest.treaty ? rest : { ...rest, subjectToWithholding }));
  return fc.oneof(local, abroad);
}

function tax(): fc.Arbitrary<SupportTaxBody> {
  return fc
    .record({ rate: fc.constantFrom(...IVA_CODES), isGiven: fc.boolean(), taxableBase: decimal(99_999, 2) })
    .map(({ rate: { rateCode, rate }, isGiven, taxableBase }) => ({
      code: '2' as const,
      rateCode,
      taxableBase,
      ...(isGiven && { rate }),
    }));
}

function withheld(supportCode: SupportCode, version: WithholdingVersion): fc.Arbitrary<WithheldBody> {
  const known = fc.constantFrom(...withholdingCodes.filter(({ code }) => !SELF_CODES.includes(code)));
  return fc
    .record({
      row: known,
      rate: fc.constantFrom('0', '1.75', '10.00', '2.5', '100', '0.2', '33.3', '150'),
      taxableBase: decimal(99_999, 2),
      dividend: fc.record({
        paymentDate: fc.constantFrom(...PAST_DATES),
        incomeTax: decimal(9_999, 2),
        fiscalYear: fc.constantFrom('2025', '1999'),
      }),
      bananas: fc.record({ boxes: fc.stringMatching(/^[0-9]{1,7}$/), boxPrice: decimal(20, 2) }),
    })
    .map(({ row, rate, taxableBase, dividend, bananas }) => ({
      tax: row.tax,
      code: row.code,
      taxableBase,
      rate: row.rate ?? rate,
      ...(version === '2.0.0' && row.tax === '1' && supportCode === '10' && { dividend }),
      ...(version === '2.0.0' && row.tax === '1' && BANANA_CODES.includes(row.code) && { bananas }),
    }));
}

function pago(withTotal: boolean) {
  return fc.record(
    { method: fc.constantFrom(...paymentMethods.map(({ code }) => code)), total: decimal(99_999, 2) },
    { requiredKeys: withTotal ? ['method', 'total'] : ['method'] },
  );
}
