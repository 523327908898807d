import { DOCUMENT_TYPES as ISSUED } from 'sri-core';
import { SCOPES } from '../../accounts/index.js';
import { WEBHOOK_EVENT_TYPES } from '../../notifications/index.js';
import { TEST_PNG } from '../billing-suite.js';
import { redirectUrl, WEBHOOK_URL, webhookUrl } from './address-kinds.js';
import {
  alsoTried,
  anyText,
  base64,
  but,
  digits,
  documentText,
  emailAddress,
  exactly,
  type FieldKind,
  flag,
  listOf,
  numberWhere,
  part,
  queryWords,
  textOf,
  uuid,
} from './field-kinds.js';
import { PREFERENCE_FIELDS, preferenceLists, SET_PREFERENCES } from './preference-lists.js';
import { FULL_INVOICE, type WholeBody } from './whole-bodies.js';

/** A path parameter. A value of another form is malformed; with `OrNone` it is an unknown name. */
export type PathPart =
  | 'issuerId'
  | 'issuerIdOrNone'
  | 'accessKey'
  | 'documentType'
  | 'catalogOrNone'
  | 'keyId'
  | 'paymentId'
  | 'proofId'
  | 'keyIdOrNone'
  | 'notificationId'
  | 'webhookIdOrNone'
  | 'deliveryIdOrNone'
  | 'agreementType';

/** The fields of a body, and a valid body. */
export interface BodyInput {
  readonly good: Readonly<Record<string, unknown>> | readonly unknown[];
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** Whether the request may have no body. */
  readonly optional?: boolean;
  /** Bodies tried as a whole, valid ones or with other faults than a single field. */
  readonly whole?: readonly WholeBody[];
}

/** The parts of a request that a route reads. */
export interface RouteInput {
  /** The kinds of its path parameters. */
  readonly path?: Readonly<Record<string, PathPart>>;
  /** The object whose `:id` is in the valid path; by default an unknown one. */
  readonly id?: 'issuer' | 'key' | 'webhook';
  readonly query?: Readonly<Record<string, FieldKind>>;
  /** The query that every valid request needs. */
  readonly goodQuery?: string;
  /** The code for a malformed id in the query, or in an issuer header that is a filter. */
  readonly idCode?: string;
  readonly json?: BodyInput;
  /** Fields of a form; a file is `file`. */
  readonly form?: BodyInput;
  /** The answers to valid input: a status, or a status and a code. */
  readonly fine: readonly string[];
}

/** An unknown id. A valid request that names it changes nothing. */
export const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

const NO_ISSUER = ['404 NOT_FOUND', '404 ISSUER_NOT_FOUND'];
const NO_DOCUMENT = ['404 NOT_FOUND'];
const NO_PAYMENT = ['404 PAYMENT_NOT_FOUND'];
const OPTIONAL = { optional: true } as const;
/** Texts that count as absent. */
const BLANKS = ['', ' ', '\u00a0', '\t\r\n', '\u2003'];
/** A query parameter is either absent or not blank. */
const IN_QUERY = { optional: true, blank: false } as const;
const TOKEN = alsoTried(exactly(['a'.repeat(64), 'A'.repeat(64), '0123456789abcdef'.repeat(4)]), {
  '63 digits': 'a'.repeat(63),
  '65 digits': 'a'.repeat(65),
  'a letter that is no digit': `${'a'.repeat(63)}g`,
});
const GOOD_TOKEN = `token=${'a'.repeat(64)}`;
const UNKNOWN_TOKEN = { query: { token: TOKEN }, goodQuery: GOOD_TOKEN, fine: ['400 INVALID_OR_EXPIRED_TOKEN'] };
const ISSUE_DATE = exactly(['21/11/2026', '22/11/2026', '20/11/2026', '29/02/2024'], IN_QUERY);
const LISTED_TYPE = exactly(ISSUED, IN_QUERY);
const AMOUNT = alsoTried(
  exactly(['0', '00', '1', '12', '01', '04', '05', '07', '20', '1.5', '1.25', '112.50', '9999999999999.99'], IN_QUERY),
  {
    'three decimals': '1.125',
    'a comma': '112,50',
    'a sign': '-1',
    'a plus': '+1',
    'fourteen digits': '12345678901234',
    'a point alone': '.',
    'no digit before the point': '.5',
    'no digit after the point': '5.',
    'an exponent': '1e3',
  },
);
/** The filter by issuer of lists and exports: only `all` is valid. */
const EVERY_ISSUER = alsoTried(exactly(['all'], IN_QUERY), {
  'in capitals': 'ALL',
  'an id': '00000000-0000-7000-8000-000000000000',
  'an identity that is always true': "all' or '1'='1",
});
const DOCUMENT_FILTER = {
  issuerId: EVERY_ISSUER,
  q: queryWords(300),
  status: exactly(
    ['SIGNED', 'PENDING_SEND', 'RECEIVED', 'RETURNED', 'AUTHORIZED', 'NOT_AUTHORIZED', 'VOIDED'],
    IN_QUERY,
  ),
  documentType: LISTED_TYPE,
  from: ISSUE_DATE,
  to: ISSUE_DATE,
  sequential: queryWords(300),
  buyerName: queryWords(300),
  buyerId: queryWords(20),
  accessKey: alsoTried(exactly(['1'.repeat(49), '0'.repeat(49)], IN_QUERY), {
    '48 digits': '1'.repeat(48),
    '50 digits': '1'.repeat(50),
    'digits of another script': '١'.repeat(49),
  }),
  totalFrom: AMOUNT,
  totalTo: AMOUNT,
};

