import { Type } from '@sinclair/typebox';
import type { Language } from 'sri-core';
import { showTenant, type TenantCall, tenantSchema } from '../accounts/index.js';
import { type Answer, json, page } from '../platform/http/answer.js';
import { jsonBody } from '../platform/http/body-input.js';
import type { Exchange } from '../platform/http/exchange.js';
import { required } from '../platform/http/field.js';
import { line, pathChoice } from '../platform/http/fields.js';
import { messagePage } from '../platform/http/problem-page.js';
import { type PublicCall, routeHandler } from '../platform/http/route.js';
import { LANGUAGES } from '../platform/language.js';
import {
  flag,
  listOf,
  named,
  okBody,
  oneOf,
  orNull,
  part,
  type Shown,
  text,
  timestamp,
  uuid,
} from '../platform/schema-words.js';
import { acceptAgreements } from './accept-agreements.js';
import { AGREEMENT_TYPES } from './agreement.js';
import { type AgreementStanding, publishedAgreements } from './agreement-standing.js';
import { renderMarkdown } from './markdown.js';
import { MAX_VERSION_LENGTH } from './publish-agreements.js';
import { readOwnAgreement, readOwnAgreements, readOwnStanding, readPublishedAgreement } from './read-agreements.js';

const MAX_NAME = 300;
const MAX_USER_AGENT = 500;

const documentType = oneOf(AGREEMENT_TYPES, 'The kind of agreement.');
const version = text('Name of the version.', '2026-01');

const standingSchema = named('AgreementStanding', 'What the account still has to accept.', {
  needsAcceptance: flag('Whether it has to accept anything.'),
  outdated: listOf(
    part('An agreement that is not accepted as it is published.', {
      documentType,
      currentVersion: version,
      acceptedVersion: orNull(text('The version accepted last.', '2025-01')),
      status: oneOf(['PENDING', 'NOT_GENERATED'], "Where the account's copy stands."),
      url: text('The path of the copy.', '/v1/tenants/agreements/TERMS'),
      acceptUrl: text('The path where it is accepted.', '/v1/tenants/agreements'),
    }),
    'What is to be accepted.',
  ),
  hasPublishedAgreements: flag('Whether anything is published.'),
  agreementsEnabled: flag('Whether agreements are asked for at all.'),
});

const copySchema = named('AgreementCopy', "An account's own copy of an agreement.", {
  id: uuid('Id of the copy.'),
  documentType,
  templateVersion: version,
  status: oneOf(['PENDING', 'ACCEPTED', 'SUPERSEDED'], 'Where it stands.'),
  generatedAt: timestamp('When it was made.'),
  acceptedAt: orNull(timestamp('When it was accepted.')),
  language: oneOf(LANGUAGES, 'Its language.'),
  contentSha256: text('SHA-256 of its Markdown, hex.', '3f'.repeat(32)),
});

/** A text: a page, or Markdown if the request accepts it. */
const agreementText = {
  about: 'The text.',
  headers: ['X-Template-Version'],
  content: {
    'text/html': Type.String({ description: 'A page.' }),
    'text/markdown': Type.String({ description: 'Markdown.' }),
  },
} as const;
const type = pathChoice(AGREEMENT_TYPES, 'The kind of agreement.');

