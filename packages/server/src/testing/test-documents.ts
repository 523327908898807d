import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationAnswer } from 'sri-core/client';
import type { TestServer } from './test-server.js';
import { createDocument, postJson, type ShownDocument, SIMPLE_INVOICE, type TestTenant } from './test-tenant.js';

/** The calls of a test about the documents of one account, over HTTP. */
export interface TestDocuments {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** A POST without a body. */
  postNothing(path: string): Promise<Response>;
  show(accessKey: string): Promise<ShownDocument>;
  events(accessKey: string): Promise<OperationAnswer<'listDocumentEvents'>['events']>;
  /** A signed document; its buyer may be one of the simulator's special ones. */
  create(body?: unknown, buyerId?: string): Promise<ShownDocument>;
  /** Sends a document and completes its submission. */
  send(accessKey: string): Promise<ShownDocument>;
  /** A document that the simulator has authorized. */
  authorized(body?: unknown): Promise<ShownDocument>;
  /** A document whose automatic attempts have failed. */
  failed(buyerId: string): Promise<ShownDocument>;
}

/** The documents of an account, by paths under `/v1/documents/`. */
export function documentsOf(server: TestServer, tenant: TestTenant): TestDocuments {
  const documents: TestDocuments = {
    get: (path, headers = {}) =>
      server.request(`/v1/documents/${path}`, { headers: { ...tenant.headers, ...headers } }),
    post: (path, body, headers = {}) =>
      postJson(server, `/v1/documents/${path}`, { ...tenant.headers, ...headers }, body),
    postNothing: (path) => server.request(`/v1/documents/${path}`, { method: 'POST', headers: tenant.headers }),
    async show(accessKey) {
      return ((await (await documents.get(accessKey)).json()) as { document: ShownDocument }).document;
    },
    async events(accessKey) {
      return ((await (await documents.get(`${accessKey}/events`)).json()) as OperationAnswer<'listDocumentEvents'>)
        .events;
    },
    create(body = SIMPLE_INVOICE, buyerId) {
      const buyer = { ...SIMPLE_INVOICE.buyer, idType: '06', id: buyerId };
      return createDocument(server, tenant, buyerId ? { ...(body as object), buyer } : body);
    },
    async send(accessKey) {
      const response = await documents.post(`${accessKey}/send`, {});
      if (response.status !== 202) throw new Error(`Sending answered ${response.status}: ${await response.text()}`);
      await server.tick();
      return documents.show(accessKey);
    },
    async authorized(body) {
      const { accessKey } = await documents.create(body);
      await documents.send(accessKey);
      await documents.get(`${accessKey}/authorize`);
      const document = await documents.show(accessKey);
      if (document.status !== 'AUTHORIZED') throw new Error(`The document is ${document.status}.`);
      return document;
    },
    async failed(buyerId) {
      const { accessKey } = await documents.create(SIMPLE_INVOICE, buyerId);
      let document = await documents.send(accessKey);
      for (let attempt = 0; document.dispatch?.status !== 'FAILED' && attempt < 12; attempt += 1) {
        await server.tickAfter(300_000);
        await sleep(1);
        document = await documents.show(accessKey);
      }
      return document;
    },
  };
  return documents;
}
