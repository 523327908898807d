import { type Static, Type } from '@sinclair/typebox';
import { type IsoDate, toIsoDate, toIssueDate } from '../../calendar.js';
import { parseDecimal, QUANTITY_SCALE, type Scaled } from '../../money.js';
import type { PrepareContext } from '../context.js';
import type { Computed, PreparedBase } from '../document-type.js';
import type { Findings } from '../findings.js';
import { prepareNameValues } from '../parts/additional-info.js';
import { inspectHead, prepareHead } from '../parts/common-parts.js';
import { createPartyInspector, prepareParty } from '../parts/party.js';
import type { NameValue, PreparedParty } from '../parts/prepared.js';
import { createShape, entriesOf } from '../shape.js';
import { normalizeText, optionalText } from '../text.js';
import { carrierSchema, type deliveryGuideSchema, endDate, startDate, supportSchema } from './body.js';

/** A validated delivery guide (guía de remisión). */
export interface PreparedDeliveryGuide extends PreparedBase {
  readonly documentType: '06';
  readonly carrier: PreparedParty;
  readonly licensePlate: string;
  readonly departureAddress: string;
  readonly startDate: IsoDate;
  readonly endDate: IsoDate;
  /** At least one. */
  readonly recipients: readonly PreparedRecipient[];
}

/** A recipient, as written. */
export interface PreparedRecipient {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly email: string | null;
  readonly reason: string;
  readonly customsDocument: string | null;
  readonly branchCode: string | null;
  readonly route: string | null;
  readonly supportingDocument: PreparedSupport | null;
  readonly items: readonly PreparedGoods[];
}

/** The document that supports a transfer, as written. */
export interface PreparedSupport {
  readonly documentType: string;
  readonly number: string;
  readonly authorizationNumber: string | null;
  readonly issueDate: IsoDate | null;
}

/** A line, as written. */
export interface PreparedGoods {
  readonly mainCode: string | null;
  readonly auxiliaryCode: string | null;
  readonly description: string;
  /** Six decimals. */
  readonly quantity: Scaled;
  readonly additionalDetails: readonly NameValue[];
}

/** Validates the well-formed parts of the body of a delivery guide whose shape is wrong. */
export function inspectDeliveryGuide(copy: unknown, context: PrepareContext, findings: Findings): void {
  inspectHead(copy, context, findings);
  inspectCarrier(copy, findings);
  inspectDates(copy, context.keepIssueDate ?? context.today, findings);
}

/** Validates the body of a delivery guide. */
export function prepareDeliveryGuide(
  copy: Body,
  context: PrepareContext,
  findings: Findings,
): Computed<PreparedDeliveryGuide> {
  const head = prepareHead(copy, context, findings);
  const carrier = prepareParty(copy.carrier, 'carrier', findings);
  inspectDates(copy, head.issueDate, findings);

  return {
    ...head,
    carrier,
    licensePlate: normalizeText(copy.licensePlate),
    departureAddress: normalizeText(copy.departureAddress),
    startDate: toIsoDate(copy.startDate) ?? '',
    endDate: toIsoDate(copy.endDate) ?? '',
    recipients: copy.recipients.map(prepareRecipient),
  };
}

// --- internal ---

type Body = Static<typeof deliveryGuideSchema>;
type Recipient = Body['recipients'][number];

const inspectCarrier = createPartyInspector('carrier', carrierSchema);
const STARTED = createShape(Type.Object({ startDate }));
const ENDED = createShape(Type.Object({ startDate, endDate }));
const SUPPORTED = createShape(
  Type.Object({ supportingDocument: Type.Object({ issueDate: supportSchema.properties.issueDate }) }),
);

/** Checks the well-formed dates against the issue date and each other. */
function inspectDates(copy: unknown, issueDate: IsoDate, findings: Findings): void {
  // The SRI returns such a document with code 82.
  if (STARTED.fits(copy)) checkNotEarlier('startDate', copy.startDate, issueDate, findings);
  if (ENDED.fits(copy)) checkNotEarlier('endDate', copy.endDate, toIsoDate(copy.startDate) ?? '', findings);
  for (const [index, recipient] of entriesOf(copy, 'recipients').entries()) {
    const support = SUPPORTED.fits(recipient) ? recipient.supportingDocument.issueDate : null;
    if (support && (toIsoDate(support) ?? '') > issueDate) {
      findings.fail(`recipients[${index}].supportingDocument.issueDate`, 'notLater', { date: toIssueDate(issueDate) });
    }
  }
}

function checkNotEarlier(field: string, text: string, than: IsoDate, findings: Findings): void {
  if ((toIsoDate(text) ?? '') < than) findings.fail(field, 'notEarlier', { date: toIssueDate(than) });
}

function prepareRecipient(recipient: Recipient): PreparedRecipient {
  const { supportingDocument: support } = recipient;
  return {
    id: normalizeText(recipient.id),
    name: normalizeText(recipient.name),
    address: normalizeText(recipient.address),
    email: recipient.email || null,
    reason: normalizeText(recipient.reason),
    customsDocument: optionalText(recipient.customsDocument),
    branchCode: recipient.branchCode || null,
    route: optionalText(recipient.route),
    supportingDocument: support
      ? {
          documentType: support.documentType,
          number: support.number,
          authorizationNumber: support.authorizationNumber || null,
          issueDate: support.issueDate ? toIsoDate(support.issueDate) : null,
        }
      : null,
    items: recipient.items.map((item) => ({
      mainCode: optionalText(item.mainCode),
      auxiliaryCode: optionalText(item.auxiliaryCode),
      description: normalizeText(item.description),
      quantity: parseDecimal(item.quantity, QUANTITY_SCALE),
      additionalDetails: prepareNameValues(item.additionalDetails),
    })),
  };
}
