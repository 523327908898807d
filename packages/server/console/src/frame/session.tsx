import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiKey, Client, ListedIssuer, Tenant } from 'sri-core/client';
import type { FormType } from '../forms/form-types.js';
import { type AskOptions, ask, createApi } from './api.js';
import { useLanguage } from './language.js';

/** A company that the browser is signed in to, by one of its keys. */
export interface Account {
  readonly keyId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly ruc: string;
  readonly environment: 'sandbox' | 'production';
  readonly scopes: readonly Scope[];
}

/** The answer of the console's session. */
export interface SessionAnswer {
  readonly csrf: string | null;
  readonly accounts: readonly Account[];
  readonly server: {
    readonly use: 'own' | 'service';
    readonly hasGuide: boolean;
    readonly hasMails: boolean;
    /** Whether registration is open to the public. */
    readonly isOpen: boolean;
    readonly keyBrand: string;
  };
}

/** A permission of a key. */
export type Scope = ApiKey['scopes'][number];

/** A company with all that its pages need. */
export interface Work {
  readonly account: Account;
  readonly accounts: readonly Account[];
  readonly server: SessionAnswer['server'];
  readonly tenant: Tenant;
  readonly issuers: readonly ListedIssuer[];
  /** The point whose documents are shown and created; null for the documents of all points. */
  readonly issuer: ListedIssuer | null;
  /** The types that the key may issue at the selected point, else at the first. */
  readonly types: readonly FormType[];
  /** Calls for the selected point, else for the first. */
  readonly api: Client;
  /** Calls for another point. */
  apiOf(issuerId: string): Client;
  /** Calls an address of the server's own web application, as this company. @throws ApiError */
  ask<Answer>(path: string, options?: AskOptions): Promise<Answer>;
  /** Whether the key has a permission. The pages hide actions without one. */
  can(scope: Scope): boolean;
  choose(issuerId: string | null): void;
  /** Shows another company. */
  switchTo(keyId: string): void;
  /** Reads account and points again. */
  refresh(): Promise<void>;
  /** Continues with a session that a page opened. */
  enter(session: SessionAnswer): void;
  signOut(): Promise<void>;
}

/** The shared state of the parts of the page. */
export const WorkContext = createContext<Work | null>(null);

/** The current company and its calls. */
export function useWork(): Work {
  // Every page calls this, and so shows another language at once.
  useLanguage();
  const work = useContext(WorkContext);
  if (!work) throw new Error('This page needs a session.');
  return work;
}

/** The companies that the browser is signed in to. */
export function readSession(): Promise<SessionAnswer> {
  return ask('/console/session');
}

/** Signs in with a key, next to the companies that the browser is signed in to. @throws ApiError */
export async function signIn(apiKey: string): Promise<SessionAnswer> {
  const session = await ask<SessionAnswer>('/console/session', {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  });
  remember('account', session.accounts[0]?.keyId ?? null);
  return session;
}

/** Makes the first company of a server. @throws ApiError */
export function startWith(token: string): Promise<SessionAnswer> {
  return ask('/console/first-session', { method: 'POST', body: { token } });
}

/** Ends the session of one key. */
export function endSession(csrf: string, keyId: string): Promise<SessionAnswer> {
  return ask(`/console/session?key=${keyId}`, { method: 'DELETE', headers: { 'x-csrf-token': csrf } });
}

/** The company to show first: the one of this tab, else the newest. */
export function pickAccount({ accounts }: SessionAnswer): Account | null {
  const wanted = recall('account');
  return accounts.find(({ keyId }) => keyId === wanted) ?? accounts[0] ?? null;
}

/** The data that every page of a company needs. @throws ApiError */
export async function readCompany(account: Account, csrf: string) {
  const api = createApi({ keyId: account.keyId, csrf, issuerId: null });
  const [{ tenant }, { issuers }] = await Promise.all([
    api.call('getTenant', {}),
    account.scopes.includes('issuers:read') ? api.call('listIssuers', {}) : { issuers: [] },
  ]);
  return { tenant, issuers };
}

/** A value that this tab keeps over a reload, and that a new tab starts with. Never a secret. */
export function recall(name: string): string | null {
  return sessionStorage.getItem(`sri-console.${name}`) ?? localStorage.getItem(`sri-console.${name}`);
}

/** Remembers a value; null forgets it. */
export function remember(name: string, value: string | null): void {
  for (const storage of [sessionStorage, localStorage]) {
    if (value === null) storage.removeItem(`sri-console.${name}`);
    else store(storage, name, value);
  }
}

/** Calls back with each value that another tab remembers or shares under a name. @returns a function that stops it. */
export function hear(name: string, heard: (value: string) => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (key === `sri-console.${name}` && newValue !== null) heard(newValue);
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}

/** Remembers a value for this tab alone: what another tab remembers later does not change it. */
export function hold(name: string, value: string): void {
  store(sessionStorage, name, value);
}

/** A value that all tabs share, also tabs that were closed or asleep at its change. */
export function shared(name: string): string | null {
  return localStorage.getItem(`sri-console.${name}`);
}

/** Shares a value with all tabs. */
export function share(name: string, value: string): void {
  store(localStorage, name, value);
}

/** Deletes the drafts and lines of a company from this browser. */
export function forgetCompany(tenantId: string): void {
  for (const storage of [sessionStorage, localStorage]) {
    const names = Object.keys(storage).filter((name) => name.startsWith('sri-console.') && name.includes(tenantId));
    for (const name of names) storage.removeItem(name);
  }
}

// --- internal ---

/** Stores a value; a full storage does not store it, and raises no error. */
function store(storage: Storage, name: string, value: string): void {
  try {
    storage.setItem(`sri-console.${name}`, value);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
