import { Type } from '@sinclair/typebox';
import { TIERS } from '../accounts/index.js';
import { AGREEMENT_TYPES, type AgreementTexts } from '../agreements/index.js';
import { BILLING_INTERVALS } from '../billing/index.js';
import { json } from '../platform/http/answer.js';
import { jsonBody, LARGE_BODY } from '../platform/http/body-input.js';
import { optional, required } from '../platform/http/field.js';
import { choice, jsonText, pathIdOrNone, textWithin, wrongType } from '../platform/http/fields.js';
import { isJsonObject } from '../platform/http/parse-body.js';
import { routeHandler } from '../platform/http/route.js';
import { listOf, named, okBody, oneOf, text, timestamp } from '../platform/schema-words.js';
import { publishAgreementAs } from './administer-agreements.js';
import { listPrices, publishPrice, withdrawPrice } from './administer-prices.js';
import type { OperatorCall } from './operator-route.js';
import { readPriceText, readTimestamp } from './price-draft.js';
import { listedPriceSchema, priceSchema, showPrice } from './schemas.js';

/** One text for both languages, or one for each. */
const textsField = optional<AgreementTexts>(
  Type.Unsafe({
    anyOf: [
      text('One text for both languages.', '# Términos'),
      { type: 'object', properties: { es: { type: 'string' }, en: { type: 'string' } }, required: ['es', 'en'] },
    ],
    description: 'Markdown: one text for both languages, or one for each.',
    examples: ['# Términos'],
  }),
  (content, fail) => {
    if (typeof content === 'string') return { es: content, en: content };
    if (isJsonObject(content)) {
      const { es, en } = content;
      if (typeof es === 'string' && typeof en === 'string') return { es, en };
    }
    return wrongType(fail, 'string, or {es, en}');
  },
);

const priceField = optional(
  Type.Unsafe<string>({
    type: ['string', 'number'],
    description: 'Dollars before IVA, with at most two decimals.',
    examples: ['22.00'],
  }),
  (value, fail) => {
    const read = typeof value === 'string' || typeof value === 'number' ? readPriceText(String(value)) : null;
    if (read === null) fail('price');
    return read;
  },
);

const momentField = optional(
  timestamp('From when it holds, at least 30 days ahead, with its zone.', '2027-01-31T05:00:00Z'),
  (value, fail) => {
    const sent = textWithin(value, 40, fail, () => fail('required'));
    const moment = sent === null ? null : readTimestamp(sent);
    if (sent !== null && !moment) fail('timestamp');
    return moment;
  },
);

/** `POST /v1/admin/agreements` */
export const postAgreement = routeHandler({
  operation: {
    id: 'publishAgreement',
    summary: 'Puts a version of an agreement in force.',
    answers: {
      201: okBody({
        agreement: named('PublishedAgreement', 'A version of an agreement.', {
          documentType: oneOf(AGREEMENT_TYPES, 'The kind of agreement.'),
          version: text('Name of the version.', '2026-01'),
        }),
      }),
    },
    refuses: ['CONFLICT'],
  },
  body: jsonBody(
    {
      documentType: required(choice(AGREEMENT_TYPES, 'The kind of agreement.')),
      version: required(jsonText(50, 'Name of the version.', '2026-01')),
      contentMarkdown: required(textsField),
    },
    { limit: LARGE_BODY },
  ),
  parse: (_exchange, { body: { contentMarkdown: texts, ...agreement } }) => ({ ...agreement, texts }),
  answer: async ({ exchange, operator }: OperatorCall, agreement) => {
    await publishAgreementAs(exchange.services, operator, agreement);
    const { documentType, version } = agreement;
    return json(201, { ok: true, agreement: { documentType, version } });
  },
});

/** `POST /v1/admin/prices` */
export const postPrice = routeHandler({
  operation: {
    id: 'publishPrice',
    summary: 'Announces a price.',
    answers: { 201: okBody({ price: priceSchema }) },
    refuses: ['CONFLICT'],
  },
  body: jsonBody({
    newPriceUsd: required(priceField),
    effectiveAt: required(momentField),
    tier: required(choice(TIERS, 'The plan.')),
    billingInterval: required(choice(BILLING_INTERVALS, 'How often it is paid.')),
  }),
  answer: async ({ exchange, operator }: OperatorCall, { body: draft }) => {
    const price = await publishPrice(exchange.services, operator, draft);
    return json(201, { ok: true, price: showPrice(price) });
  },
});

/** `DELETE /v1/admin/prices/:id` */
export const deletePrice = routeHandler({
  operation: {
    id: 'withdrawPrice',
    summary: 'Withdraws a price that has not taken effect.',
    answers: { 200: okBody({ price: priceSchema }) },
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  params: { id: pathIdOrNone('price') },
  answer: async ({ exchange, operator }: OperatorCall, { params }) => {
    const price = await withdrawPrice(exchange.services, operator, params.id);
    return json(200, { ok: true, price: showPrice(price) });
  },
});

/** `GET /v1/admin/prices` */
export const getPrices = routeHandler({
  operation: {
    id: 'listPrices',
    summary: 'Lists every price that was published.',
    answers: { 200: okBody({ prices: listOf(listedPriceSchema, 'The prices, in the order in which they hold.') }) },
  },
  answer: async ({ exchange }: OperatorCall) => {
    const prices = await listPrices(exchange.services);
    return json(200, {
      ok: true,
      prices: prices.map((price) => ({ ...showPrice(price), notifiedTenants: price.notifiedTenants })),
    });
  },
});
