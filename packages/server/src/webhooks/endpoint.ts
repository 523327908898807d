import { type NotificationType, WEBHOOK_EVENT_TYPES } from '../notifications/index.js';
import { flag, listOf, named, oneOf, type Shown, show, text, timestamp, uuid } from '../platform/schema-words.js';
import type { SealedSecret } from '../platform/secrets/vault.js';

/** An address to which an account's notifications are delivered. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly tenantId: string;
  readonly url: string;
  /** Empty for every type. */
  readonly eventTypes: readonly NotificationType[];
  readonly active: boolean;
  /** False for an endpoint of the web application: neither listed nor counted. */
  readonly listed: boolean;
  readonly secret: EndpointSecret;
  /** The former secret, while it still signs. */
  readonly formerSecret: (EndpointSecret & { readonly until: Date }) | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A secret of an endpoint, sealed for its version. */
export interface EndpointSecret {
  readonly version: number;
  readonly sealed: SealedSecret;
}

/** An endpoint as shown: never its secret. */
export const endpointSchema = named('WebhookEndpoint', 'An address that receives events.', {
  id: uuid('Id of the endpoint.'),
  url: text('Its address.', 'https://hooks.example.com/sri'),
  eventTypes: listOf(oneOf(WEBHOOK_EVENT_TYPES, 'A type.'), 'The events it receives; empty for all.'),
  active: flag('Whether it receives events.'),
  createdAt: timestamp('When it was registered.'),
  updatedAt: timestamp('When it was changed last.'),
});

/** Shapes an endpoint. */
export function toEndpointBody(endpoint: WebhookEndpoint): Shown<typeof endpointSchema> {
  return show(endpointSchema, endpoint);
}
