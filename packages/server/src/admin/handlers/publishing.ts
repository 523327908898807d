import { BILLING_INTERVALS } from '../../billing/account.js';
import { json } from '../../http/answer.js';
import { isJsonObject } from '../../http/parse-body.js';
import { defineHandler, type OperatorCall } from '../../http/route.js';
import type { AgreementTexts } from '../../store/agreements.js';
import { AGREEMENT_TYPES } from '../../tenancy/agreement.js';
import { TIERS } from '../../tenancy/plans.js';
import { publishAgreementAs } from '../agreement-administration.js';
import { listPrices, publishPrice } from '../price-administration.js';
import { readPriceText, readTimestamp } from '../price-draft.js';
import { showPrice } from '../shown.js';
import { BodyReader } from './read-request.js';

/** `POST /v1/admin/agreements` */
export const postAgreement = defineHandler({
  parse: async (exchange) => {
    const body = new BodyReader(await exchange.json());
    return body.done({
      documentType: body.choice('documentType', AGREEMENT_TYPES),
      version: body.text('version', { max: 50 }),
      texts: readTexts(body),
    });
  },
  answer: async ({ exchange, operator }: OperatorCall, agreement) => {
    await publishAgreementAs(exchange.services, operator, agreement);
    const { documentType, version } = agreement;
    return json(201, { ok: true, agreement: { documentType, version } });
  },
});

/** `POST /v1/admin/prices` */
export const postPrice = defineHandler({
  parse: async (exchange) => {
    const body = new BodyReader(await exchange.json());
    const price = body.value('newPriceUsd');
    const newPriceUsd = typeof price === 'string' || typeof price === 'number' ? readPriceText(String(price)) : null;
    if (newPriceUsd === null) body.fail('newPriceUsd', price === undefined ? 'required' : 'price');
    const moment = body.text('effectiveAt', { max: 40 });
    const effectiveAt = moment === null ? null : readTimestamp(moment);
    if (moment !== null && effectiveAt === null) body.fail('effectiveAt', 'timestamp');
    return body.done({
      tier: body.choice('tier', TIERS),
      billingInterval: body.choice('billingInterval', BILLING_INTERVALS),
      newPriceUsd,
      effectiveAt,
    });
  },
  answer: async ({ exchange, operator }: OperatorCall, draft) => {
    const price = await publishPrice(exchange.services, operator, draft);
    return json(201, { ok: true, price: showPrice(price) });
  },
});

/** `GET /v1/admin/prices` */
export const getPrices = defineHandler({
  answer: async ({ exchange }: OperatorCall) => {
    const prices = await listPrices(exchange.services);
    return json(200, {
      ok: true,
      prices: prices.map((price) => ({ ...showPrice(price), toldTenants: price.toldTenants })),
    });
  },
});

// --- internal ---

/** One text for both languages, or one for each. */
function readTexts(body: BodyReader): AgreementTexts | null {
  const content = body.value('contentMarkdown');
  if (typeof content === 'string') return { es: content, en: content };
  if (isJsonObject(content)) {
    const { es, en } = content;
    if (typeof es === 'string' && typeof en === 'string') return { es, en };
  }
  if (content === undefined) body.fail('contentMarkdown', 'required');
  else body.fail('contentMarkdown', 'type', { expected: 'string, or {es, en}' });
  return null;
}
