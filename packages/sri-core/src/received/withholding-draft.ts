import type { LocalizedText } from '../catalogs/catalog.js';
import { paymentMethods } from '../catalogs/payment-methods.js';
import { supportDocumentTypes } from '../catalogs/support-document-types.js';
import { findTaxRate } from '../catalogs/tax-rates.js';
import { TAX, taxTypes } from '../catalogs/tax-types.js';
import type { DebitNoteComprobante } from '../documents/debit-note/xml.js';
import type { InvoiceComprobante } from '../documents/invoice/xml.js';
import { addAmounts, shortenRate, writeAmount } from '../documents/parts/amounts.js';
import { NAMED_ID_TYPES } from '../documents/parts/party.js';
import type { ComprobanteTax } from '../documents/parts/reading.js';
import type { ComprobanteReimbursement, ReimbursementBody } from '../documents/parts/reimbursements.js';
import { rateOf } from '../documents/parts/ride-sums.js';
import type { PurchaseSettlementComprobante } from '../documents/purchase-settlement/xml.js';
import type { Comprobante } from '../documents/registry.js';
import type {
  SubjectBody,
  SupportingDocumentBody,
  SupportPagoBody,
  SupportTaxBody,
  WithholdingBody,
} from '../documents/withholding/body.js';
import { formatMoney, parseMoney } from '../money.js';
import { formatDocumentNumber } from '../sequential.js';

/** A received document that tax may be withheld from. */
export type WithholdableComprobante = InvoiceComprobante | PurchaseSettlementComprobante | DebitNoteComprobante;

/** Whether tax may be withheld from a received document. */
export function isWithholdable(received: Comprobante): received is WithholdableComprobante {
  return received.documentType in WITHHOLDABLE;
}

/** The body of a withholding, without the fields that only its issuer knows. */
export interface WithholdingDraftBody extends Omit<WithholdingBody, 'subject' | 'supportingDocuments'> {
  readonly subject: Omit<SubjectBody, 'email'>;
  /** The received document. */
  readonly supportingDocuments: readonly [Omit<SupportingDocumentBody, 'supportCode' | 'withholdings'>];
}

/** A draft and its missing fields. */
export interface WithholdingDraft {
  readonly body: WithholdingDraftBody;
  /** The bases: the value before taxes for income tax, the IVA for IVA. Decimal text; null when an amount is invalid. */
  readonly bases: { readonly incomeTax: string | null; readonly iva: string | null };
  /** The fields of the body to fill, in its order, each with a description. */
  readonly missing: readonly { readonly field: string; readonly about: LocalizedText }[];
}

/**
 * Drafts the body of a withholding (07) on a received document: subject, document, sums, taxes, payments. A document
 * does not state the purpose of the purchase, the withholdings or the subject's mail address. `missing` names these
 * fields.
 *
 * @param received an invoice (01), a debit note (05), or a purchase settlement (03), whose supplier is the subject.
 */
export function withholdingDraft(received: WithholdableComprobante): WithholdingDraft {
  const taxes = received.taxes.flatMap((tax) => toTax(tax, rateOf(tax, received)) ?? []);
  const wholeTaxes = taxes.length === received.taxes.length && taxes.length > 0;
  const subject = toSubject(received);
  const value = valueBeforeTaxes(received);
  const sum = addAmounts([value ?? '', ...taxes.flatMap((tax) => tax.taxAmount ?? [])]);
  // A tip and charges for third parties stand in the total and are neither a base nor a tax.
  const total = wholeTaxes && sum === writeAmount(received.total) ? sum : null;
  const payments = toPayments(received, total);
  const reimbursed = 'reimbursement' in received ? received.reimbursement : null;
  const reimbursements = toReimbursements(reimbursed?.documents ?? []);
  const body: WithholdingDraftBody = {
    documentType: '07',
    subject,
    supportingDocuments: [
      {
        documentType: reimbursed ? '41' : received.documentType,
        number: formatDocumentNumber(received.branchCode, received.issuePointCode, Number(received.sequential)),
        issueDate: received.issueDate,
        authorizationNumber: received.accessKey,
        subtotal: value ?? writeAmount(received.subtotal),
        ...(total === null ? {} : { total }),
        taxes,
        payments,
        ...(reimbursements.length > 0 ? { reimbursements } : {}),
      },
    ],
  };
  const iva = received.taxes.filter(({ code }) => code === TAX.IVA).map(({ taxAmount }) => taxAmount);
  const document = 'supportingDocuments[0]';
  const lacking = [
    { field: 'subject.email', about: EMAIL },
    ...(subject.idType === '08' ? [{ field: 'subject.kind', about: KIND }] : []),
    { field: `${document}.supportCode`, about: SUPPORT_CODE },
    ...(wholeTaxes ? [] : [{ field: `${document}.taxes`, about: TAXES }]),
    { field: `${document}.withholdings`, about: WITHHOLDINGS },
    ...(reimbursed && (reimbursements.length === 0 || reimbursements.length < reimbursed.documents.length)
      ? [{ field: `${document}.reimbursements`, about: REIMBURSEMENTS }]
      : []),
    ...(payments.length > 0 && payments.length === received.payments.length
      ? []
      : [{ field: `${document}.payments`, about: PAYMENTS }]),
  ];
  return { body, bases: { incomeTax: value, iva: addAmounts(iva) }, missing: lacking };
}

