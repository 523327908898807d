import { type Static, Type } from '@sinclair/typebox';
import { type IsoDate, toIsoDate, toIssueDate } from '../../calendar.js';
import { supportCodes } from '../../catalogs/support-codes.js';
import { TAX } from '../../catalogs/tax-types.js';
import { WITHHELD } from '../../catalogs/withholding-taxes.js';
import { formatMoney, type Scaled, sum } from '../../money.js';
import type { Findings } from '../findings.js';
import { inspectPayments, preparePayments } from '../parts/payments.js';
import type { PreparedPayment, PreparedTax } from '../parts/prepared.js';
import {
  type PreparedReimbursement,
  prepareReimbursements,
  type ReimbursementTotals,
  sumReimbursements,
} from '../parts/reimbursements.js';
import { money, prepareFlatTaxes } from '../parts/taxes.js';
import { checkAmount, differ } from '../parts/totals.js';
import { createShape, entriesOf } from '../shape.js';
import { supportingDocumentSchema, supportPaymentSchema, type WithholdingVersion, withheldSchema } from './body.js';
import { prepareSupportPayment, type SupportPayment } from './support-payment.js';
import { type PreparedWithheld, prepareWithheld } from './withheld.js';

/** A supporting document, as written. Money is in cents. */
export interface PreparedSupport {
  readonly supportCode: string;
  readonly documentType: string;
  /** `001-001-000000123`; null for the number of the withholding itself. */
  readonly number: string | null;
  readonly issueDate: IsoDate;
  readonly registrationDate: IsoDate | null;
  readonly authorizationNumber: string | null;
  readonly payment: SupportPayment;
  readonly reimbursementTotals: ReimbursementTotals | null;
  readonly subtotal: Scaled;
  readonly total: Scaled;
  readonly taxes: readonly PreparedTax[];
  readonly withholdings: readonly PreparedWithheld[];
  readonly reimbursements: readonly PreparedReimbursement[];
  readonly payments: readonly PreparedPayment[];
}

/** The facts of the withholding that its documents need. */
export interface SupportContext {
  readonly version: WithholdingVersion;
  readonly issueDate: IsoDate;
  /** The issuer's RUC; the subject of a self-withholding. */
  readonly ruc: string;
  /** The subject's number; null while it is unknown. */
  readonly subjectId: string | null;
  /** Bases withheld so far, by tax and document: a document may occur twice, for instance once for each tax. */
  readonly bases: Map<string, Scaled>;
}

/** Validates and computes one supporting document. @param field its path in the body. */
export function prepareSupport(
  document: Static<typeof supportingDocumentSchema>,
  field: string,
  context: SupportContext,
  findings: Findings,
): PreparedSupport {
  const { supportCode, documentType } = document;
  const issueDate = toIsoDate(document.issueDate) ?? '';
  if (issueDate > context.issueDate) {
    findings.fail(`${field}.issueDate`, 'notLater', { date: toIssueDate(context.issueDate) });
  }
  checkType(documentType, field, context.version, findings);
  const admitted: readonly string[] = supportCodes.find(({ code }) => code === supportCode)?.documentTypes ?? [];
  if (!admitted.includes(documentType)) {
    // The SRI changes this table too, so even strict checking only warns.
    findings.warn(`${field}.documentType`, 'SUPPORT_CODE_MISMATCH', { types: admitted.join(', ') }, 'uncertain');
  }
  const payment = prepareSupportPayment(document.payment, `${field}.payment`, context.version, findings);
  const taxes = prepareFlatTaxes(document.taxes, `${field}.taxes`, { documentType, issueDate }, findings);
  for (const [index, { taxAmount }] of taxes.entries()) {
    checkAmount(taxAmount, `${field}.taxes[${index}].taxableBase`, findings);
  }
  const withholdings = document.withholdings.map((withheld, index) =>
    prepareWithheld(
      withheld,
      `${field}.withholdings[${index}]`,
      { version: context.version, rateDate: context.issueDate, supportCode },
      findings,
    ),
  );
  const isSelf = checkSelf(document, withholdings, field, context, findings);
  if (!document.number && !isSelf) findings.fail(`${field}.number`, 'required');
  const sums = prepareSums(document, taxes, field, findings);
  checkBases(document, { withholdings, taxes, subtotal: sums.subtotal }, field, context.bases, findings);
  inspectPayments(document, findings, `${field}.payments`);
  const reimbursements = prepareReimbursed(document, field, context, findings);
  return {
    supportCode,
    documentType,
    number: isSelf ? null : (document.number ?? ''),
    issueDate,
    registrationDate: (document.registrationDate && toIsoDate(document.registrationDate)) || null,
    authorizationNumber: document.authorizationNumber ?? null,
    payment,
    reimbursementTotals:
      reimbursements.length > 0 ? sumReimbursements(reimbursements, `${field}.reimbursements`, findings) : null,
    ...sums,
    taxes,
    withholdings,
    reimbursements,
    payments: preparePayments(document.payments, sums.total, findings, `${field}.payments`),
  };
}

