import type { Client } from 'sri-core/client';
import type { CatalogEntry, Catalogs } from '../forms/form.js';
import { today } from '../frame/format.js';
import { language } from '../frame/language.js';

/**
 * Catalogs by name, as in force today. Each is requested once, since the smallest plan allows sixty reads a minute.
 * @param everyRate also includes rates of IVA that are not in force.
 */
export async function readCatalogs(api: Client, names: readonly string[], everyRate = false): Promise<Catalogs> {
  const lists = await Promise.all(
    names.map(async (name) => {
      const date = name === 'tax-rates' && everyRate ? null : today();
      const key = [language(), name, date].join(' ');
      const reading = known.get(key) ?? readCatalog(api, name, date);
      known.set(key, reading);
      // A failed read is repeated by the next call.
      reading.catch(() => known.delete(key));
      return [name, await reading] as const;
    }),
  );
  return Object.fromEntries(lists);
}

// --- internal ---

const known = new Map<string, Promise<readonly CatalogEntry[]>>();

async function readCatalog(api: Client, name: string, date: string | null): Promise<readonly CatalogEntry[]> {
  const answer = await api.call('getCatalog', { params: { name }, query: date === null ? {} : { date } });
  const entries = (Object.values(answer).find(Array.isArray) ?? []) as readonly (CatalogEntry | string)[];
  return entries.map((entry) => (typeof entry === 'string' ? { code: '', description: entry } : entry));
}
