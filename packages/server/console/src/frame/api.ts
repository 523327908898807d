import { ApiError, type ApiErrorDetails, type Client, createClient } from 'sri-core/client';
import { language } from './language.js';

/** The identity that each request of a signed-in page sends. Scripts cannot read the cookie with the key. */
export interface Caller {
  readonly keyId: string;
  readonly csrf: string;
  readonly issuerId: string | null;
}

/** The parts of such a call. */
export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default JSON; another type is answered as a `Blob`. */
  readonly accept?: string;
  /** JSON, or a form. */
  readonly body?: unknown;
}

/** The headers that identify the caller. */
export function headersOf({ keyId, csrf }: Pick<Caller, 'keyId' | 'csrf'>): Readonly<Record<string, string>> {
  return { 'x-console-key': keyId, 'x-csrf-token': csrf };
}

/** A client of the server that the page came from, for the key and issuer of the caller. Without one, it registers accounts. */
export function createApi(caller?: Caller): Client {
  return createClient({
    apiKey: '',
    baseUrl: location.origin,
    ...(caller?.issuerId ? { issuerId: caller.issuerId } : {}),
    language: language(),
    maxRetries: 2,
    async fetch(request) {
      for (const [name, value] of Object.entries(caller ? headersOf(caller) : {})) request.headers.set(name, value);
      const response = await fetch(request);
      if (response.status === 401) dispatchEvent(new Event(SESSION_ENDED));
      return response;
    },
  });
}

/** A call to an address outside the description of the interface. @throws ApiError */
export async function ask<Answer>(
  path: string,
  { method = 'GET', headers = {}, accept = 'application/json', body }: AskOptions = {},
): Promise<Answer> {
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    headers: {
      accept,
      'accept-language': language(),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    cache: 'no-store',
  }).catch((cause) => {
    throw new ApiError('', { ...NO_ANSWER, code: 'NETWORK_ERROR' }, cause);
  });
  if (response.status === 401) dispatchEvent(new Event(SESSION_ENDED));
  if (response.ok && accept !== 'application/json') return (await response.blob()) as Answer;
  const answer = (await response.json().catch(() => null)) as
    | (Answer & Partial<ApiErrorDetails> & { readonly detail?: string })
    | null;
  // A page of the network, or an answer that breaks off, is no answer of the server.
  if (response.ok && answer) return answer;
  const { detail = '', code = 'UNEXPECTED_ANSWER', reason = null, errors = [] } = answer ?? {};
  const { status, headers: given } = response;
  throw new ApiError(detail, {
    status,
    code,
    reason,
    errors,
    requestId: given.get('x-request-id'),
    retryAfterMs: null,
  });
}

/** The window event that reports the end of the session. */
export const SESSION_ENDED = 'sri-session-ended';

// --- internal ---

const NO_ANSWER = { status: 0, reason: null, errors: [], requestId: null, retryAfterMs: null };
