/** The common fields of every delivery. */
interface Delivery<Event extends string, Metadata> {
  /** The event name; the same as `data.type`. */
  readonly event: Event;
  /** The same on every attempt of one delivery: a receiver stores it to act only once. */
  readonly deliveryId: string;
  /** Time of the event, in seconds since 1970. */
  readonly timestamp: number;
  readonly tenantId: string;
  readonly data: WebhookNotification<Event, Metadata>;
}

/** A delivered notification. A repeated id brings a newer state of the same notification. */
export interface WebhookNotification<
  Type extends string = string,
  Metadata = Readonly<Record<string, unknown>> | null,
> {
  readonly id: string;
  readonly type: Type;
  readonly severity: 'INFO' | 'WARNING' | 'ERROR';
  readonly title: string;
  readonly message: string;
  readonly metadata: Metadata;
  /** Null for an event of the whole account. */
  readonly issuerId: string | null;
  readonly readAt: string | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
}

/** The fields of a document in every event about it. */
interface EventDocument {
  readonly accessKey: string;
  readonly documentType: string;
  readonly sequential: string;
  readonly buyerName: string;
  readonly buyerId: string;
  readonly total: string;
  /** `DD/MM/YYYY`. */
  readonly issueDate: string;
}

/** A document of an authorization event. */
export interface AuthorizedDocument extends EventDocument {
  readonly authorizationNumber: string;
}

/** Documents were authorized: up to the 50 newest, and the total. */
export type DocumentAuthorizedEvent = Delivery<
  'DOCUMENT_AUTHORIZED',
  { readonly documents: readonly AuthorizedDocument[]; readonly count: number }
>;

/** A signing certificate expires soon, or has expired (`daysRemaining` 0). */
export type CertificateEvent = Delivery<
  'CERT_EXPIRING' | 'CERT_EXPIRED',
  {
    readonly issuerId: string;
    readonly certExpiry: string;
    readonly daysRemaining: number;
    readonly branchCode: string;
    readonly issuePointCode: string;
  }
>;

/** The SRI rejected a document: reception returned it, or it was not authorized. */
export type DocumentRefusedEvent = Delivery<
  'DOCUMENT_RETURNED' | 'DOCUMENT_NOT_AUTHORIZED',
  EventDocument & {
    /** The SRI's messages, without warnings; each is unchanged. */
    readonly messages: readonly {
      readonly identifier: string;
      readonly message: string;
      readonly additionalInfo: string | null;
      readonly type: string;
    }[];
    /** The explanation of each message, in the same order. */
    readonly advice: readonly {
      readonly identifier: string;
      readonly meaning: string;
      readonly action: string;
      readonly who: 'ISSUER' | 'SOFTWARE' | 'SRI' | 'NOBODY' | null;
      readonly resend: boolean;
      readonly sameKey: boolean | null;
    }[];
  }
>;

/** Any other event. New ones may appear, so a receiver acknowledges unknown events. */
export type OtherEvent = Delivery<string & {}, Readonly<Record<string, unknown>> | null>;

/** The content of a webhook. Compare `event` to narrow it. */
export type WebhookEvent = DocumentAuthorizedEvent | DocumentRefusedEvent | CertificateEvent | OtherEvent;

/** Whether documents were authorized. */
export function isDocumentAuthorized(event: WebhookEvent): event is DocumentAuthorizedEvent {
  return event.event === 'DOCUMENT_AUTHORIZED';
}

/** Whether the SRI rejected a document. */
export function isDocumentRefused(event: WebhookEvent): event is DocumentRefusedEvent {
  return event.event === 'DOCUMENT_RETURNED' || event.event === 'DOCUMENT_NOT_AUTHORIZED';
}

/** Whether a signing certificate expires soon or has expired. */
export function isCertificateEvent(event: WebhookEvent): event is CertificateEvent {
  return event.event === 'CERT_EXPIRING' || event.event === 'CERT_EXPIRED';
}