const DOCUMENT_TYPES = alsoTried(listOfTypes(), {
  'an unknown type': ['99'],
  'many types': ['01', '04', 1],
});
const LIST_IN_FORM = but(exactly([...ISSUED, '["01"]', '["01","04"]', '01,04', ' [ "04" ] '], OPTIONAL), {
  takes: [' 01', '01 ', '01\n', '01,01', '01,01,01'],
});
const FIRST_NUMBERS = alsoTried(part({ optional: true, emptyList: true }), {
  'a number of zero': [{ documentType: '01', sequential: 0 }],
  'a number too high': [{ documentType: '01', sequential: 1_000_000_000 }],
  'a number as text': [{ documentType: '01', sequential: '1' }],
  'a fraction': [{ documentType: '01', sequential: 1.5 }],
  'an unknown type': [{ documentType: '99', sequential: 1 }],
  'a type twice': [
    { documentType: '01', sequential: 1 },
    { documentType: '01', sequential: 2 },
  ],
  'a type without a number': [{ documentType: '01' }],
});
const FIRST_NUMBERS_IN_FORM = alsoTried(
  exactly(['[]', '[{"documentType":"01","sequential":5}]'], { ...OPTIONAL, trimmed: true }),
  {
    'cut off': '[{"documentType":"01"',
    'no list': '{"documentType":"01","sequential":5}',
    'a prototype': '[{"__proto__":{"documentType":"01","sequential":5}}]',
    'a list of lists': '[[["01"]]]',
    'ten thousand levels': '['.repeat(10_000),
    'a number too high': '[{"documentType":"01","sequential":1e9}]',
    'a number beyond all': '[{"documentType":"01","sequential":1e400}]',
    'minus one': '[{"documentType":"01","sequential":-1}]',
  },
);
const NEW_ISSUER = { branchCode: '001', issuePointCode: '099', sourceIssuerId: UNKNOWN_ID };
const ADDED_ISSUER_TEXTS = {
  branchCode: digits(3),
  issuePointCode: digits(3),
  tradeName: documentText(300, OPTIONAL),
  branchAddress: documentText(300, OPTIONAL),
  certPassword: anyText(512),
} as const;
const FLAGS = ['true', 'false', '1', '0'];
const FLAG_IN_FORM = exactly(FLAGS, { trimmed: true });
const SPECIAL = alsoTried(exactly(['5368', 'A1B', 'NAC1234567890'], { ...OPTIONAL, trimmed: true }), {
  'two letters': 'AB',
  '14 letters': 'A'.repeat(14),
  'a letter outside ASCII': 'ÑÑÑÑ',
  'a blank inside': 'A 1 B',
});
/** Common values that happen to have the form of a special taxpayer's number. */
const SPECIAL_BY_CHANCE = ['constructor', 'toString', 'null', 'true', 'NaN', 'Infinity', '1e5', '0x1'];

