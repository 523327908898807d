import type { Client } from 'sri-core/client';
import { recall, remember } from '../frame/session.js';
import type { Suggestion } from '../parts/combobox.js';
import { type Draft, rowsOf } from './form.js';
import { kindOf } from './parts.js';

/** Suggestions from earlier documents. The list's search finds parties; this browser stores lines. */
export type Earlier = ReturnType<typeof createEarlier>;

/** @param tenantId the account whose lines are stored. */
export function createEarlier(api: Client, tenantId: string) {
  const place = `items.${tenantId}`;
  const items = new Map<string, Draft>(Object.entries(JSON.parse(recall(place) ?? '{}') as Record<string, Draft>));
  let isAsked = false;

  /** @param isOlder keeps the stored price of a known line, since it may be from a later document. */
  function learn(body: Draft, isOlder = false): void {
    // A note has the price of its invoice, which may be old, and a delivery guide has none.
    const keepsKnown = isOlder || !PRICED.includes(String(body['documentType']));
    const lines = [...rowsOf(body, 'items'), ...rowsOf(body, 'recipients').flatMap((each) => rowsOf(each, 'items'))];
    for (const line of lines) {
      const { quantity: _quantity, discount: _discount, total: _total, additionalDetails: _details, ...kept } = line;
      const key = `${line['mainCode']} ${line['description']}`;
      if (keepsKnown && items.get(key)?.['unitPrice']) continue;
      items.delete(key);
      items.set(key, { ...kept, ...(line['taxes'] ? { taxes: rowsOf(line, 'taxes').map(withoutAmounts) } : {}) });
    }
    remember(place, JSON.stringify(Object.fromEntries([...items].slice(-MOST_ITEMS))));
  }

  /** Reads the lines of the last documents if this browser has stored none. */
  async function readLast(): Promise<void> {
    if (isAsked || items.size > 0) return;
    isAsked = true;
    const { data } = await api.call('listDocuments', { query: { documentType: '01', limit: LAST_READ } });
    const read = data.map(({ accessKey }) => api.call('getDocument', { params: { accessKey } }));
    for (const { document } of (await Promise.all(read)).reverse()) learn(document.requestPayload ?? {});
  }

  return {
    /** Stores the lines of a document. */
    learn: (body: Draft) => learn(body),
    async suggestParties(text: string): Promise<readonly Suggestion[]> {
      if (text.trim().length < 2) return [];
      const { data } = await api.call('listDocuments', { query: { q: text.trim(), limit: 20 } });
      // The newest document of each party, as the list has them.
      const newest = data.filter(
        ({ counterparty }, place) => place === data.findIndex((each) => each.counterparty.id === counterparty.id),
      );
      return newest
        .filter(({ counterparty: { id } }) => id !== '9999999999999')
        .slice(0, 8)
        .map(({ counterparty: { id, name }, accessKey }) => ({ value: accessKey, label: name, about: id }));
    },
    /** The selected party, as in its earlier document. */
    async pickParty(accessKey: string): Promise<Draft> {
      const { document } = await api.call('getDocument', { params: { accessKey } });
      const body = (document.requestPayload ?? {}) as Draft;
      learn(body, true);
      const { id, name } = document.counterparty;
      // The recipient of goods has no kind.
      const idType = document.counterparty.idType ?? kindOf(id);
      const parties = [body['buyer'], body['supplier'], body['subject'], ...rowsOf(body, 'recipients')] as (
        | Draft
        | undefined
      )[];
      const party = parties.find((each) => each?.['id'] === id);
      return { ...party, ...(idType ? { idType } : {}), id, name };
    },
    async suggestItems(text: string): Promise<readonly Suggestion[]> {
      await readLast().catch(() => {});
      const wanted = text.trim().toLowerCase();
      return [...items]
        .filter(([key]) => key.toLowerCase().includes(wanted))
        .reverse()
        .slice(0, 8)
        .map(([key, { mainCode, description, unitPrice }]) => ({
          value: key,
          label: String(description),
          about: [mainCode, unitPrice && `$${unitPrice}`].filter(Boolean).join(' · '),
        }));
    },
    /** The selected line, as in its earlier document. */
    pickItem: (key: string): Draft => items.get(key) ?? {},
  };
}

// --- internal ---

/** The most lines stored in this browser. */
const MOST_ITEMS = 200;
const LAST_READ = 5;
/** The types whose lines have a price of their day. */
const PRICED = ['01', '03'];

function withoutAmounts({ taxableBase: _base, taxAmount: _amount, ...tax }: Draft): Draft {
  return tax;
}
