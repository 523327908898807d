import { isWritableText, normalizeText, textLength } from 'sri-core';
import { renderMarkdown } from '../agreements/markdown.js';
import { invalid, type RuleFailure, ruleFailure } from '../errors.js';
import { type Answer, json, page } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { messagePage } from '../http/problem-page.js';
import { defineHandler, type PublicCall, type TenantCall } from '../http/route.js';
import type { Language } from '../language.js';
import { AGREEMENT_TYPES, type AgreementType, isAgreementType } from '../tenancy/agreement.js';
import { type AcceptanceRequest, acceptAgreements } from '../tenancy/agreements-acceptance.js';
import { MAX_VERSION_LENGTH } from '../tenancy/agreements-publishing.js';
import {
  readOwnAgreement,
  readOwnAgreements,
  readOwnStanding,
  readPublishedAgreement,
} from '../tenancy/agreements-reading.js';
import { type AgreementStanding, publishedAgreements } from '../tenancy/agreements-standing.js';
import { showTenant } from './shown-tenant.js';

/** `GET /v1/agreements`: what is published now. */
export const listPublishedAgreements = defineHandler({
  answer: async ({ exchange }: PublicCall) => {
    const { agreements, urls } = exchange.services;
    const documents = (await publishedAgreements(agreements)).map(({ documentType, version }) => ({
      documentType,
      version,
      url: `${urls.baseUrl}/v1/agreements/${documentType}`,
    }));
    return json(200, { ok: true, documents });
  },
});

/** `GET /v1/agreements/:type`: the text as it is published, without anybody's data. */
export const getPublishedAgreement = defineHandler({
  parse: (exchange) => {
    exchange.answersPages = true;
    return readType(exchange);
  },
  answer: async ({ exchange }: PublicCall, type) => {
    const { version, content } = await readPublishedAgreement(exchange.services.agreements, type, exchange.language);
    return toText(exchange, content, exchange.language, { 'x-template-version': version });
  },
});

/** `GET /v1/tenants/agreements` */
export const getAgreements = defineHandler({
  answer: async ({ exchange, context }: TenantCall) => {
    const standing = await readOwnStanding(exchange.services.agreements, context.tenant.id);
    return json(200, { ok: true, agreements: toStandingBody(exchange, standing) });
  },
});

/** `GET /v1/tenants/agreements/history` */
export const getAgreementHistory = defineHandler({
  answer: async ({ exchange, context }: TenantCall) => {
    const copies = await readOwnAgreements(exchange.services.agreements, context.tenant.id);
    const documents = copies.map((copy) => ({
      id: copy.id,
      documentType: copy.documentType,
      templateVersion: copy.templateVersion,
      status: copy.status,
      generatedAt: copy.generatedAt.toISOString(),
      acceptedAt: copy.acceptedAt?.toISOString() ?? null,
      language: copy.language,
      contentSha256: copy.contentSha256,
    }));
    return json(200, { ok: true, documents });
  },
});

/** `GET /v1/tenants/agreements/:type`: the account's own copy. */
export const getAgreement = defineHandler({
  parse: readType,
  answer: async ({ exchange, context }: TenantCall, type) => {
    const { agreement, content } = await readOwnAgreement(exchange.services.agreements, context.tenant.id, type);
    return toText(exchange, content, agreement.language, {
      'x-document-status': agreement.status,
      'x-template-version': agreement.templateVersion,
      ...(agreement.acceptedAt ? { 'x-accepted-at': agreement.acceptedAt.toISOString() } : {}),
    });
  },
});

/** `POST /v1/tenants/agreements` */
export const postAgreements = defineHandler({
  parse: readAcceptance,
  answer: async ({ exchange, context }: TenantCall, request) => {
    const { services } = exchange;
    const { tenant, standing } = await acceptAgreements(services.agreements, context.tenant.id, request);
    return json(200, {
      ok: true,
      agreements: toStandingBody(exchange, standing),
      tenant: await showTenant(services, tenant),
    });
  },
});

// --- internal ---

const MAX_NAME = 300;
const MAX_USER_AGENT = 500;

function toStandingBody(exchange: Exchange, { outdated, hasPublishedAgreements }: AgreementStanding) {
  const { agreements, urls } = exchange.services;
  const acceptUrl = `${urls.baseUrl}/v1/tenants/agreements`;
  return {
    needsAcceptance: outdated.length > 0,
    outdated: outdated.map((entry) => ({ ...entry, url: `${acceptUrl}/${entry.documentType}`, acceptUrl })),
    hasPublishedAgreements,
    agreementsEnabled: agreements.agreementsEnabled,
  };
}

function readType(exchange: Exchange): AgreementType {
  const type = (exchange.params['type'] ?? '').toUpperCase();
  if (isAgreementType(type)) return type;
  throw invalid([ruleFailure('path:type', 'choice', { allowed: AGREEMENT_TYPES.join(', ') })]);
}

async function readAcceptance(exchange: Exchange): Promise<AcceptanceRequest> {
  const { termsVersion, acceptedByName } = await exchange.json();
  const failures: RuleFailure[] = [];
  const version = readText(termsVersion ?? null, { field: 'termsVersion', max: MAX_VERSION_LENGTH }, failures);
  if (termsVersion === undefined || termsVersion === null) failures.push(ruleFailure('termsVersion', 'required'));
  const byName = readText(acceptedByName ?? null, { field: 'acceptedByName', max: MAX_NAME }, failures);
  if (failures.length > 0) throw invalid(failures);
  const userAgent = exchange.header('user-agent')?.slice(0, MAX_USER_AGENT) ?? null;
  return { termsVersion: version ?? '', byName, fromAddress: exchange.clientAddress, userAgent };
}

function readText(
  value: unknown,
  { field, max }: { readonly field: string; readonly max: number },
  failures: RuleFailure[],
): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') {
    failures.push(ruleFailure(field, 'type', { expected: 'string' }));
    return null;
  }
  const text = normalizeText(value);
  if (text === '') failures.push(ruleFailure(field, 'minLength', { min: 1 }));
  else if (!isWritableText(text)) failures.push(ruleFailure(field, 'text'));
  else if (textLength(text) > max) failures.push(ruleFailure(field, 'maxLength', { max }));
  return text;
}

/** A text as Markdown for whoever asks for it, else as a page. */
function toText(
  exchange: Exchange,
  markdown: string,
  language: Language,
  headers: Readonly<Record<string, string>>,
): Answer {
  const told = { ...headers, 'content-language': language, vary: 'Accept, Accept-Language' };
  if (prefersMarkdown(exchange)) {
    const type = 'text/markdown; charset=utf-8';
    return { status: 200, body: { kind: 'content', type, content: markdown }, headers: told };
  }
  const { title, content } = renderMarkdown(markdown);
  const shown = page(200, messagePage(language, title, content));
  return { ...shown, headers: { ...shown.headers, ...told } };
}

/** A page is what whoever names neither gets. */
function prefersMarkdown(exchange: Exchange): boolean {
  const accept = exchange.header('accept') ?? '';
  const markdown = accept.search(/\btext\/markdown\b/i);
  const html = accept.search(/\btext\/html\b/i);
  return markdown >= 0 && (html < 0 || markdown < html);
}