const SEQUENTIAL = numberWhere((value) => Number.isInteger(value) && value >= 1 && value <= 999_999_999);
const PRODUCTION_NUMBERS = alsoTried(part({ optional: true, emptyList: true }), {
  'a counter twice': times(2, { issuerId: UNKNOWN_ID, documentType: '01', sequential: 5 }),
  'a counter twice, once in capitals': ['a', 'A'].map((digit) => ({
    issuerId: UNKNOWN_ID.replace('7', digit),
    documentType: '01',
    sequential: 5,
  })),
  'a number as text': [{ issuerId: UNKNOWN_ID, documentType: '01', sequential: '5' }],
  'the first good, the second not': [{ issuerId: UNKNOWN_ID, documentType: '01', sequential: 5 }, null],
  'a thousand that are nothing': times(1000, null),
  '10 001 counters': times(10_001, { issuerId: UNKNOWN_ID, documentType: '01', sequential: 5 }),
});
const PAID_TIER = alsoTried(exactly(['STARTER', 'GROWTH', 'BUSINESS'], OPTIONAL), {
  'the free plan': 'FREE',
  'a plan of another edition': 'SOLO',
});
const NAMED_TIER = but(PAID_TIER, { refuses: [undefined, null, ...BLANKS] });
const INTERVAL = exactly(['MONTHLY', 'YEARLY'], OPTIONAL);
const SEATS = numberWhere((value) => Number.isInteger(value) && value >= 0 && value <= 1000, OPTIONAL);
const EVENT_TYPES = but(
  alsoTried(listOf(WEBHOOK_EVENT_TYPES, { optional: true, emptyList: true }), {
    'a hundred types and an unknown one': [...Array.from({ length: 100 }, () => 'CERT_EXPIRED'), 'x'],
    'a type that is not for webhooks': ['PAYMENT_VERIFIED'],
    'the type of a test': ['TEST'],
    'every type': ['*'],
    'a thousand unknown ones': times(1000, 'x'),
  }),
  { refuses: [null] },
);

/**
 * The inputs of every route. A route outside this table fails the test. A new route declares its path, query and body
 * here; the test then sends every bad input to it.
 */
