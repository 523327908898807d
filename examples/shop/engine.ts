// What the examples that embed the engine share: an engine on SQLite with one issuer, and how its refusals are answered.
import { readFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { createEngine, type Engine, signerFromP12, uncheckedBody, ValidationError } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createSqliteStorage } from 'sri-storage-adapters';

/** The one issuer of these examples, in the sandbox. */
export const SCOPE = { issuerId: 'main', environment: 'sandbox' } as const;

/** An engine that talks to a simulated SRI. */
export async function openEngine([
  p12Path = 'certificate.p12',
  password = '',
  folder = '.',
]: string[]): Promise<Engine> {
  const storage = createSqliteStorage({ database: new Database(`${folder}/shop.db`) });
  await storage.migrate();
  const issuer = JSON.parse(await readFile(new URL('../issuer.json', import.meta.url), 'utf8'));
  const signer = await signerFromP12(await readFile(p12Path), password);
  return createEngine({
    storage,
    issuers: [{ id: SCOPE.issuerId, ...issuer, signer }],
    transport: createSimulator().handle, // undiciTransport() calls the SRI itself
  });
}

/** Creates and queues a document, in one commit. The same key and body again give the same document. */
export async function issue(engine: Engine, body: unknown, idempotencyKey: string | undefined) {
  const { document } = await engine.issue(SCOPE, uncheckedBody(body), { idempotencyKey, timeoutMs: 0 });
  return { accessKey: document.accessKey, status: document.status };
}

/** What a refusal is answered with: what the caller can mend, field by field; anything else goes on. */
export function toRefusal(error: unknown): { readonly status: number; readonly body: object } {
  if (error instanceof ValidationError) return { status: 400, body: { code: error.code, errors: error.failures } };
  if (error instanceof Error && 'code' in error && error.code === 'IDEMPOTENCY_CONFLICT') {
    return { status: 409, body: { code: error.code } };
  }
  throw error;
}

/** Posts the sample invoice as a client would. */
export async function postSample(send: (request: Request) => Promise<Response>, url: string): Promise<void> {
  const body = await readFile(new URL('../invoice.json', import.meta.url), 'utf8');
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'order-1001' };
  for (const content of [body, body, '{"documentType":"01"}']) {
    const response = await send(new Request(url, { method: 'POST', headers, body: content }));
    console.log(response.status, JSON.stringify(await response.json()).slice(0, 100));
  }
}
