import { type DocumentType, ecuadorDate } from 'sri-core';
import { createTestP12 } from 'sri-core/testing';
import { ALL_TYPES, type AnyBody, bodyOf, toCounterparty } from '../type-bodies.js';
import { CHAOS_NOW } from './in-process-server.js';

/** A target of requests: a server in this process or another one. */
export interface Requested {
  request(path: string, init?: RequestInit): Promise<Response>;
}

/** A registered account, with the headers of its requests. */
export interface ChaosAccount {
  readonly tenantId: string;
  readonly issuerId: string;
  /** Its certificate, whose password is `CHAOS_PASSWORD`. */
  readonly p12: Uint8Array;
  /** The key. */
  readonly auth: Readonly<Record<string, string>>;
  /** The headers of its JSON requests: key, issuer and content type. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The password of every such certificate. */
export const CHAOS_PASSWORD = 'prueba';

/** Registers an account. @param number a different account for each number. */
export async function openChaosAccount(server: Requested, number = 1): Promise<ChaosAccount> {
  const ruc = `1791${String(number).padStart(6, '0')}001`;
  // Valid at the moved time and today.
  const validFrom = new Date(new Date(CHAOS_NOW).getTime() - 330 * 86_400_000);
  const cert = await createTestP12({ ruc, password: CHAOS_PASSWORD, validFrom });
  const form = new FormData();
  form.set('cert', new Blob([Uint8Array.from(cert)]), 'chaos.p12');
  const fields = {
    certPassword: CHAOS_PASSWORD,
    email: `chaos${number}@ejemplo.ec`,
    ruc,
    businessName: `Comercio ${number}`,
    branchCode: '001',
    issuePointCode: '001',
    documentTypes: ALL_TYPES,
    emissionType: '1',
    requiredAccounting: 'true',
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const response = await server.request('/v1/register', { method: 'POST', body: form });
  if (response.status !== 201) throw new Error(`Registering answered ${response.status}: ${await response.text()}`);
  const { tenant, issuer, apiKey } = (await response.json()) as {
    readonly tenant: { readonly id: string };
    readonly issuer: { readonly id: string };
    readonly apiKey: string;
  };
  const auth = { authorization: `Bearer ${apiKey}` };
  const headers = { ...auth, 'x-issuer-id': issuer.id, 'content-type': 'application/json' };
  return { tenantId: tenant.id, issuerId: issuer.id, p12: cert, auth, headers };
}

/** An invoice of 11.50 to that buyer; one of the simulator's special ones forces an outcome. */
export function chaosInvoice(buyerId = 'AB123456') {
  return {
    documentType: '01',
    buyer: { idType: '06', id: buyerId, name: 'María Ñacata', email: 'maria@ejemplo.ec' },
    items: [
      {
        mainCode: 'A1',
        description: 'Café & té',
        quantity: '1',
        unitPrice: '10.00',
        taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '10.00', taxAmount: '1.50' }],
      },
    ],
    payments: [{ method: '01', total: '11.50' }],
  };
}

/** A body of that type for the moved clock. @param id of the counterparty; a special one forces an outcome. */
export function chaosBody(type: DocumentType, id = 'AB123456'): AnyBody {
  const {
    issueDate: _today,
    fiscalPeriod: _month,
    ...body
  } = bodyOf(type, { today: ecuadorDate(new Date(CHAOS_NOW)) });
  // Goods may leave long after the issue date, so the document stays valid on another issue date.
  const later = Object.hasOwn(body, 'startDate') ? { startDate: '01/12/2027', endDate: '02/12/2027' } : {};
  return toCounterparty({ ...body, ...later } as AnyBody, { id });
}