export const ROUTE_INPUTS: Readonly<Record<string, RouteInput>> = {
  'POST /v1/register': {
    form: {
      good: {
        certPassword: 'otra',
        email: 'nuevo@ejemplo.ec',
        ruc: '1790012345001',
        businessName: 'Comercial',
        branchCode: '001',
        issuePointCode: '001',
        emissionType: '1',
        requiredAccounting: 'true',
      },
      fields: {
        email: emailAddress({ trimmed: true }),
        ruc: digits(13),
        businessName: documentText(300),
        tradeName: documentText(300, OPTIONAL),
        mainAddress: documentText(300, OPTIONAL),
        branchAddress: documentText(300, OPTIONAL),
        branchCode: digits(3),
        issuePointCode: digits(3),
        emissionType: exactly(['1'], { trimmed: true }),
        requiredAccounting: FLAG_IN_FORM,
        specialTaxpayer: but(SPECIAL, { takes: SPECIAL_BY_CHANCE }),
        withholdingAgent: withholdingAgent(),
        rimpe: exactly(['GENERAL', 'POPULAR'], { ...OPTIONAL, trimmed: true }),
        documentTypes: LIST_IN_FORM,
        initialSequentials: FIRST_NUMBERS_IN_FORM,
        language: exactly(['es', 'en'], { ...OPTIONAL, trimmed: true }),
        verificationRedirectUrl: redirectUrl(),
        certPassword: anyText(512),
      },
    },
    // The password does not open the container, so no account is registered.
    fine: ['400 BAD_REQUEST'],
  },
  'POST /v1/recover': {
    form: {
      good: { certPassword: 'otra', email: 'nadie@ejemplo.ec' },
      fields: { email: emailAddress({ trimmed: true }), certPassword: anyText(512) },
    },
    // The password does not open the container, so no account is looked up.
    fine: ['400 CERTIFICATE_PASSWORD_INVALID'],
  },
  'GET /v1/recover/undo': UNKNOWN_TOKEN,
  'POST /v1/recover/undo': UNKNOWN_TOKEN,
  'POST /v1/resend-verification': {
    json: {
      good: { email: 'nadie@ejemplo.ec', verificationRedirectUrl: 'https://app.ejemplo.ec/verificar' },
      fields: { email: emailAddress({ trimmed: true }), verificationRedirectUrl: redirectUrl() },
    },
    // These addresses have no account; the answer does not reveal it.
    fine: ['200'],
  },
  'GET /v1/verify-email/check': { query: { token: TOKEN }, goodQuery: GOOD_TOKEN, fine: ['200'] },
  'GET /v1/verify-email': UNKNOWN_TOKEN,
  'POST /v1/verify-email': {
    json: { good: { token: 'a'.repeat(64) }, fields: { token: TOKEN } },
    fine: ['400 INVALID_OR_EXPIRED_TOKEN'],
  },

  'GET /v1/tenants/me': { fine: ['200'] },
  'GET /v1/tenants/events': { fine: ['200'] },
  'PATCH /v1/tenants/language': {
    json: { good: { language: 'es' }, fields: { language: exactly(['es', 'en']) } },
    fine: ['200'],
  },
  'GET /v1/tenants/agreements': { fine: ['200'] },
  'POST /v1/tenants/agreements': {
    json: {
      // No version has that name, so no agreement is accepted.
      good: { termsVersion: 'ninguna', acceptedByName: 'María Ñacata' },
      fields: { termsVersion: textOf(50), acceptedByName: textOf(300, OPTIONAL) },
    },
    fine: ['400 VERSION_MISMATCH'],
  },
  'GET /v1/tenants/agreements/history': { fine: ['200'] },
  'GET /v1/tenants/agreements/:type': { path: { type: 'agreementType' }, fine: ['200'] },
  'GET /v1/agreements': { fine: ['200'] },
  'GET /v1/agreements/:type': { path: { type: 'agreementType' }, fine: ['200'] },
  'POST /v1/tenants/promote': {
    json: {
      optional: true,
      good: {
        initialSequentials: [{ issuerId: UNKNOWN_ID, documentType: '01', sequential: 5 }],
        billingInterval: 'MONTHLY',
      },
      fields: {
        initialSequentials: PRODUCTION_NUMBERS,
        'initialSequentials[0]': part(),
        'initialSequentials[0].issuerId': uuid(UNKNOWN_ID),
        'initialSequentials[0].documentType': exactly(ISSUED),
        'initialSequentials[0].sequential': SEQUENTIAL,
        tier: PAID_TIER,
        billingInterval: INTERVAL,
      },
    },
    // The account has not accepted the published agreements, so it is not promoted.
    fine: [...NO_ISSUER, '403 AGREEMENT_ACCEPTANCE_REQUIRED'],
  },
  'POST /v1/tenants/retry-failed-documents': {
    json: {
      optional: true,
      good: { issuerId: UNKNOWN_ID, operation: 'SEND' },
      fields: {
        issuerId: but(uuid(UNKNOWN_ID, OPTIONAL), { refuses: [null] }),
        operation: but(exactly(['SEND', 'AUTHORIZE'], OPTIONAL), { refuses: [null] }),
      },
    },
    fine: ['202', ...NO_ISSUER],
  },

  'GET /v1/catalogs': { fine: ['200'] },
  'GET /v1/catalogs/:name': { path: { name: 'catalogOrNone' }, fine: ['200'] },

  'GET /v1/issuers': { fine: ['200'] },
  'POST /v1/issuers': {
    json: {
      good: NEW_ISSUER,
      fields: {
        ...ADDED_ISSUER_TEXTS,
        documentTypes: DOCUMENT_TYPES,
        initialSequentials: FIRST_NUMBERS,
        sourceIssuerId: uuid(UNKNOWN_ID, { ...OPTIONAL, trimmed: true }),
        cert: base64(),
      },
    },
    form: {
      good: NEW_ISSUER,
      fields: {
        ...ADDED_ISSUER_TEXTS,
        documentTypes: LIST_IN_FORM,
        initialSequentials: FIRST_NUMBERS_IN_FORM,
        sourceIssuerId: uuid(UNKNOWN_ID, { ...OPTIONAL, trimmed: true }),
      },
    },
    // The default source is the oldest issuer, so the first issuer of each point is created.
    fine: [
      '201',
      '404 SOURCE_ISSUER_NOT_FOUND',
      '400 CERTIFICATE_INVALID',
      '400 CERTIFICATE_PASSWORD_INVALID',
      '402 DOCUMENT_TYPE_NOT_IN_TIER',
      '409 CONFLICT',
    ],
  },
  'GET /v1/issuers/:id': { path: { id: 'issuerIdOrNone' }, fine: NO_ISSUER },
  'PATCH /v1/issuers/:id': {
    path: { id: 'issuerId' },
    // Only the account's own issuer can be changed. The next change reverts it.
    id: 'issuer',
    json: {
      good: { requiredAccounting: true, withholdingAgent: '1' },
      fields: {
        businessName: but(documentText(300, { optional: true, blank: false }), { refuses: [null] }),
        tradeName: documentText(300, OPTIONAL),
        mainAddress: documentText(300, OPTIONAL),
        branchAddress: documentText(300, OPTIONAL),
        requiredAccounting: but(flag(OPTIONAL), { refuses: [null] }),
        specialTaxpayer: but(SPECIAL, { takes: SPECIAL_BY_CHANCE }),
        withholdingAgent: withholdingAgent(),
        rimpe: exactly(['GENERAL', 'POPULAR'], OPTIONAL),
      },
    },
    fine: ['200', ...NO_ISSUER],
  },
  'DELETE /v1/issuers/:id': { path: { id: 'issuerId' }, fine: NO_ISSUER },
  'PATCH /v1/issuers/:id/activate': { path: { id: 'issuerId' }, fine: NO_ISSUER },
  'PATCH /v1/issuers/:id/can-issue': {
    path: { id: 'issuerId' },
    json: { good: { canIssue: true }, fields: { canIssue: flag() } },
    fine: NO_ISSUER,
  },
  'PATCH /v1/issuers/:id/logo': {
    path: { id: 'issuerId' },
    json: { good: { logo: null }, fields: { logo: base64() } },
    form: { good: {}, fields: {} },
    fine: [...NO_ISSUER, '400 INVALID_FILE_UPLOAD'],
  },
  'PATCH /v1/issuers/:id/certificate': renewal(),
  'POST /v1/issuers/:id/certificate': renewal(),
  'GET /v1/issuers/:id/document-types': { path: { id: 'issuerIdOrNone' }, fine: NO_ISSUER },
  'POST /v1/issuers/:id/document-types': {
    path: { id: 'issuerIdOrNone' },
    json: { good: { documentType: '01' }, fields: { documentType: exactly(ISSUED) } },
    fine: NO_ISSUER,
  },
  'DELETE /v1/issuers/:id/document-types/:code': {
    path: { id: 'issuerIdOrNone', code: 'documentType' },
    fine: NO_ISSUER,
  },
  'GET /v1/issuers/:id/sequentials': { path: { id: 'issuerId' }, fine: NO_ISSUER },
  'PATCH /v1/issuers/:id/sequentials/:documentType': {
    path: { id: 'issuerId', documentType: 'documentType' },
    json: {
      good: { environment: 'sandbox', nextSequential: 7 },
      fields: {
        environment: exactly(['sandbox', 'production']),
        nextSequential: SEQUENTIAL,
      },
    },
    fine: NO_ISSUER,
  },

  'GET /v1/keys': { fine: ['200'] },
  'POST /v1/keys': {
    json: {
      optional: true,
      good: { label: 'Contabilidad', environment: 'sandbox', scopes: ['documents:read'] },
      fields: {
        label: textOf(100, OPTIONAL),
        environment: exactly(['sandbox', 'production'], OPTIONAL),
        scopes: alsoTried(listOf(SCOPES, OPTIONAL), {
          'a scope that cannot be granted': ['documents:void'],
          'a hundred scopes and an unknown one': [...times(100, 'documents:read'), 'documents:void'],
          'a thousand unknown ones': times(1000, 'x'),
        }),
      },
    },
    // The plan of the account has no further keys.
    fine: ['402 API_KEY_LIMIT_REACHED', '403 PRODUCTION_KEY_REQUIRES_PROMOTION'],
  },
  'DELETE /v1/keys/:id': { path: { id: 'keyIdOrNone' }, fine: ['404 NOT_FOUND'] },
  'GET /v1/keys/:id/usage': {
    path: { id: 'keyId' },
    id: 'key',
    query: { days: alsoTried(integer(['1', '12', '30', '365', '000000000001']), { 'a day more than a year': '366' }) },
    fine: ['200'],
  },

  'GET /v1/notifications': {
    query: { sinceId: but(uuid(UNKNOWN_ID, { ...IN_QUERY, trimmed: true }), { refuses: [`${UNKNOWN_ID}\n`] }) },
    idCode: 'ISSUER_ID_INVALID',
    fine: ['200'],
  },
  'POST /v1/notifications/:id/read': { path: { id: 'notificationId' }, fine: ['404 NOT_FOUND'] },
  'GET /v1/notifications/preferences': { fine: ['200'] },
  'PATCH /v1/notifications/preferences': {
    json: { good: SET_PREFERENCES, fields: PREFERENCE_FIELDS, whole: preferenceLists() },
    fine: ['200'],
  },

  'POST /v1/webhooks': {
    json: {
      good: { url: WEBHOOK_URL, eventTypes: ['DOCUMENT_AUTHORIZED'] },
      fields: { url: webhookUrl(), eventTypes: EVENT_TYPES },
    },
    // The account's one place is taken.
    fine: ['402 WEBHOOK_ENDPOINT_LIMIT_REACHED'],
  },
  'GET /v1/webhooks': { fine: ['200'] },
  'PATCH /v1/webhooks/:id': {
    path: { id: 'webhookIdOrNone' },
    id: 'webhook',
    json: {
      good: { url: WEBHOOK_URL, eventTypes: ['DOCUMENT_AUTHORIZED'], active: true },
      fields: {
        url: but(webhookUrl(), { takes: [undefined, ...BLANKS] }),
        eventTypes: EVENT_TYPES,
        active: but(flag(OPTIONAL), { refuses: [null] }),
      },
      whole: [{ name: 'no change', json: '{}', field: null }],
    },
    fine: ['200'],
  },
  'DELETE /v1/webhooks/:id': { path: { id: 'webhookIdOrNone' }, fine: ['404 NOT_FOUND'] },
  'GET /v1/webhooks/:id/deliveries': {
    path: { id: 'webhookIdOrNone' },
    id: 'webhook',
    query: {
      status: exactly(['PENDING', 'DELIVERED', 'FAILED'], IN_QUERY),
      page: alsoTried(integer(['1', '12', '100', '1000000', '000000000001']), { 'a page too many': '1000001' }),
      limit: alsoTried(integer(['1', '12', '100', '000000000001']), { 'a hundred and one': '101' }),
    },
    fine: ['200'],
  },
  'POST /v1/webhooks/:id/deliveries/:deliveryId/redeliver': {
    path: { id: 'webhookIdOrNone', deliveryId: 'deliveryIdOrNone' },
    fine: ['404 NOT_FOUND'],
  },
  'POST /v1/webhooks/:id/test': { path: { id: 'webhookIdOrNone' }, fine: ['404 NOT_FOUND'] },
  'POST /v1/webhooks/:id/rotate-secret': { path: { id: 'webhookIdOrNone' }, fine: ['404 NOT_FOUND'] },

  // Another test tries every field of the two bodies.
  'POST /v1/documents': { json: { good: FULL_INVOICE, fields: {} }, fine: ['201'] },
  'POST /v1/documents/preview': {
    json: { good: FULL_INVOICE, fields: {} },
    query: { ride: exactly(['true', 'false'], IN_QUERY) },
    fine: ['200'],
  },
  'GET /v1/documents': {
    query: {
      ...DOCUMENT_FILTER,
      sortBy: alsoTried(exactly(['sequential', 'buyerName', 'issueDate', 'status'], IN_QUERY), {
        'a statement': 'sequential;drop table documents',
        'a direction': 'sequential desc',
        'a column': 'sequential_number',
        'an expression': '(select 1)',
        'a position': '1',
      }),
      sortDir: exactly(['asc', 'desc'], IN_QUERY),
      page: integer(['1', '12', '100', '999999999', '1000000000', '000000000001']),
      limit: alsoTried(integer(['1', '12', '100', '000000000001']), { 'a hundred and one': '101' }),
    },
    fine: ['200'],
  },
  'GET /v1/documents/export': {
    query: {
      ...DOCUMENT_FILTER,
      format: exactly(['csv', 'xlsx', 'zip'], IN_QUERY),
      ride: exactly(['on', 'off'], IN_QUERY),
    },
    fine: ['200'],
  },
  'GET /v1/documents/stats': {
    query: { issuerId: EVERY_ISSUER, from: ISSUE_DATE, to: ISSUE_DATE, documentType: LISTED_TYPE },
    fine: ['200'],
  },
  'GET /v1/documents/:accessKey': { path: { accessKey: 'accessKey' }, fine: NO_DOCUMENT },
  'POST /v1/documents/:accessKey/send': { path: { accessKey: 'accessKey' }, fine: NO_DOCUMENT },
  'POST /v1/documents/:accessKey/send/retry': { path: { accessKey: 'accessKey' }, fine: NO_DOCUMENT },
  'GET /v1/documents/:accessKey/authorize': { path: { accessKey: 'accessKey' }, fine: NO_DOCUMENT },
  'GET /v1/documents/:accessKey/sri-responses': { path: { accessKey: 'accessKey' }, fine: NO_DOCUMENT },
  'GET /v1/documents/:accessKey/ride': {
    path: { accessKey: 'accessKey' },
    query: { format: exactly(['a4', 'ticket'], IN_QUERY) },
    fine: NO_DOCUMENT,
  },
  'GET /v1/documents/:accessKey/xml': { path: { accessKey: 'accessKey' }, fine: NO_DOCUMENT },
  'GET /v1/documents/:accessKey/events': { path: { accessKey: 'accessKey' }, fine: NO_DOCUMENT },
  'GET /v1/documents/:accessKey/credit-notes': { path: { accessKey: 'accessKey' }, fine: NO_DOCUMENT },
  'POST /v1/documents/:accessKey/rebuild': {
    path: { accessKey: 'accessKey' },
    json: {
      optional: true,
      good: { ...FULL_INVOICE, redate: false, resequence: false },
      fields: {
        redate: but(flag(OPTIONAL), { refuses: [null] }),
        resequence: but(flag(OPTIONAL), { refuses: [null] }),
        'buyer.name': documentText(300),
        'items[0].description': documentText(300),
        payments: part(),
      },
    },
    fine: NO_DOCUMENT,
  },
  'POST /v1/documents/:accessKey/void': {
    path: { accessKey: 'accessKey' },
    json: {
      good: { confirmedSriVoid: true, reason: 'Anulada' },
      fields: { confirmedSriVoid: flag(), reason: textOf(500) },
    },
    fine: NO_DOCUMENT,
  },
  'POST /v1/documents/:accessKey/email-retry': {
    path: { accessKey: 'accessKey' },
    query: { force: exactly(['true', 'false'], IN_QUERY) },
    json: { optional: true, good: { email: 'otra@ejemplo.ec' }, fields: { email: emailAddress(OPTIONAL) } },
    fine: NO_DOCUMENT,
  },
  'POST /v1/documents/email-retry': { fine: ['200'] },

  'GET /v1/tiers': { fine: ['200'] },
  'GET /v1/subscriptions/me': { fine: ['200'] },
  'POST /v1/subscriptions': {
    json: {
      good: { tier: 'STARTER', billingInterval: 'MONTHLY', extraSeats: 0 },
      fields: { tier: NAMED_TIER, billingInterval: INTERVAL, extraSeats: SEATS },
    },
    // The first subscription starts, and then waits for its payment.
    fine: ['201', '409 SUBSCRIPTION_ALREADY_IN_FLIGHT'],
  },
  'POST /v1/subscriptions/change-tier': {
    json: {
      good: { tier: 'GROWTH', billingInterval: 'MONTHLY' },
      fields: { tier: NAMED_TIER, billingInterval: INTERVAL },
    },
    fine: ['409 NO_ACTIVE_SUBSCRIPTION'],
  },
  'POST /v1/subscriptions/seats': {
    json: { good: { extraSeats: 1 }, fields: { extraSeats: but(SEATS, { refuses: [undefined, null] }) } },
    fine: ['409 NO_ACTIVE_SUBSCRIPTION'],
  },
  'DELETE /v1/subscriptions': { fine: ['409 NO_ACTIVE_SUBSCRIPTION'] },
  'GET /v1/payments': { fine: ['200'] },
  'GET /v1/payments/:id': { path: { id: 'paymentId' }, fine: NO_PAYMENT },
  'DELETE /v1/payments/:id': { path: { id: 'paymentId' }, fine: NO_PAYMENT },
  'PATCH /v1/payments/:id/proof': {
    path: { id: 'paymentId' },
    json: {
      good: { file: TEST_PNG.toString('base64'), filename: 'a.png', referenceNumber: '1' },
      fields: {
        file: base64(),
        filename: textOf(255),
        referenceNumber: textOf(50),
      },
    },
    fine: [...NO_PAYMENT, '400 INVALID_FILE_UPLOAD'],
  },
  'GET /v1/payments/:id/proofs': { path: { id: 'paymentId' }, fine: NO_PAYMENT },
  'GET /v1/payments/:id/proofs/:proofId': { path: { id: 'paymentId', proofId: 'proofId' }, fine: NO_PAYMENT },
  'DELETE /v1/payments/:id/proofs/:proofId': { path: { id: 'paymentId', proofId: 'proofId' }, fine: NO_PAYMENT },

  'POST /v1/internal/email-events': {
    json: {
      good: { messageId: UNKNOWN_ID, event: 'delivered' },
      fields: {
        messageId: uuid(UNKNOWN_ID, { trimmed: true }),
        event: exactly(['delivered', 'deferred', 'bounced', 'complained']),
      },
    },
    fine: ['404 NOT_FOUND'],
  },
};