/** Validates the well-formed parts of a document of any shape, so that one answer names every failure. */
export function inspectSupport(document: unknown, field: string, context: SupportContext, findings: Findings): void {
  if (DOCUMENT.fits(document)) {
    prepareSupport(document, field, context, findings);
    return;
  }
  if (TYPED.fits(document)) checkType(document.documentType, field, context.version, findings);
  if (DATED.fits(document) && (toIsoDate(document.issueDate) ?? '') > context.issueDate) {
    findings.fail(`${field}.issueDate`, 'notLater', { date: toIssueDate(context.issueDate) });
  }
  if (PAID.fits(document)) {
    prepareSupportPayment(document.payment, `${field}.payment`, context.version, findings);
  }
  const supportCode = SUPPORTED.fits(document) ? document.supportCode : null;
  entriesOf(document, 'withholdings').forEach((withheld, index) => {
    if (!WITHHELD_SHAPE.fits(withheld)) return;
    const path = `${field}.withholdings[${index}]`;
    const { version, issueDate } = context;
    prepareWithheld(withheld, path, { version, rateDate: issueDate, supportCode }, findings);
  });
  inspectPayments(document, findings, `${field}.payments`);
}

// --- internal ---

const { properties } = supportingDocumentSchema;
const DOCUMENT = createShape(supportingDocumentSchema);
const TYPED = createShape(Type.Object({ documentType: properties.documentType }));
const DATED = createShape(Type.Object({ issueDate: properties.issueDate }));
const PAID = createShape(Type.Object({ payment: supportPaymentSchema }));
const SUPPORTED = createShape(Type.Object({ supportCode: properties.supportCode }));
const WITHHELD_SHAPE = createShape(withheldSchema);

/** [codDocSustento] «Comprobante de venta emitido por reembolso», and the two notes of an intermediary. */
const REIMBURSEMENT = '41';
const REIMBURSING: ReadonlySet<string> = new Set([REIMBURSEMENT, '47', '48']);
/** Ficha técnica off-line v2.34, anexo 19: a self-withholding is on type 42 with support code 12. */
const SELF = { codes: new Set(['350', '3481']), documentType: '42', supportCode: '12' } as const;

/** Version 1.0.0 writes the type with two digits. */
function checkType(documentType: string, field: string, version: WithholdingVersion, findings: Findings): void {
  if (version === '1.0.0' && documentType.length > 2) findings.fail(`${field}.documentType`, 'onlyVersion2');
}

/** Whether the document is the withholding itself. Warns about a self-withholding that names another. */
function checkSelf(
  { documentType, supportCode }: Static<typeof supportingDocumentSchema>,
  withholdings: readonly PreparedWithheld[],
  field: string,
  { ruc, subjectId }: SupportContext,
  findings: Findings,
): boolean {
  if (!withholdings.some(({ tax, code }) => tax === WITHHELD.INCOME && SELF.codes.has(code))) return false;
  const expected = [
    { path: 'subject.id', actual: subjectId ?? ruc, expected: ruc },
    { path: `${field}.documentType`, actual: documentType, expected: SELF.documentType },
    { path: `${field}.supportCode`, actual: supportCode, expected: SELF.supportCode },
  ];
  for (const { path, actual, expected: own } of expected) {
    if (actual !== own) findings.warn(path, 'SELF_WITHHOLDING_MISMATCH', { expected: own });
  }
  return documentType === SELF.documentType;
}

