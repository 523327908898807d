import {
  type CatalogEntry,
  countries,
  documentTypes,
  type IsoDate,
  idTypes,
  isInForce,
  type Language,
  paymentMethods,
  supportCodes,
  supportDocumentTypes,
  type TaxRate,
  taxRates,
  taxTypes,
  termUnits,
  toIssueDate,
  transferReasons,
  withholdingCodes,
  withholdingTaxes,
} from 'sri-core';
import type { TenantCall } from '../accounts/index.js';
import { Refusal } from '../platform/errors/refusal.js';
import { type Answer, json } from '../platform/http/answer.js';
import type { Exchange } from '../platform/http/exchange.js';
import { pathName, queryDate } from '../platform/http/fields.js';
import { routeHandler } from '../platform/http/route.js';
import { answerStatic } from '../platform/http/static-answer.js';
import { JSON_TYPE, toStaticContent } from '../platform/http/static-content.js';
import { issueDate, listOf, maybe, named, okBody, oneOf, orNull, text } from '../platform/schema-words.js';

const validity = {
  validFrom: maybe(issueDate('The first day it holds.')),
  validTo: maybe(issueDate('The last day it holds.')),
};
const codeSchema = named('CatalogCode', 'A code of a table of the SRI.', {
  code: text('The code.', '05'),
  shortName: maybe(text('A short name.', 'Factura')),
  description: text('What it means, in the language of the answer.', 'Cédula'),
  tax: maybe(text('The tax that a withholding code belongs to.', '1')),
  rate: maybe(text('Percentage, of a withholding code with a fixed one.', '2')),
  documentTypes: maybe(listOf(text('A code.', '01'), 'The supporting documents that go with a support code.')),
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

const CODE_MEMBERS = [
  'idTypes',
  'paymentMethods',
  'termUnits',
  'taxTypes',
  'documentTypes',
  'withholdingTaxes',
  'withholdingCodes',
  'supportCodes',
  'supportDocumentTypes',
  'countries',
];

/** `GET /v1/catalogs` */
export const listCatalogs = routeHandler({
  operation: {
    id: 'listCatalogs',
    summary: 'Lists the catalogs.',
    answers: { 200: okBody({ catalogs: listOf(text('A name.', 'id-types'), 'Their names.') }), 304: 'nothing' },
  },
  answer: async ({ exchange }: TenantCall) =>
    answerCatalog(exchange, '', () => ({ ok: true, catalogs: [...CATALOGS.keys()] })),
});

/** `GET /v1/catalogs/:name` */
export const getCatalog = routeHandler({
  operation: {
    id: 'getCatalog',
    summary: 'Gives a table of codes of the SRI.',
    answers: {
      200: okBody({
        ...Object.fromEntries(CODE_MEMBERS.map((member) => [member, maybe(listOf(codeSchema, 'The codes.'))])),
        taxRates: maybe(listOf(rateSchema, 'The rates.')),
        transferReasons: maybe(
          listOf(text('A reason.', 'Venta'), 'Usual reasons for moving goods, as a delivery guide states them.'),
        ),
      }),
      304: 'nothing',
    },
    refuses: ['NOT_FOUND'],
  },
  params: { name: pathName('Name of the catalog, as the list gives it.', 'id-types') },
  query: { date: queryDate('Only what is in force on that day, DD/MM/YYYY.') },
  answer: async ({ exchange }: TenantCall, { params: { name }, query: { date } }) => {
    const catalog = CATALOGS.get(name);
    if (!catalog) throw new Refusal('NOT_FOUND', { found: CATALOGS_THERE_ARE });
    const make = () => ({ ok: true, [catalog.member]: catalog.rows(exchange.language, date) });
    // Of all days, there are too many to keep.
    return date === null ? answerCatalog(exchange, name, make) : json(200, make(), languageHeaders(exchange));
  },
});

// --- internal ---

async function answerCatalog(exchange: Exchange, name: string, make: () => object): Promise<Answer> {
  const { language, services } = exchange;
  const content = () => toStaticContent(JSON_TYPE, JSON.stringify(make()));
  const kept = await services.staticContents.get(`catalog ${name} ${language}`, content);
  return answerStatic(exchange, kept, languageHeaders(exchange));
}

function languageHeaders({ language }: Exchange) {
  return { 'content-language': language, vary: 'Accept-Language' };
}

/** A catalog: the name of its list, and its rows in a language; with a day, the rows in force. */
interface Catalog {
  readonly member: string;
  readonly rows: (language: Language, date: IsoDate | null) => readonly (object | string)[];
}

/** A row of a catalog of codes. */
interface CodeRow extends CatalogEntry {
  readonly shortName?: string;
  readonly tax?: string;
  readonly rate?: string | null;
  readonly documentTypes?: readonly string[];
}

const CATALOGS: ReadonlyMap<string, Catalog> = new Map([
  ['id-types', ofCodes('idTypes', idTypes)],
  ['payment-methods', ofCodes('paymentMethods', paymentMethods)],
  ['term-units', ofCodes('termUnits', termUnits)],
  ['tax-types', ofCodes('taxTypes', taxTypes)],
  [
    'tax-rates',
    { member: 'taxRates', rows: (language, date) => inForce(taxRates, date).map((rate) => toRateRow(rate, language)) },
  ],
  ['document-types', ofCodes('documentTypes', documentTypes)],
  ['withholding-taxes', ofCodes('withholdingTaxes', withholdingTaxes)],
  ['withholding-codes', ofCodes('withholdingCodes', withholdingCodes)],
  ['support-codes', ofCodes('supportCodes', supportCodes)],
  ['support-document-types', ofCodes('supportDocumentTypes', supportDocumentTypes)],
  ['countries', ofCodes('countries', countries)],
  // A document carries the Spanish text.
  ['transfer-reasons', { member: 'transferReasons', rows: () => transferReasons.map(({ es }) => es) }],
]);

const NAMES = [...CATALOGS.keys()].join(', ');
const CATALOGS_THERE_ARE = { es: `Los catálogos son: ${NAMES}.`, en: `The catalogs are: ${NAMES}.` };

function ofCodes(member: string, entries: readonly CodeRow[]): Catalog {
  return {
    member,
    rows: (language, date) =>
      inForce(entries, date).map(({ code, description, shortName, tax, rate, documentTypes, ...entry }) => ({
        ...(tax ? { tax } : {}),
        code,
        ...(shortName ? { shortName } : {}),
        description: description[language],
        ...(rate ? { rate } : {}),
        ...(documentTypes ? { documentTypes } : {}),
        ...toValidity(entry),
      })),
  };
}

function inForce<Row extends Pick<CatalogEntry, 'validFrom' | 'validTo'>>(
  rows: readonly Row[],
  date: IsoDate | null,
): readonly Row[] {
  return date === null ? rows : rows.filter((row) => isInForce(row, date));
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
