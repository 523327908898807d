import { language } from './texts.js';

/** A refusal of the server, as it says it. */
export class ApiError extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.detail ?? `HTTP ${status}`);
    this.status = status;
    this.code = body?.code ?? null;
    /** @type {readonly { field: string, message: string }[]} */
    this.errors = body?.errors ?? [];
    this.requestId = body?.requestId ?? null;
  }
}

/**
 * Calls the server this page came from. The key stays in this object and dies with the page.
 *
 * @param {{ apiKey?: string, issuerId?: string | null }} caller
 */
export function createApi(caller) {
  /** @param {string} method @param {string} path @param {{ body?: unknown, headers?: Record<string, string> }} [content] */
  async function request(method, path, { body, headers = {} } = {}) {
    const isForm = body instanceof FormData;
    const response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        'accept-language': language(),
        ...(caller.apiKey ? { authorization: `Bearer ${caller.apiKey}` } : {}),
        ...(caller.issuerId ? { 'x-issuer-id': caller.issuerId } : {}),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      credentials: 'omit',
      cache: 'no-store',
    });
    if (response.ok) return response;
    throw new ApiError(response.status, await response.json().catch(() => null));
  }

  return {
    /** @param {string} path @returns {Promise<any>} */
    get: async (path) => (await request('GET', path)).json(),
    /** @param {string} path @param {unknown} [body] @param {Record<string, string>} [headers] @returns {Promise<any>} */
    post: async (path, body, headers) =>
      (await request('POST', path, { body, ...(headers ? { headers } : {}) })).json(),
    /** @param {string} path @param {unknown} body @returns {Promise<any>} */
    patch: async (path, body) => (await request('PATCH', path, { body })).json(),
    /** @param {string} path @param {unknown} body @returns {Promise<any>} */
    put: async (path, body) => (await request('PUT', path, { body })).json(),
    /** @param {string} path @returns {Promise<any>} */
    remove: async (path) => (await request('DELETE', path)).json(),
    /** @param {string} path */
    file: async (path) => (await request('GET', path)).blob(),
    /** @param {string} path */
    text: async (path) => (await request('GET', path)).text(),
  };
}
