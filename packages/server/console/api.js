import { OPERATIONS } from './operations.js';
import { language } from './texts.js';

/** @typedef {keyof typeof OPERATIONS} OperationName an operation this page calls */
/** @typedef {ReturnType<typeof createApi>} Api */

/**
 * What a refusal says of itself, as far as this page shows it.
 *
 * @typedef {object} Problem
 * @property {string} [detail]
 * @property {string} [code]
 * @property {readonly { field: string, message: string }[]} [errors]
 * @property {string} [requestId]
 */

/** A refusal of the server, as it says it. */
export class ApiError extends Error {
  /** @param {number} status @param {Problem | null} body */
  constructor(status, body) {
    super(body?.detail ?? `HTTP ${status}`);
    this.status = status;
    this.code = body?.code ?? null;
    this.errors = body?.errors ?? [];
    this.requestId = body?.requestId ?? null;
  }
}

/**
 * Calls the server this page came from. The key stays in this object and dies with the page.
 *
 * @param {{ readonly apiKey?: string, readonly issuerId?: string | null }} caller read at each call
 */
export function createApi(caller) {
  /**
   * @template {OperationName} Name
   * @param {Name} name
   * @param {import('sri-core/client').OperationInput<Name>} input
   * @returns {Promise<Response>} rejects with an `ApiError` when it is refused
   */
  async function open(name, input) {
    const [method, path, forIssuer] = OPERATIONS[name];
    // What an operation does not take is typed as absent.
    const { params = {}, query = {}, body, idempotencyKey } = /** @type {LooseInput} */ (input);
    const isForm = body instanceof FormData;
    return ask(filled(path, params) + search(query), {
      method,
      headers: {
        ...(caller.apiKey ? { authorization: `Bearer ${caller.apiKey}` } : {}),
        ...(forIssuer && caller.issuerId ? { 'x-issuer-id': caller.issuerId } : {}),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
  }

  return {
    open,
    /**
     * @template {OperationName} Name
     * @param {Name} name
     * @param {import('sri-core/client').OperationInput<Name>} input
     * @returns {Promise<import('sri-core/client').OperationAnswer<Name>>} rejects with an `ApiError` when it is refused
     */
    call: async (name, input) => (await open(name, input)).json(),
  };
}

/**
 * Asks for something of this server, without a word of who asks but what `init` says.
 *
 * @param {string} address
 * @param {RequestInit & { headers?: Record<string, string> }} [init]
 */
export async function ask(address, { headers = {}, ...init } = {}) {
  const common = { accept: 'application/json', 'accept-language': language() };
  const response = await fetch(address, {
    ...init,
    headers: { ...common, ...headers },
    credentials: 'omit',
    cache: 'no-store',
  });
  if (response.ok) return response;
  throw new ApiError(response.status, await response.json().catch(() => null));
}

// --- internal ---

/**
 * @typedef {object} LooseInput
 * @property {Readonly<Record<string, string>>} [params]
 * @property {Readonly<Record<string, unknown>>} [query]
 * @property {unknown} [body]
 * @property {string} [idempotencyKey]
 */

/** @param {string} path @param {Readonly<Record<string, string>>} params */
function filled(path, params) {
  return path.replace(/\{(\w+)\}/g, (_place, name) => encodeURIComponent(params[name] ?? ''));
}

/** @param {Readonly<Record<string, unknown>>} query nothing is asked by what is empty */
function search(query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
  return text === '' ? '' : `?${text}`;
}
