import {
  type CatalogEntry,
  documentTypes,
  idTypes,
  paymentMethods,
  type TaxRate,
  taxRates,
  taxTypes,
  termUnits,
  toIssueDate,
} from 'sri-core';
import { Refusal } from '../errors.js';
import { json } from '../http/answer.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import type { Language } from '../language.js';

/** `GET /v1/catalogs` */
export const listCatalogs = defineHandler({
  answer: async (_call: TenantCall) => json(200, { ok: true, catalogs: [...CATALOGS.keys()] }),
});

/** `GET /v1/catalogs/:name` */
export const getCatalog = defineHandler({
  parse: (exchange) => exchange.params['name'] ?? '',
  answer: async ({ exchange }: TenantCall, name) => {
    const catalog = CATALOGS.get(name);
    if (!catalog) throw new Refusal('NOT_FOUND');
    return json(200, { ok: true, [catalog.member]: catalog.rows(exchange.language) });
  },
});

// --- internal ---

/** A catalog: under which name it is answered, and its rows in a language. */
interface Catalog {
  readonly member: string;
  readonly rows: (language: Language) => readonly object[];
}

const CATALOGS: ReadonlyMap<string, Catalog> = new Map([
  ['id-types', ofCodes('idTypes', idTypes)],
  ['payment-methods', ofCodes('paymentMethods', paymentMethods)],
  ['term-units', ofCodes('termUnits', termUnits)],
  ['tax-types', ofCodes('taxTypes', taxTypes)],
  ['tax-rates', { member: 'taxRates', rows: (language) => taxRates.map((rate) => toRateRow(rate, language)) }],
  ['document-types', ofCodes('documentTypes', documentTypes)],
]);

function ofCodes(member: string, entries: readonly (CatalogEntry & { readonly shortName?: string })[]): Catalog {
  return {
    member,
    rows: (language) =>
      entries.map(({ code, description, shortName, ...entry }) => ({
        code,
        ...(shortName ? { shortName } : {}),
        description: description[language],
        ...toValidity(entry),
      })),
  };
}

/** `rate` is a percentage, or dollars a unit where `basis` says so; null where the caller has to know it. */
function toRateRow(entry: TaxRate, language: Language) {
  const { taxCode, rateCode, description, rate, basis } = entry;
  return { taxCode, rateCode, description: description[language], rate, basis, ...toValidity(entry) };
}

function toValidity({ validFrom, validTo }: Pick<CatalogEntry, 'validFrom' | 'validTo'>) {
  return {
    ...(validFrom ? { validFrom: toIssueDate(validFrom) } : {}),
    ...(validTo ? { validTo: toIssueDate(validTo) } : {}),
  };
}