/** `GET /v1/agreements`: the versions in force. */
export const listPublishedAgreements = routeHandler({
  operation: {
    id: 'listPublishedAgreements',
    summary: 'Lists the agreements that are published now.',
    answers: {
      200: okBody({
        documents: listOf(
          part('An agreement.', {
            documentType,
            version,
            url: text('Where its text is.', 'https://api.example.com/v1/agreements/TERMS'),
          }),
          'The agreements.',
        ),
      }),
    },
  },
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

/** `GET /v1/agreements/:type`: the text as published, without an account's data. */
export const getPublishedAgreement = routeHandler({
  operation: {
    id: 'getPublishedAgreement',
    summary: 'Gives the text of an agreement as it is published.',
    answers: { 200: agreementText },
    refuses: ['AGREEMENT_NOT_FOUND'],
  },
  params: { type },
  showsPages: true,
  answer: async ({ exchange }: PublicCall, { params }) => {
    const { agreements } = exchange.services;
    const published = await readPublishedAgreement(agreements, params.type, exchange.language);
    return toText(exchange, published.content, exchange.language, { 'x-template-version': published.version });
  },
});

/** `GET /v1/tenants/agreements` */
export const getAgreements = routeHandler({
  operation: {
    id: 'getAgreementStanding',
    summary: 'Tells which agreements the account still has to accept.',
    answers: { 200: okBody({ agreements: standingSchema }) },
  },
  answer: async ({ exchange, context }: TenantCall) => {
    const standing = await readOwnStanding(exchange.services.agreements, context.tenant.id);
    return json(200, { ok: true, agreements: toStandingBody(exchange, standing) });
  },
});

/** `GET /v1/tenants/agreements/history` */
export const getAgreementHistory = routeHandler({
  operation: {
    id: 'listAgreementCopies',
    summary: "Lists the account's own copies of agreements.",
    answers: { 200: okBody({ documents: listOf(copySchema, 'The copies.') }) },
  },
  answer: async ({ exchange, context }: TenantCall) => {
    const copies = await readOwnAgreements(exchange.services.agreements, context.tenant.id);
    const documents: readonly Shown<typeof copySchema>[] = copies.map((copy) => ({
      ...copy,
      generatedAt: copy.generatedAt.toISOString(),
      acceptedAt: copy.acceptedAt?.toISOString() ?? null,
    }));
    return json(200, { ok: true, documents });
  },
});

/** `GET /v1/tenants/agreements/:type`: the account's own copy. */
export const getAgreement = routeHandler({
  operation: {
    id: 'getAgreementCopy',
    summary: "Gives the text of the account's own copy of an agreement.",
    answers: { 200: { ...agreementText, headers: ['X-Template-Version', 'X-Document-Status', 'X-Accepted-At'] } },
    refuses: ['AGREEMENT_NOT_FOUND'],
  },
  params: { type },
  answer: async ({ exchange, context }: TenantCall, { params }) => {
    const { agreements } = exchange.services;
    const { agreement, content } = await readOwnAgreement(agreements, context.tenant.id, params.type);
    return toText(exchange, content, agreement.language, {
      'x-document-status': agreement.status,
      'x-template-version': agreement.templateVersion,
      ...(agreement.acceptedAt ? { 'x-accepted-at': agreement.acceptedAt.toISOString() } : {}),
    });
  },
});

/** `POST /v1/tenants/agreements` */
export const postAgreements = routeHandler({
  operation: {
    id: 'acceptAgreements',
    summary: 'Accepts every agreement as it is published.',
    answers: { 200: okBody({ agreements: standingSchema, tenant: tenantSchema }) },
    refuses: ['VERSION_MISMATCH', 'NOT_FOUND'],
  },
  body: jsonBody({
    termsVersion: required(
      line({ max: MAX_VERSION_LENGTH, about: 'The version of the terms that was read.', example: '2026-01' }),
    ),
    acceptedByName: line({ max: MAX_NAME, about: 'Who accepts.', example: 'María Muñoz' }),
  }),
  parse: (exchange, { body: { termsVersion, acceptedByName: byName } }) => ({
    termsVersion,
    byName,
    fromAddress: exchange.clientAddress,
    userAgent: exchange.header('user-agent')?.slice(0, MAX_USER_AGENT) ?? null,
  }),
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

function toStandingBody(
  exchange: Exchange,
  { outdated, hasPublishedAgreements }: AgreementStanding,
): Shown<typeof standingSchema> {
  const acceptUrl = '/v1/tenants/agreements';
  return {
    needsAcceptance: outdated.length > 0,
    outdated: outdated.map((entry) => ({ ...entry, url: `${acceptUrl}/${entry.documentType}`, acceptUrl })),
    hasPublishedAgreements,
    agreementsEnabled: exchange.services.agreements.agreementsEnabled,
  };
}

/** A text as Markdown if the request prefers it, else as a page. */
function toText(
  exchange: Exchange,
  markdown: string,
  language: Language,
  headers: Readonly<Record<string, string>>,
): Answer {
  const localized = { ...headers, 'content-language': language, vary: 'Accept, Accept-Language' };
  if (exchange.preferredType('text/html', 'text/markdown') === 'text/markdown') {
    const type = 'text/markdown; charset=utf-8';
    return { status: 200, body: { kind: 'content', type, content: markdown }, headers: localized };
  }
  const { title, content } = renderMarkdown(markdown);
  const shown = page(200, messagePage(language, title, content));
  return { ...shown, headers: { ...shown.headers, ...localized } };
}
