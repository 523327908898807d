import { invalid, ruleFailure } from '../errors.js';
import { json } from '../http/answer.js';
import { requireIssuer } from '../http/require-issuer.js';
import { defineHandler, type TenantCall } from '../http/route.js';
import { listIssuers } from '../store/issuers.js';
import { addIssuer } from '../tenancy/added-issuer.js';
import { renewCertificate } from '../tenancy/certificate-renewal.js';
import { changeIssuer, changeLogo, reactivateIssuer, removeIssuer } from '../tenancy/issuer-administration.js';
import { toIssuerBody } from './issuer-body.js';
import { readIssuerPatch } from './issuer-changes.js';
import { readLogoChange, readNewIssuer, readRenewal } from './issuer-form.js';
import { findIssuerId, readIssuerId } from './issuer-id-param.js';

/** `GET /v1/issuers` */
export const getIssuers = defineHandler({
  answer: async ({ exchange, context }: TenantCall) => {
    const issuers = await exchange.services.database.read((tables) => listIssuers(tables, context));
    return json(200, {
      ok: true,
      issuers: issuers.map((issuer) => ({ ...toIssuerBody(issuer), documentTypes: issuer.documentTypes })),
    });
  },
});

/** `POST /v1/issuers` */
export const createIssuer = defineHandler({
  parse: readNewIssuer,
  answer: async ({ exchange, context }: TenantCall, request) => {
    const issuer = await addIssuer(exchange.services.issuers, context, request);
    return json(201, { ok: true, issuer: toIssuerBody(issuer) });
  },
});

/** `GET /v1/issuers/:id` */
export const getIssuer = defineHandler({
  parse: findIssuerId,
  answer: async ({ exchange, context }: TenantCall, id) => {
    const issuer = await requireIssuer(exchange, context, id);
    return json(200, { ok: true, issuer: toIssuerBody(issuer) });
  },
});

/** `PATCH /v1/issuers/:id` */
export const patchIssuer = defineHandler({
  parse: async (exchange) => ({ id: readIssuerId(exchange), patch: readIssuerPatch(await exchange.json()) }),
  answer: async ({ exchange, context }: TenantCall, { id, patch }) => {
    const target = { context, id };
    const issuer = await changeIssuer(exchange.services.issuers, target, patch.changes, patch.check);
    return json(200, { ok: true, issuer: toIssuerBody(issuer) });
  },
});

/** `PATCH /v1/issuers/:id/logo` */
export const patchLogo = defineHandler({
  parse: async (exchange) => ({ id: readIssuerId(exchange), logo: await readLogoChange(exchange) }),
  answer: async ({ exchange, context }: TenantCall, { id, logo }) => {
    const issuer = await changeLogo(exchange.services.issuers, { context, id }, logo);
    return json(200, { ok: true, issuer: toIssuerBody(issuer) });
  },
});

/** `PATCH /v1/issuers/:id/can-issue` */
export const patchCanIssue = defineHandler({
  parse: async (exchange) => {
    const id = readIssuerId(exchange);
    const { canIssue } = await exchange.json();
    if (canIssue === undefined) throw invalid([ruleFailure('canIssue', 'required')]);
    if (typeof canIssue !== 'boolean') throw invalid([ruleFailure('canIssue', 'type', { expected: 'boolean' })]);
    return { id, canIssue };
  },
  answer: async ({ exchange, context }: TenantCall, { id, canIssue }) => {
    const issuer = await changeIssuer(exchange.services.issuers, { context, id }, { canIssue });
    return json(200, { ok: true, canIssue, issuer: toIssuerBody(issuer) });
  },
});

/** `PATCH` and `POST /v1/issuers/:id/certificate` */
export const putCertificate = defineHandler({
  parse: async (exchange) => ({ id: readIssuerId(exchange), renewal: await readRenewal(exchange) }),
  answer: async ({ exchange, context }: TenantCall, { id, renewal }) => {
    const issuer = toIssuerBody(await renewCertificate(exchange.services.issuers, { context, id }, renewal));
    const { certFingerprint, certExpiry } = issuer;
    return json(200, { ok: true, certFingerprint, certExpiry, issuer });
  },
});

/** `DELETE /v1/issuers/:id` */
export const deleteIssuer = defineHandler({
  parse: readIssuerId,
  answer: async ({ exchange, context }: TenantCall, id) => {
    await removeIssuer(exchange.services.issuers, { context, id });
    return json(200, { ok: true });
  },
});

/** `PATCH /v1/issuers/:id/activate` */
export const activateIssuer = defineHandler({
  parse: readIssuerId,
  answer: async ({ exchange, context }: TenantCall, id) => {
    const issuer = await reactivateIssuer(exchange.services.issuers, { context, id });
    return json(200, { ok: true, issuer: toIssuerBody(issuer) });
  },
});
