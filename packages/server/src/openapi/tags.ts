import type { Route } from '../gate/route.js';

/** The groups of routes, in the order of the reference page. */
export const TAGS = {
  Documents: 'The six electronic documents: create, send, follow, correct and download them.',
  Issuers: 'Branches and issue points, their certificates, document types and counters.',
  Keys: 'Keys of the interface and their scopes.',
  Webhooks: 'Addresses that receive events.',
  Notifications: 'Notifications of the account, and their preferences.',
  Catalogs: 'Tables of codes of the SRI.',
  Account: 'The account, its history, agreements and move to production.',
  Onboarding: 'How accounts begin and are recovered.',
  Billing: 'Plans, subscriptions and payments.',
  Internal: 'For the web application alone.',
  Operator: 'For the operator of the server.',
  Server: 'The server itself: its health and its description.',
} as const satisfies Readonly<Record<string, string>>;

/** A group of routes. */
export type Tag = keyof typeof TAGS;

/** The group of a route. */
export function tagOf({ access, path }: Pick<Route, 'access' | 'path'>): Tag {
  if (access === 'admin') return 'Operator';
  const [, version = '', area = ''] = path.split('/');
  return version === 'v1' ? (BY_AREA[area] ?? 'Account') : 'Server';
}

// --- internal ---

const BY_AREA: Readonly<Record<string, Tag>> = {
  documents: 'Documents',
  issuers: 'Issuers',
  keys: 'Keys',
  webhooks: 'Webhooks',
  notifications: 'Notifications',
  catalogs: 'Catalogs',
  register: 'Onboarding',
  recover: 'Onboarding',
  'resend-verification': 'Onboarding',
  'verify-email': 'Onboarding',
  tiers: 'Billing',
  subscriptions: 'Billing',
  payments: 'Billing',
  internal: 'Internal',
};
