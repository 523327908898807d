import { type Static, Type } from '@sinclair/typebox';
import { type IsoDate, toIsoDate, toIssueDate } from '../../calendar.js';
import { isTaxRate } from '../../catalogs/tax-rates.js';
import type { PrepareContext } from '../context.js';
import type { Findings } from '../findings.js';
import { createShape, entriesOf } from '../shape.js';
import { prepareAdditionalInfo } from './additional-info.js';
import type { HeadBody } from './bodies.js';
import { createItemPreparer } from './items.js';
import { createPartyInspector, prepareParty } from './party.js';
import type { NameValue, PreparedItem, PreparedParty } from './prepared.js';
import {
  additionalInfo,
  buyerSchema,
  issueDate,
  itemsSchema,
  type itemsWithOptionalSums,
  MEASURES,
  taxesWithOptionalSums,
} from './schemas.js';

/** The common fields of bodies with lines and a buyer. */
interface CommonBody extends HeadBody {
  readonly buyer: Static<typeof buyerSchema>;
  readonly items: Static<typeof itemsWithOptionalSums>;
}

/** The parts of every document, validated. */
export interface HeadParts {
  readonly issueDate: IsoDate;
  readonly additionalInfo: readonly NameValue[];
}

/** The common parts of documents with lines and a buyer, validated and computed. */
export interface CommonParts extends HeadParts {
  readonly buyer: PreparedParty;
  readonly items: readonly PreparedItem[];
}

/** Validates and computes the common parts. `rateDate` is the day whose tax rates count; default the issue date. */
export function prepareCommonParts(
  body: CommonBody,
  context: PrepareContext,
  findings: Findings,
  rateDate: IsoDate = context.keepIssueDate ?? context.today,
): CommonParts {
  return {
    ...prepareHead(body, context, findings),
    buyer: prepareParty(body.buyer, 'buyer', findings),
    items: body.items.map(createItemPreparer(rateDate, findings)),
  };
}

/** Validates the parts of every document. */
export function prepareHead(body: HeadBody, context: PrepareContext, findings: Findings): HeadParts {
  return {
    issueDate: prepareIssueDate(body.issueDate, context, findings),
    additionalInfo: prepareAdditionalInfo(body.additionalInfo, context, findings),
  };
}

/** Validates the well-formed parts of a body whose shape is wrong, so that one answer names every failure. */
export function inspectCommonParts(copy: unknown, context: PrepareContext, findings: Findings): void {
  inspectHead(copy, context, findings);
  inspectBuyer(copy, findings);
  inspectItems(copy, findings);
}

/** As `inspectCommonParts`, for the parts of every document. */
export function inspectHead(copy: unknown, context: PrepareContext, findings: Findings): void {
  if (DATED.fits(copy)) prepareIssueDate(copy.issueDate, context, findings);
  if (WITH_INFO.fits(copy)) prepareAdditionalInfo(copy.additionalInfo, context, findings);
}

/** As `inspectCommonParts`, for the buyer. */
export const inspectBuyer = createPartyInspector('buyer', buyerSchema);

/** As `inspectCommonParts`, for the lines. */
export function inspectItems(copy: unknown, findings: Findings): void {
  const prepareItem = createItemPreparer(null, findings);
  entriesOf(copy, 'items').forEach((item, index) => {
    if (ITEM.fits(item)) prepareItem(item, index);
    else inspectRates(item, `items[${index}]`, findings);
  });
}

/** As `inspectCommonParts`, for the taxes of an incomplete line or reason. Fails for a rate code outside the table. */
export function inspectRates(line: unknown, field: string, findings: Findings): void {
  entriesOf(line, 'taxes').forEach((tax, index) => {
    if (!RATED.fits(tax) || isTaxRate(tax.code, tax.rateCode)) return;
    findings.fail(`${field}.taxes[${index}].rateCode`, 'catalog', { catalog: 'tax-rates' });
  });
}

// --- internal ---

const DATED = createShape(Type.Object({ issueDate }));
const WITH_INFO = createShape(Type.Object({ additionalInfo }));
/** Has the fields of every type; a copy has only the fields of its own type. */
const ITEM = createShape(itemsSchema(taxesWithOptionalSums, MEASURES).items);
const RATED = createShape(Type.Pick(taxesWithOptionalSums.items, ['code', 'rateCode']));

function prepareIssueDate(text: string | null | undefined, context: PrepareContext, findings: Findings): IsoDate {
  const { today, keepIssueDate } = context;
  const date = text ? toIsoDate(text) : null;
  if (date && date !== today && date !== keepIssueDate) {
    findings.fail('issueDate', 'today', { today: toIssueDate(today) });
  }
  return keepIssueDate ?? today;
}
