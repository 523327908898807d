import { type DocumentType, ecuadorDate } from 'sri-core';
import { createTestP12 } from 'sri-core/testing';
import { TEST_NOW, type TestServer } from '../test-server.js';
import { createDocument, type RequestTarget, registerTenant, SIMPLE_INVOICE, type TestTenant } from '../test-tenant.js';
import { ALL_TYPES, type AnyBody, bodyOf, toCounterparty } from '../type-bodies.js';

/** A registered account. The headers of its requests include the content type. */
export interface ChaosAccount extends TestTenant {
  /** Its certificate, whose password is `CHAOS_PASSWORD`. */
  readonly p12: Uint8Array;
}

/** The password of every such certificate. */
export const CHAOS_PASSWORD = 'prueba';

/** Registers an account. @param number a different account for each number. */
export async function openChaosAccount(server: RequestTarget, number = 1): Promise<ChaosAccount> {
  const ruc = `1791${String(number).padStart(6, '0')}001`;
  // Valid at the moved time and today.
  const validFrom = new Date(new Date(TEST_NOW).getTime() - 330 * 86_400_000);
  const p12 = await createTestP12({ ruc, password: CHAOS_PASSWORD, validFrom });
  const tenant = await registerTenant(server, {
    cert: p12,
    certPassword: CHAOS_PASSWORD,
    email: `chaos${number}@ejemplo.ec`,
    ruc,
    documentTypes: ALL_TYPES,
  });
  return { ...tenant, p12, headers: { ...tenant.headers, 'content-type': 'application/json' } };
}

/** An invoice of 11.50 to that buyer; one of the simulator's special ones forces an outcome. */
export function chaosInvoice(buyer: { readonly id?: string; readonly email?: string } = {}) {
  return { ...SIMPLE_INVOICE, buyer: { ...SIMPLE_INVOICE.buyer, idType: '06', id: 'AB123456', ...buyer } };
}

/** Creates an invoice and brings it to its authorization. @param email the buyer's. @returns its access key. */
export async function authorizeInvoice(server: TestServer, account: ChaosAccount, email?: string): Promise<string> {
  const body = chaosInvoice(email === undefined ? {} : { email });
  const { accessKey } = await createDocument(server, account, body);
  const { engine } = server.services;
  const scope = { issuerId: account.issuerId, environment: 'sandbox' } as const;
  await engine.send(scope, accessKey);
  await engine.tick();
  await engine.authorize(scope, accessKey);
  return accessKey;
}

/** A body of that type for the moved clock. @param id of the counterparty; a special one forces an outcome. */
export function chaosBody(type: DocumentType, id = 'AB123456'): AnyBody {
  const { issueDate: _today, fiscalPeriod: _month, ...body } = bodyOf(type, { today: ecuadorDate(new Date(TEST_NOW)) });
  // Goods may leave long after the issue date, so the document stays valid on another issue date.
  const later = Object.hasOwn(body, 'startDate') ? { startDate: '01/12/2027', endDate: '02/12/2027' } : {};
  return toCounterparty({ ...body, ...later } as AnyBody, { id });
}
