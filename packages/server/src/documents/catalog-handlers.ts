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
import type { TenantCall } from '../accounts/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import type { Answer } from '../platform/http/answer.js';
import type { Exchange } from '../platform/http/exchange.js';
import { answerKept } from '../platform/http/kept-answer.js';
import { KEPT_JSON } from '../platform/http/kept-content.js';
import { pathName } from '../platform/http/path-fields.js';
import { defineHandler } from '../platform/http/route.js';
import type { Language } from '../platform/language.js';
import { issueDate, listOf, maybe, named, okBody, oneOf, orNull, text } from '../platform/schema-words.js';

const validity = {
  validFrom: maybe(issueDate('The first day it holds.')),
  validTo: maybe(issueDate('The last day it holds.')),
};
const codeSchema = named('CatalogCode', 'A code of a table of the SRI.', {
  code: text('The code.', '05'),
  shortName: maybe(text('A short name.', 'Factura')),
  description: text('What it means, in the language of the answer.', 'Cédula'),
  ...validity,
});
const rateSchema = named('TaxRate', 'A rate of a tax.', {
  taxCode: text('The tax.', '2'),
  rateCode: text('The rate.', '4'),
  description: text('What it means, in the language of the answer.', '15 %'),
  rate: orNull(text('Percentage, or dollars a unit where `basis` says so; null where one has to know it.', '15')),
  basis: oneOf(['value', 'unit', 'mixed'], 'What it is a rate of.'),
  ...validity,
});

/** `GET /v1/catalogs` */
export const listCatalogs = defineHandler({
  operation: {
    id: 'listCatalogs',
    summary: 'Lists the catalogs.',
    answers: { 200: okBody({ catalogs: listOf(text('A name.', 'id-types'), 'Their names.') }), 304: 'nothing' },
  },
  answer: async ({ exchange }: TenantCall) =>
    answerCatalog(exchange, '', () => ({ ok: true, catalogs: [...CATALOGS.keys()] })),
});

/** `GET /v1/catalogs/:name` */
export const getCatalog = defineHandler({
  operation: {
    id: 'getCatalog',
    summary: 'Gives a table of codes of the SRI.',
    answers: {
      200: okBody({
        ...Object.fromEntries(
          ['idTypes', 'paymentMethods', 'termUnits', 'taxTypes', 'documentTypes'].map((member) => [
            member,
            maybe(listOf(codeSchema, 'The codes.')),
          ]),
        ),
        taxRates: maybe(listOf(rateSchema, 'The rates.')),
      }),
      304: 'nothing',
    },
    refuses: ['NOT_FOUND'],
  },
  params: { name: pathName('Name of the catalog, as the list gives it.', 'id-types') },
  answer: async ({ exchange }: TenantCall, { params: { name } }) => {
    const catalog = CATALOGS.get(name);
    if (!catalog) throw new Refusal('NOT_FOUND');
    return answerCatalog(exchange, name, () => ({ ok: true, [catalog.member]: catalog.rows(exchange.language) }));
  },
});

// --- internal ---

function answerCatalog(exchange: Exchange, name: string, make: () => object): Answer {
  const { language, services } = exchange;
  const kept = services.kept.get(`catalog ${name} ${language}`, KEPT_JSON, () => JSON.stringify(make()));
  return answerKept(exchange, kept, { 'content-language': language, vary: 'Accept-Language' });
}

/** A catalog: its public name, and its rows in a language. */
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

/** `rate` is a percentage, or dollars per unit according to `basis`; null where the caller supplies it. */
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
