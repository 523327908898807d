import { createApi } from './api.js';

/** @typedef {import('sri-core/client').Tenant} Tenant */
/** @typedef {import('sri-core/client').ListedIssuer} Issuer */

/**
 * What is to be told of a document on its page: what the server warned of when it was made, and why it was not sent.
 *
 * @typedef {object} DocumentNotice
 * @property {readonly import('sri-core/client').Warning[]} warnings
 * @property {unknown} [failure]
 * @property {string} [advice] what an annulment also needs
 */

/**
 * Who is signed in. It lives in this object alone: no cookie, no storage, nothing that outlives the page.
 *
 * @typedef {object} Session
 * @property {import('./api.js').Api} api calls for the account, and for the issuer that is chosen
 * @property {Tenant} tenant
 * @property {readonly Issuer[]} issuers
 * @property {Issuer | null} issuer the one that is chosen; null without a choice
 * @property {Map<string, DocumentNotice>} notices by the access key of their document
 * @property {Map<string, readonly import('./form-body.js').CatalogEntry[]>} catalogs that the forms asked for
 * @property {(issuer: Issuer | null) => void} choose
 * @property {() => Promise<void>} refresh
 */

/**
 * @param {string} apiKey
 * @returns {Promise<Session>} rejects with an `ApiError` when the key is not accepted
 */
export async function openSession(apiKey) {
  /** @type {{ apiKey: string, issuerId: string | null }} */
  const caller = { apiKey, issuerId: null };
  const api = createApi(caller);
  const read = async () => {
    const [{ tenant }, { issuers }] = await Promise.all([api.call('getTenant', {}), api.call('listIssuers', {})]);
    return { tenant, issuers };
  };
  /** @type {Session} */
  const session = {
    api,
    ...(await read()),
    issuer: null,
    notices: new Map(),
    catalogs: new Map(),
    choose(issuer) {
      session.issuer = issuer;
      caller.issuerId = issuer?.id ?? null;
    },
    async refresh() {
      Object.assign(session, await read());
      session.choose(session.issuers.find(({ id }) => id === session.issuer?.id) ?? session.issuers[0] ?? null);
    },
  };
  session.choose(session.issuers[0] ?? null);
  return session;
}

/** The issuer's place in numbers: `001-002`. @param {{ branchCode: string, issuePointCode: string }} issuer */
export function issuerPlace({ branchCode, issuePointCode }) {
  return `${branchCode}-${issuePointCode}`;
}

/** The name a person knows the issuer by, behind its place in numbers. @param {Issuer} issuer */
export function issuerName(issuer) {
  return `${issuerPlace(issuer)} ${issuer.tradeName ?? issuer.businessName}`;
}

/** Whole days until a time. @param {string} iso */
export function daysUntil(iso) {
  return Math.floor((new Date(iso).getTime() - Date.now()) / 86_400_000);
}
