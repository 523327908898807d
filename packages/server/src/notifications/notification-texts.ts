import { type Language, type LocalizedText, translate } from 'sri-core';
import type { NotificationType } from './notification-types.js';

/** Title and message of a notification. */
export interface NotificationText {
  readonly title: string;
  readonly message: string;
}

/** The text of a notification in one language. `params` fill the `{name}` placeholders. */
export function writeNotification(
  type:
    | NotificationType
    | 'DOCUMENTS_AUTHORIZED'
    | 'CERT_EXPIRING_TOMORROW'
    | 'PRICE_CHANGE_WITHDRAWN'
    | 'QUOTA_USED_UP'
    | 'TEST',
  language: Language,
  params: Readonly<Record<string, string | number>>,
): NotificationText {
  const { title, message } = TEXTS[type];
  return { title: translate(title, language, params), message: translate(message, language, params) };
}

// --- internal ---

type TextName = Parameters<typeof writeNotification>[0];

const TEXTS: Readonly<Record<TextName, { readonly title: LocalizedText; readonly message: LocalizedText }>> = {
  DOCUMENT_AUTHORIZED: {
    title: { es: 'Comprobante autorizado', en: 'Document authorized' },
    message: {
      es: 'El SRI autorizó el comprobante {sequential} ({documentType}, {buyerName}).',
      en: 'The SRI authorized document {sequential} ({documentType}, {buyerName}).',
    },
  },
  DOCUMENTS_AUTHORIZED: {
    title: { es: 'Comprobantes autorizados', en: 'Documents authorized' },
    message: { es: 'El SRI autorizó {count} comprobantes.', en: 'The SRI authorized {count} documents.' },
  },
  CERT_EXPIRING: {
    title: { es: 'Certificado por caducar', en: 'Certificate about to expire' },
    message: {
      es: 'El certificado de firma de {branchCode}-{issuePointCode} caduca en {daysRemaining} días. Renuévelo y cárguelo antes.',
      en: 'The signing certificate of {branchCode}-{issuePointCode} expires in {daysRemaining} days. Renew and upload it before.',
    },
  },
  CERT_EXPIRING_TOMORROW: {
    title: { es: 'Certificado por caducar', en: 'Certificate about to expire' },
    message: {
      es: 'El certificado de firma de {branchCode}-{issuePointCode} caduca en menos de un día. Renuévelo y cárguelo ya.',
      en: 'The signing certificate of {branchCode}-{issuePointCode} expires in less than a day. Renew and upload it now.',
    },
  },
  CERT_EXPIRED: {
    title: { es: 'Certificado caducado', en: 'Certificate expired' },
    message: {
      es: 'El certificado de firma de {branchCode}-{issuePointCode} caducó: no se pueden crear comprobantes hasta cargar otro.',
      en: 'The signing certificate of {branchCode}-{issuePointCode} has expired: no document can be created until another is uploaded.',
    },
  },
  PAYMENT_VERIFIED: {
    title: { es: 'Pago verificado', en: 'Payment verified' },
    message: {
      es: 'Verificamos su pago de {amount} por el plan {tier}.',
      en: 'Your payment of {amount} for the plan {tier} was verified.',
    },
  },
  PAYMENT_REJECTED: {
    title: { es: 'Pago rechazado', en: 'Payment rejected' },
    message: {
      es: 'No pudimos verificar su pago de {amount}: {reason}.',
      en: 'Your payment of {amount} could not be verified: {reason}.',
    },
  },
  PAYMENT_REFUNDED: {
    title: { es: 'Pago devuelto', en: 'Payment refunded' },
    message: {
      es: 'Registramos la devolución de su pago de {amount} por el plan {tier}. Su plan es ahora {restoredTier}.',
      en: 'The refund of your payment of {amount} for the plan {tier} was recorded. Your plan is now {restoredTier}.',
    },
  },
  SUBSCRIPTION_RENEWAL_DUE: {
    title: { es: 'Renovación por pagar', en: 'Renewal due' },
    message: {
      es: 'Su plan {tier} está pagado hasta el {currentPeriodEnd}. Para renovar con el plan {renewalTier}, transfiera {totalAmount} antes del {payBefore}.',
      en: 'Your plan {tier} is paid until {currentPeriodEnd}. To renew with the plan {renewalTier}, transfer {totalAmount} before {payBefore}.',
    },
  },
  SUBSCRIPTION_PAST_DUE_WARNING: {
    title: { es: 'Suscripción vencida', en: 'Subscription past due' },
    message: {
      es: 'Su plan {tier} terminó el {currentPeriodEnd}. Sin un pago verificado, pasa al plan gratuito el {suspendsAt}.',
      en: 'Your plan {tier} ended on {currentPeriodEnd}. Without a verified payment it becomes the free plan on {suspendsAt}.',
    },
  },
  SUBSCRIPTION_EXPIRED: {
    title: { es: 'Suscripción terminada', en: 'Subscription expired' },
    message: {
      es: 'Su plan {previousTier} terminó sin renovarse. La cuenta pasó al plan gratuito.',
      en: 'Your plan {previousTier} ended without a renewal. The account moved to the free plan.',
    },
  },
  PRICE_CHANGE_ANNOUNCED: {
    title: { es: 'Cambio de precio', en: 'Change of price' },
    message: {
      es: 'El precio {period} del plan {tier} pasa de {previousPriceUsd} a {newPriceUsd}, sin IVA, desde el {effectiveAt}.',
      en: 'The {period} price of the plan {tier} goes from {previousPriceUsd} to {newPriceUsd}, before IVA, from {effectiveAt}.',
    },
  },
  PRICE_CHANGE_WITHDRAWN: {
    title: { es: 'Cambio de precio sin efecto', en: 'Change of price withdrawn' },
    message: {
      es: 'El precio {period} del plan {tier} ya no cambia el {effectiveAt}: sigue en {newPriceUsd}, sin IVA.',
      en: 'The {period} price of the plan {tier} no longer changes on {effectiveAt}: it stays at {newPriceUsd}, before IVA.',
    },
  },
  TEST: {
    title: { es: 'Prueba', en: 'Test' },
    message: { es: 'Este webhook recibe avisos.', en: 'This webhook receives notifications.' },
  },
  DOCUMENT_RETURNED: {
    title: { es: 'Comprobante devuelto', en: 'Document returned' },
    message: {
      es: 'El SRI devolvió el comprobante {sequential} ({documentType}, {buyerName}): {reason}',
      en: 'The SRI returned document {sequential} ({documentType}, {buyerName}): {reason}',
    },
  },
  DOCUMENT_NOT_AUTHORIZED: {
    title: { es: 'Comprobante no autorizado', en: 'Document not authorized' },
    message: {
      es: 'El SRI no autorizó el comprobante {sequential} ({documentType}, {buyerName}): {reason}',
      en: 'The SRI did not authorize document {sequential} ({documentType}, {buyerName}): {reason}',
    },
  },
  SRI_SUBMISSION_FAILED: {
    title: { es: 'Envío al SRI fallido', en: 'Submission to the SRI failed' },
    message: {
      es: 'El comprobante {sequential} ({documentType}) agotó sus intentos con el SRI. Reinténtelo cuando el SRI responda.',
      en: 'Document {sequential} ({documentType}) used up its attempts with the SRI. Retry it once the SRI answers.',
    },
  },
  EMAIL_DELIVERY_FAILED: {
    title: { es: 'Correo no entregado', en: 'Mail not delivered' },
    message: {
      es: 'El correo del comprobante {sequential} ({documentType}) no se pudo entregar.',
      en: 'The mail of document {sequential} ({documentType}) could not be delivered.',
    },
  },
  QUOTA_WARNING: {
    title: { es: 'Cupo por agotarse', en: 'Quota nearly used up' },
    message: {
      es: 'Se han creado {documentCount} de los {documentQuota} comprobantes del período.',
      en: '{documentCount} of the {documentQuota} documents of the period were created.',
    },
  },
  QUOTA_USED_UP: {
    title: { es: 'Cupo agotado', en: 'Quota used up' },
    message: {
      es: 'Se han creado los {documentQuota} comprobantes del período.',
      en: 'All {documentQuota} documents of the period were created.',
    },
  },
};
