/** What every delivery has in common. */
interface Delivery<Event extends string, Metadata> {
  /** What happened; the same as `data.type`. */
  readonly event: Event;
  /** The same on every attempt of one delivery: what a receiver remembers so that it acts once. */
  readonly deliveryId: string;
  /** When it happened, in seconds since 1970. */
  readonly timestamp: number;
  readonly tenantId: string;
  readonly data: WebhookNotification<Event, Metadata>;
}

/** A notification as it is delivered. An id that comes again brings a newer state of the same notification. */
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
  /** Null for what concerns the whole account. */
  readonly issuerId: string | null;
  readonly readAt: string | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
}

/** One of the documents an authorization tells of. */
export interface AuthorizedDocument {
  readonly accessKey: string;
  readonly sequential: string;
  readonly buyerName: string;
  readonly buyerId: string;
  readonly total: string;
  /** `DD/MM/YYYY`. */
  readonly issueDate: string;
  readonly authorizationNumber: string;
}

/** Documents were authorized: up to the 50 newest, and how many in all. */
export type DocumentAuthorizedEvent = Delivery<
  'DOCUMENT_AUTHORIZED',
  { readonly documents: readonly AuthorizedDocument[]; readonly count: number }
>;

/** A signing certificate ends soon, or has ended (`daysRemaining` 0). */
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

/** The SRI refused a document: reception returned it, or it was not authorized. */
export type DocumentRefusedEvent = Delivery<
  'DOCUMENT_RETURNED' | 'DOCUMENT_NOT_AUTHORIZED',
  {
    readonly accessKey: string;
    readonly documentType: string;
    readonly sequential: string;
    readonly buyerName: string;
    readonly buyerId: string;
    readonly total: string;
    /** `DD/MM/YYYY`. */
    readonly issueDate: string;
    /** What the SRI said, as it came. */
    readonly messages: readonly {
      readonly identifier: string;
      readonly message: string;
      readonly additionalInfo: string | null;
      readonly type: string;
    }[];
    /** What is to be made of each message, in the same order. */
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

/** Any other event. New ones may come, so a receiver acknowledges what it does not know. */
export type OtherEvent = Delivery<string & {}, Readonly<Record<string, unknown>> | null>;

/** What a webhook delivers. Compare `event` to know which. */
export type WebhookEvent = DocumentAuthorizedEvent | DocumentRefusedEvent | CertificateEvent | OtherEvent;

/** Whether documents were authorized. */
export function isDocumentAuthorized(event: WebhookEvent): event is DocumentAuthorizedEvent {
  return event.event === 'DOCUMENT_AUTHORIZED';
}

/** Whether the SRI refused a document. */
export function isDocumentRefused(event: WebhookEvent): event is DocumentRefusedEvent {
  return event.event === 'DOCUMENT_RETURNED' || event.event === 'DOCUMENT_NOT_AUTHORIZED';
}

/** Whether a signing certificate ends soon or has ended. */
export function isCertificateEvent(event: WebhookEvent): event is CertificateEvent {
  return event.event === 'CERT_EXPIRING' || event.event === 'CERT_EXPIRED';
}