// --- internal ---

/** A list of document types in JSON. */
function listOfTypes(): FieldKind {
  const { takes, edges } = part({ optional: true });
  return { takes: (sent) => takes(sent) || (Array.isArray(sent.value) && sent.value.join() === '01'), edges };
}

function renewal(): RouteInput {
  return {
    path: { id: 'issuerId' },
    json: {
      good: { cert: 'AAAA', certPassword: 'x', applyToAll: false },
      fields: { cert: base64(), certPassword: anyText(512), applyToAll: flag(OPTIONAL) },
    },
    form: {
      good: {},
      fields: { certPassword: anyText(512), applyToAll: exactly(FLAGS, { ...OPTIONAL, trimmed: true }) },
    },
    fine: [...NO_ISSUER, '400 INVALID_FILE_UPLOAD'],
  };
}

function integer(taken: readonly string[]): FieldKind {
  const zeros = ['01', '04', '05', '07', '20'];
  return alsoTried(exactly([...taken, ...zeros], IN_QUERY), {
    'one too many': '1000000001',
    '9e15': '9000000000000000',
    '2^53': '9007199254740992',
    '1e9': '1e9',
  });
}

function times<T>(count: number, value: T): readonly T[] {
  return Array.from({ length: count }, () => value);
}

/** 1 to 8 digits, not all zero; leading zeros do not count. */
function withholdingAgent(): FieldKind {
  const good = ['1', '12', '12345678', '00000001', '000000000001', '01', '04', '05', '07', '20'];
  return alsoTried(exactly(good, { ...OPTIONAL, trimmed: true }), {
    'nine digits': '123456789',
    'only zeros': '00000000',
  });
}
