import { type Language, type LocalizedText, translate } from 'sri-core';
import {
  BILLING_MAIL_KINDS,
  type BillingMailKind,
  type MailText,
  type MailWriter,
  writeNotice,
} from '../mail/index.js';
import { oneLine } from '../platform/one-line.js';

/** The writers of mails about billing. */
export function billingMails(): Readonly<Record<BillingMailKind, MailWriter>> {
  const writers = BILLING_MAIL_KINDS.map(
    (kind) =>
      [kind, (mail) => writeBillingMail(kind, mail.data, mail.language)] satisfies [BillingMailKind, MailWriter],
  );
  return Object.fromEntries(writers) as Record<BillingMailKind, MailWriter>;
}

// --- internal ---

/**
 * Writes a mail about an account's billing.
 *
 * @param data the values of the text, as shown. Rows without a value are left out, such as the bank account where none
 *   is configured.
 */
function writeBillingMail(
  kind: BillingMailKind,
  data: Readonly<Record<string, string | null>>,
  language: Language,
): MailText {
  const values = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, oneLine(value ?? '')]));
  const { subject, lines, toPay, rows } = MAILS[kind];
  return writeNotice(
    {
      subject: translate(subject, language, values),
      paragraphs: [...lines, ...(toPay && values['paymentCode'] ? [toPay] : [])].map((line) =>
        translate(line, language, values),
      ),
      rows: rows.map((name) => [translate(LABELS[name], language), values[name] ?? '']),
    },
    language,
  );
}

interface Wording {
  readonly subject: LocalizedText;
  readonly lines: readonly LocalizedText[];
  /** A line that is left out without a payment code. */
  readonly toPay?: LocalizedText;
  readonly rows: readonly (keyof typeof LABELS)[];
}

const LABELS = {
  paymentCode: { es: 'Código del pago (escríbalo en la transferencia)', en: 'Payment code (write it on the transfer)' },
  amount: { es: 'Valor sin IVA', en: 'Amount before IVA' },
  ivaAmount: { es: 'IVA', en: 'IVA' },
  totalAmount: { es: 'Total', en: 'Total' },
  bankName: { es: 'Banco', en: 'Bank' },
  accountType: { es: 'Tipo de cuenta', en: 'Account type' },
  accountNumber: { es: 'Número de cuenta', en: 'Account number' },
  accountHolder: { es: 'Titular', en: 'Account holder' },
  identification: { es: 'Identificación del titular', en: "Account holder's identification" },
} as const satisfies Readonly<Record<string, LocalizedText>>;

const BANK = ['bankName', 'accountType', 'accountNumber', 'accountHolder', 'identification'] as const;

const MAILS: Readonly<Record<BillingMailKind, Wording>> = {
  PAYMENT_VERIFIED: {
    subject: { es: 'Pago verificado: plan {tier}', en: 'Payment verified: plan {tier}' },
    lines: [
      {
        es: 'Verificamos su transferencia {paymentCode} de {totalAmount} por el plan {tier}. Gracias.',
        en: 'Your transfer {paymentCode} of {totalAmount} for the plan {tier} was verified. Thank you.',
      },
    ],
    rows: [],
  },
  PAYMENT_REJECTED: {
    subject: { es: 'Pago rechazado: {reason}', en: 'Payment rejected: {reason}' },
    lines: [
      {
        es: 'No pudimos verificar su pago de {totalAmount}: {reason}.',
        en: 'Your payment of {totalAmount} could not be verified: {reason}.',
      },
    ],
    toPay: {
      es: 'Corrija lo indicado y envíe otra vez el comprobante de la transferencia.',
      en: 'Please correct that and send the proof of the transfer again.',
    },
    rows: ['paymentCode', 'totalAmount', ...BANK],
  },
  PAYMENT_REFUNDED: {
    subject: { es: 'Pago devuelto: plan {tier}', en: 'Payment refunded: plan {tier}' },
    lines: [
      {
        es: 'Registramos la devolución de su pago {paymentCode} de {totalAmount} por el plan {tier}. Su plan es ahora {restoredTier}.',
        en: 'The refund of your payment {paymentCode} of {totalAmount} for the plan {tier} was recorded. Your plan is now {restoredTier}.',
      },
    ],
    rows: [],
  },
  RENEWAL_DUE: {
    subject: { es: 'Renueve su plan antes del {payBefore}', en: 'Renew your plan before {payBefore}' },
    lines: [
      {
        es: 'Su plan {tier} está pagado hasta el {currentPeriodEnd}. Para renovar con el plan {renewalTier}, transfiera {totalAmount} y envíe el comprobante desde la aplicación.',
        en: 'Your plan {tier} is paid until {currentPeriodEnd}. To renew with the plan {renewalTier}, transfer {totalAmount} and send the proof from the application.',
      },
    ],
    rows: ['paymentCode', 'amount', 'ivaAmount', 'totalAmount', ...BANK],
  },
  PAST_DUE_WARNING: {
    subject: { es: 'Su suscripción está vencida', en: 'Your subscription is past due' },
    lines: [
      {
        es: 'Su plan {tier} terminó el {currentPeriodEnd} y aún no hemos verificado el pago de la renovación. Sin él, la cuenta pasa al plan gratuito el {suspendsAt}.',
        en: 'Your plan {tier} ended on {currentPeriodEnd} and the payment of its renewal has not been verified. Without it, the account moves to the free plan on {suspendsAt}.',
      },
    ],
    rows: ['paymentCode', 'totalAmount', ...BANK],
  },
  EXPIRED: {
    subject: { es: 'Su suscripción terminó', en: 'Your subscription has ended' },
    lines: [
      {
        es: 'Su plan {previousTier} terminó sin renovarse y la cuenta pasó al plan gratuito. Puede volver a suscribirse cuando quiera.',
        en: 'Your plan {previousTier} ended without a renewal and the account moved to the free plan. You may subscribe again at any time.',
      },
    ],
    rows: [],
  },
  PRICE_CHANGE: {
    subject: {
      es: 'Nuevo precio del plan {tier} desde el {effectiveAt}',
      en: 'New price of the plan {tier} from {effectiveAt}',
    },
    lines: [
      {
        es: 'El precio {period} del plan {tier} pasa de {previousPriceUsd} a {newPriceUsd}, sin IVA, desde el {effectiveAt}.',
        en: 'The {period} price of the plan {tier} goes from {previousPriceUsd} to {newPriceUsd}, before IVA, from {effectiveAt}.',
      },
      {
        es: 'Las renovaciones que vencen antes de esa fecha conservan el precio actual.',
        en: 'Renewals that are due before that date keep the current price.',
      },
    ],
    rows: [],
  },
  PRICE_WITHDRAWN: {
    subject: {
      es: 'El precio del plan {tier} no cambia el {effectiveAt}',
      en: 'The price of the plan {tier} does not change on {effectiveAt}',
    },
    lines: [
      {
        es: 'Le avisamos que el precio {period} del plan {tier} pasaría a {previousPriceUsd} el {effectiveAt}. Ese cambio queda sin efecto: el precio sigue en {newPriceUsd}, sin IVA.',
        en: 'We announced that the {period} price of the plan {tier} would become {previousPriceUsd} on {effectiveAt}. That change is withdrawn: the price stays at {newPriceUsd}, before IVA.',
      },
    ],
    rows: [],
  },
};
