import {
  createIssuerCalls,
  createKeyCalls,
  createNotificationCalls,
  createTenantCalls,
  createWebhookCalls,
} from './account-calls.js';
import { readAnswer } from './api-error.js';
import { type Api, callOperation, type OperationAnswer } from './call-operation.js';
import { createDocumentCalls, type DocumentCalls } from './document-calls.js';
import type { Connection } from './send-request.js';

/** The options of a client. */
export interface ClientOptions {
  /** A key of the account; empty for operations without one, such as `register`. */
  readonly apiKey: string;
  /** The address of the server, without `/v1`: `https://api.example.com`. */
  readonly baseUrl: string;
  /** The issuer of the documents; a call can name another. */
  readonly issuerId?: string;
  /** The language of messages; default that of the account. */
  readonly language?: 'es' | 'en';
  /** Attempts after the first, where repeating is safe; default 3. */
  readonly maxRetries?: number;
  /** The longest attempt, in milliseconds; default a minute. For a stream, the longest wait until it begins. */
  readonly timeoutMs?: number;
  /** Sends requests; default the platform's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Waits between attempts, and rejects when the signal aborts; default the platform's timers. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
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

/** Creates a client. The first call sends the first request. @throws TypeError for another form of `baseUrl` */
export function createClient(options: ClientOptions): Client {
  const { apiKey, baseUrl, issuerId, language, maxRetries = 3, timeoutMs = 60_000 } = options;
  const { pause = pauseFor } = options;
  // Otherwise every call would fail: without an answer, or with NOT_FOUND.
  if (!/^https?:\/\//i.test(baseUrl) || /\/v1\/*$/.test(baseUrl)) {
    throw new TypeError('baseUrl has to be the address of the server without /v1, such as http://127.0.0.1:3000.');
  }
  const connection: Connection & { readonly issuerId?: string | undefined } = {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: {
      accept: 'application/json, */*',
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
      ...(language ? { 'accept-language': language } : {}),
    },
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    pause,
    maxRetries,
    timeoutMs: Math.min(timeoutMs, LONGEST_TIMER_MS),
    issuerId,
  };
  const api: Api = {
    open: (name, input) => callOperation(connection, name, input),
    stream: async (name, input) => {
      const response = await callOperation(connection, name, input, { longAnswer: true });
      return response.body ?? new Blob([]).stream();
    },
    call: async (name, input) => {
      const response = await callOperation(connection, name, input);
      // The server's tests check every answer against the description.
      return (await readAnswer(response)) as OperationAnswer<typeof name>;
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

// --- internal ---

/** A timer of the platform ends at once beyond it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
