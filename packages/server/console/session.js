import { createApi } from './api.js';

/**
 * Who is signed in. It lives in this object alone: no cookie, no storage, nothing that outlives the page.
 *
 * @typedef {object} Session
 * @property {ReturnType<typeof createApi>} api calls for the account
 * @property {ReturnType<typeof createApi>} issuerApi calls for the issuer that is chosen
 * @property {any} tenant
 * @property {readonly any[]} issuers
 * @property {any} issuer the one that is chosen; null when there is none
 * @property {(issuer: any) => void} choose
 * @property {() => Promise<void>} refresh
 */

/**
 * @param {string} apiKey
 * @returns {Promise<Session>} rejects with an `ApiError` when the key is not accepted
 */
export async function openSession(apiKey) {
  const api = createApi({ apiKey });
  /** @type {{ apiKey: string, issuerId: string | null }} */
  const caller = { apiKey, issuerId: null };
  const session = {
    api,
    issuerApi: createApi(caller),
    tenant: null,
    /** @type {any[]} */
    issuers: [],
    /** @type {any} */
    issuer: null,
    /** @param {any} issuer */
    choose(issuer) {
      session.issuer = issuer;
      caller.issuerId = issuer?.id ?? null;
    },
    async refresh() {
      const [{ tenant }, { issuers }] = await Promise.all([api.get('/v1/tenants/me'), api.get('/v1/issuers')]);
      session.tenant = tenant;
      session.issuers = issuers;
      session.choose(issuers.find((/** @type {any} */ { id }) => id === session.issuer?.id) ?? issuers[0] ?? null);
    },
  };
  await session.refresh();
  return session;
}

/** The issuer's place in numbers: `001-002`. @param {any} issuer */
export function issuerPlace({ branchCode, issuePointCode }) {
  return `${branchCode}-${issuePointCode}`;
}

/** Whole days until a time. @param {string} iso */
export function daysUntil(iso) {
  return Math.floor((new Date(iso).getTime() - Date.now()) / 86_400_000);
}
