import {
  createIssuerCalls,
  createKeyCalls,
  createNotificationCalls,
  createTenantCalls,
  createWebhookCalls,
} from './account-calls.js';
import { type Api, callOperation, type OperationAnswer } from './call-operation.js';
import { createDocumentCalls, type DocumentCalls } from './document-calls.js';
import type { Connection } from './send-request.js';

/** What a client needs. */
export interface ClientOptions {
  /** A key of the account. */
  readonly apiKey: string;
  /** Where the server is: `https://api.example.com`. */
  readonly baseUrl: string;
  /** The issuer whose documents are meant; calls can name another. */
  readonly issuerId?: string;
  /** The language of messages; default that of the account. */
  readonly language?: 'es' | 'en';
  /** Attempts after the first, where repeating is safe; default 3. */
  readonly maxRetries?: number;
  /** How long an attempt may take, in milliseconds; default a minute. */
  readonly timeoutMs?: number;
  /** How requests are made; default the platform's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** How time passes between attempts; default the platform's timers. */
  readonly pause?: (ms: number) => Promise<void>;
}

/** A client of the server: the usual calls in groups, and every operation by its name. */
export interface Client extends Api {
  readonly documents: DocumentCalls;
  readonly issuers: ReturnType<typeof createIssuerCalls>;
  readonly keys: ReturnType<typeof createKeyCalls>;
  readonly webhooks: ReturnType<typeof createWebhookCalls>;
  readonly notifications: ReturnType<typeof createNotificationCalls>;
  readonly tenant: ReturnType<typeof createTenantCalls>;
}

/** Makes a client. Nothing is sent until it is used. */
export function createClient(options: ClientOptions): Client {
  const { apiKey, baseUrl, issuerId, language, maxRetries = 3, timeoutMs = 60_000 } = options;
  const pause = options.pause ?? ((ms: number) => new Promise<void>((resume) => setTimeout(resume, ms)));
  const connection: Connection & { readonly issuerId?: string | undefined } = {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: {
      accept: 'application/json, */*',
      authorization: `Bearer ${apiKey}`,
      ...(language ? { 'accept-language': language } : {}),
    },
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    pause,
    maxRetries,
    timeoutMs,
    issuerId,
  };
  const api: Api = {
    open: (name, input) => callOperation(connection, name, input),
    call: async (name, input) => {
      const response = await callOperation(connection, name, input);
      // The server answers as its description says: the tests hold every answer against it.
      return (await response.json()) as OperationAnswer<typeof name>;
    },
  };
  return {
    ...api,
    documents: createDocumentCalls(api, pause),
    issuers: createIssuerCalls(api),
    keys: createKeyCalls(api),
    webhooks: createWebhookCalls(api),
    notifications: createNotificationCalls(api),
    tenant: createTenantCalls(api),
  };
}