// --- internal ---

const WITHHOLDABLE = { '01': true, '03': true, '05': true } satisfies Readonly<
  Record<WithholdableComprobante['documentType'], true>
>;

const EMAIL = {
  es: 'Correo del proveedor: el comprobante que él emitió no lo lleva en un campo propio.',
  en: "The supplier's mail address: the document it issued has no field for it.",
};
const KIND = { es: 'Persona (01) o sociedad (02).', en: 'Person (01) or company (02).' };
const SUPPORT_CODE = {
  es: 'Para qué fue la compra: gasto, inventario, activo fijo… (catálogo support-codes).',
  en: 'What the purchase is used for: expense, inventory, fixed asset… (catalog support-codes).',
};
const TAXES = {
  es: 'Los impuestos, uno por tarifa: el comprobante tiene uno que no está en las tablas, o con una tarifa que la retención no admite.',
  en: 'The taxes, one for each rate: the document has one that is not in the tables, or a rate that a withholding cannot state.',
};
const WITHHOLDINGS = {
  es: 'Qué se retiene: impuesto, concepto (catálogo withholding-codes), base y porcentaje.',
  en: 'What is withheld: tax, concept (catalog withholding-codes), base and percentage.',
};
const REIMBURSEMENTS = {
  es: 'Los comprobantes reembolsados: falta uno, o tiene un tipo, una identificación o un impuesto que no está en las tablas.',
  en: 'The reimbursed documents: one is absent, or has a type, an identification or a tax that is not in the tables.',
};
const PAYMENTS = {
  es: 'Formas de pago y su valor: el comprobante no las tiene, o no suman el total sin propina ni cobros por terceros.',
  en: 'Forms of payment and their amounts: the document has none, or their sum is not the total without tip and third-party charges.',
};
/** [tarifa] Digits in a withholding; other documents have one more. */
const RATE_DIGITS = 3;

/** The party that tax is withheld from: the seller. A settlement is issued by the buyer. */
function toSubject(received: WithholdableComprobante): WithholdingDraftBody['subject'] {
  if (!('supplier' in received)) {
    const { ruc, businessName, mainAddress } = received.issuer;
    return { idType: '04', id: ruc, name: businessName, ...(mainAddress ? { address: mainAddress } : {}) };
  }
  const { idType, id, name, address } = received.supplier;
  const known = NAMED_ID_TYPES.find((code) => code === idType);
  return { idType: known ?? '08', id, name, ...(address ? { address } : {}) };
}

/** The value before taxes, less the discounts on the whole document; null when an amount is invalid. */
function valueBeforeTaxes({ subtotal, taxes }: WithholdableComprobante): string | null {
  const before = addAmounts([subtotal]);
  const discount = addAmounts(taxes.flatMap(({ additionalDiscount }) => additionalDiscount ?? []));
  if (before === null || discount === null) return null;
  return formatMoney(parseMoney(before) - parseMoney(discount));
}

/** Null for a tax that the tables do not have, or whose rate is too long for a withholding. */
function toTax({ code, rateCode, taxableBase, taxAmount }: ComprobanteTax, rate: string | null): SupportTaxBody | null {
  const type = taxTypes.find((known) => known.code === code);
  if (!type || !findTaxRate(code, rateCode) || rate === null) return null;
  if (shortenRate(rate).replace('.', '').length > RATE_DIGITS) return null;
  return {
    code: type.code,
    rateCode,
    rate: shortenRate(rate),
    taxableBase: writeAmount(taxableBase),
    taxAmount: writeAmount(taxAmount),
  };
}

/** @param total of the supporting document; null when the total of the received one differs. */
function toPayments({ payments }: WithholdableComprobante, total: string | null): readonly SupportPagoBody[] {
  const known = payments.flatMap((payment) => {
    const method = paymentMethods.find(({ code }) => code === payment.method);
    return method ? [{ method: method.code, total: writeAmount(payment.total) }] : [];
  });
  const addsUp = addAmounts(known.map((payment) => payment.total)) === total;
  const [first] = known;
  return addsUp && total !== null ? known : first ? [{ method: first.method }] : [];
}

/** Those whose codes are all in the tables. */
function toReimbursements(list: readonly ComprobanteReimbursement[]): readonly ReimbursementBody[] {
  return list.flatMap(({ supplier, documentType, taxes, ...rest }) => {
    const idType = NAMED_ID_TYPES.find((code) => code === supplier.idType);
    const type = supportDocumentTypes.find(({ code }) => code === documentType);
    const { id, country } = supplier;
    const known = taxes.flatMap((tax) => {
      const taxType = taxTypes.find(({ code }) => code === tax.code);
      return taxType ? [{ ...tax, code: taxType.code }] : [];
    });
    if (!idType || !type || known.length < taxes.length) return [];
    const { number, issueDate, authorizationNumber } = rest;
    return [
      {
        supplier: { idType, id, kind: supplier.kind === '01' ? '01' : '02', ...(country ? { country } : {}) } as const,
        documentType: type.code,
        number,
        issueDate,
        authorizationNumber,
        taxes: known,
      },
    ];
  });
}
