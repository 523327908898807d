import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TENANT_TRANSITIONS } from '../accounts/tenant.js';
import { PAYMENT_TRANSITIONS, SUBSCRIPTION_TRANSITIONS } from '../billing/account.js';
import { API_KEY_TRANSITIONS, PROOF_TRANSITIONS } from '../testing/row-transitions.js';
import { DELIVERY_TRANSITIONS } from '../webhooks/delivery.js';
import { IllegalTransitionError, requireTransition, statusesBefore, type Transitions } from './transitions.js';

/** In the order of the documentation. */
const TABLES: Readonly<Record<string, Transitions<string>>> = {
  account: TENANT_TRANSITIONS,
  subscription: SUBSCRIPTION_TRANSITIONS,
  payment: PAYMENT_TRANSITIONS,
  proof: PROOF_TRANSITIONS,
  key: API_KEY_TRANSITIONS,
  delivery: DELIVERY_TRANSITIONS,
};

describe.each(Object.entries(TABLES))('the table of a status: %s', (_name, table) => {
  const statuses = Object.keys(table);

  it('a table of statuses leads only to its own statuses', () => {
    for (const to of Object.values(table).flat()) expect(statuses).toContain(to);
  });

  it.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))(
    'a change from %s to %s is allowed or rejected by the table',
    (from, to) => {
      const isLegal = table[from]?.includes(to) ?? false;
      const change = () => requireTransition(table, from, to);
      if (isLegal) expect(change).not.toThrow();
      else expect(change).toThrow(IllegalTransitionError);
      expect(statusesBefore(table, to).includes(from)).toBe(isLegal);
      expect(statusesBefore(table, to)).toEqual(statuses.filter((status) => table[status]?.includes(to)));
    },
  );
});

describe('a status', () => {
  it('the status of each kind of object is changed in one file', () => {
    const root = fileURLToPath(new URL('../', import.meta.url));
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('testing/'))
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
    const found = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/updateTable\('(\w+)'\)\s*\.set\(([\s\S]*?)\)\s*\.where/g)]
        .filter(([, table = '', set = '']) => STATUS_COLUMNS[table]?.test(set))
        .map(([, table]) => `${table} in ${path}`),
    );
    expect([...new Set(found)].toSorted()).toEqual([
      'api_keys in keys/revocation-rows.ts',
      'jobs in platform/jobs/job-rows.ts',
      'payment_proofs in billing/proof-rows.ts',
      'payments in billing/rows.ts',
      'subscriptions in billing/rows.ts',
      'tenants in accounts/status-rows.ts',
    ]);
  });
});

describe('the documentation', () => {
  it.each(['en', 'es'])('the documentation shows the tables of the code (%s)', (language) => {
    const page = readFileSync(
      fileURLToPath(new URL(`../../../../docs/${language}/states.md`, import.meta.url)),
      'utf8',
    );
    const shown = page
      .split(/^## /m)
      .slice(1)
      .map((section) => Object.fromEntries([...section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(readRow)));
    expect(shown).toEqual(Object.values(TABLES));
  });
});

// --- internal ---

/**
 * How to recognize a statement that changes the status of a row. Billing writes whole rows, which passed their tables
 * before.
 */
const STATUS_COLUMNS: Readonly<Record<string, RegExp>> = {
  tenants: /\bstatus(_before_suspension)?:/,
  api_keys: /\bactive:/,
  payment_proofs: /\bactive:/,
  jobs: /\bstatus\b|change/,
  subscriptions: /\bchanged\b|\bstatus\b/,
  payments: /\brow\b|\bstatus\b/,
};

function readRow([, from = '', to = '']: readonly string[]): readonly [string, readonly string[]] {
  return [from, [...to.matchAll(/`(\w+)`/g)].map(([, status = '']) => status)];
}