/**
 * The sums of the document. The base of IVA includes ICE, so the subtotal is the bases of IVA without the amounts of ICE. A
 * document without IVA must give its subtotal.
 */
function prepareSums(
  document: Static<typeof supportingDocumentSchema>,
  taxes: readonly PreparedTax[],
  field: string,
  findings: Findings,
): { readonly subtotal: Scaled; readonly total: Scaled } {
  const iva = taxes.filter(({ code }) => code === TAX.IVA);
  const ice = sum(taxes.map(({ code, taxAmount }) => (code === TAX.ICE ? taxAmount : 0n)));
  const net = sum(iva.map(({ taxableBase }) => taxableBase)) - ice;
  const computed = iva.length === 0 || net < 0n ? null : net;
  const given = money(document.subtotal);
  if (given === null && computed === null) findings.fail(`${field}.subtotal`, 'required');
  if (given !== null && computed !== null && differ(given, computed)) {
    findings.warn(`${field}.subtotal`, 'SUM_MISMATCH', { expected: formatMoney(computed) });
  }
  const subtotal = given ?? computed ?? 0n;
  const expected = subtotal + sum(taxes.map(({ taxAmount }) => taxAmount));
  const total = money(document.total) ?? expected;
  if (differ(total, expected)) findings.warn(`${field}.total`, 'SUM_MISMATCH', { expected: formatMoney(expected) });
  checkAmount(subtotal > total ? subtotal : total, `${field}.taxes`, findings);
  return { subtotal, total };
}

/**
 * Warns when the bases exceed the document: its IVA, or its value before taxes. The same number, use and sums are the same
 * document again; its parts differ in one of them. Only the excess of a single part is certain.
 */
function checkBases(
  { supportCode, documentType, number }: Static<typeof supportingDocumentSchema>,
  { withholdings, taxes, subtotal }: Pick<PreparedSupport, 'withholdings' | 'taxes' | 'subtotal'>,
  field: string,
  bases: Map<string, Scaled>,
  findings: Findings,
): void {
  const iva = sum(taxes.map(({ code, taxAmount }) => (code === TAX.IVA ? taxAmount : 0n)));
  for (const [tax, limit] of [[WITHHELD.INCOME, subtotal] as const, [WITHHELD.IVA, iva] as const]) {
    const name = [tax, supportCode, documentType, number ?? field, subtotal, iva].join();
    const before = bases.get(name) ?? 0n;
    const own = sum(withholdings.map((withheld) => (withheld.tax === tax ? withheld.taxableBase : 0n)));
    bases.set(name, before + own);
    const isSure = own > limit + 1n;
    let base = isSure ? 0n : before;
    for (const [index, withheld] of withholdings.entries()) {
      if (withheld.tax !== tax) continue;
      base += withheld.taxableBase;
      if (base <= limit + 1n) continue;
      const max = formatMoney(limit);
      const path = `${field}.withholdings[${index}].taxableBase`;
      findings.warn(path, 'WITHHOLDING_BASE_LIMIT', { max }, isSure ? undefined : 'uncertain');
      break;
    }
  }
}

/** The reimbursed documents. The schema gives them a rate without decimals and a type of two digits. */
function prepareReimbursed(
  { documentType, reimbursements }: Static<typeof supportingDocumentSchema>,
  field: string,
  { version, issueDate }: SupportContext,
  findings: Findings,
): readonly PreparedReimbursement[] {
  const path = `${field}.reimbursements`;
  if (version === '1.0.0') {
    if (reimbursements) findings.fail(path, 'onlyVersion2');
    return [];
  }
  if (!reimbursements && documentType === REIMBURSEMENT) findings.fail(path, 'required');
  if (reimbursements && !REIMBURSING.has(documentType)) findings.fail(path, 'reimbursingType');
  const prepared = prepareReimbursements(reimbursements, path, issueDate, findings);
  for (const [index, entry] of prepared.entries()) {
    if (entry.documentType.length > 2) findings.fail(`${path}[${index}].documentType`, 'reimbursedType');
    for (const [at, tax] of entry.taxes.entries()) {
      if (tax.rate % 100n !== 0n) findings.fail(`${path}[${index}].taxes[${at}].rate`, 'wholeRate');
    }
  }
  return prepared;
}
