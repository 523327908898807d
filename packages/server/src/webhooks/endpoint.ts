import type { NotificationType } from '../notifications/notification-types.js';
import type { SealedSecret, SecretLabel } from '../tenancy/vault.js';

/** An address an account wants to be told at. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly tenantId: string;
  readonly url: string;
  /** Empty for every type. */
  readonly eventTypes: readonly NotificationType[];
  readonly active: boolean;
  /** False for one of the web application: neither listed nor counted. */
  readonly listed: boolean;
  readonly secret: EndpointSecret;
  /** The secret before, while receivers that still hold it are served. */
  readonly formerSecret: (EndpointSecret & { readonly until: Date }) | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A secret of an endpoint, sealed for its version. */
export interface EndpointSecret {
  readonly version: number;
  readonly sealed: SealedSecret;
}

/** What an endpoint's secret is bound to. */
export function secretLabel(endpoint: Pick<WebhookEndpoint, 'id' | 'tenantId'>, version: number): SecretLabel {
  return { tenantId: endpoint.tenantId, ownerId: endpoint.id, purpose: 'webhook-secret', keyVersion: version };
}

/** An endpoint as it is shown: never its secret. */
export function toEndpointBody({ id, url, eventTypes, active, createdAt, updatedAt }: WebhookEndpoint) {
  return {
    id,
    url,
    eventTypes,
    active,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
