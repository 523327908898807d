import { beforeAll, expect, it } from 'vitest';
import { createThreads } from '../platform/threads/threads.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, TEST_RUC, type TestServer } from '../testing/test-server.js';
import { postJson, registerTenant, SIMPLE_INVOICE, type TestTenant } from '../testing/test-tenant.js';
import { ALL_TYPES, BY_SEED, bodyOf } from '../testing/type-bodies.js';

const [item] = SIMPLE_INVOICE.items;
/** An invoice with a large body: it queues. */
const LONG = {
  ...SIMPLE_INVOICE,
  items: Array.from({ length: 300 }, () => item),
  payments: [{ method: '01', total: (300 * 11.5).toFixed(2) }],
};
/** The concurrent requests of a cheap kind, of which dozens end during one commit, and of a costly kind. */
const MANY = 200;
const SOME = 50;

describeOnDatabases(
  `many requests of one account beside a create of ${BY_SEED.name}`,
  await databaseKinds(),
  (open) => {
    let server: TestServer;
    let busy: TestTenant;
    let documents: TestDocuments;
    let other: TestDocuments;
    let long: string;
    let short: string;

    beforeAll(async () => {
      server = await open();
      busy = await registerTenant(server, { ruc: TEST_RUC });
      documents = documentsOf(server, busy);
      other = documentsOf(server, await registerTenant(server, { documentTypes: ALL_TYPES }));
      await other.create();
      long = (await documents.create(LONG)).accessKey;
      short = (await documents.create()).accessKey;
      await addNotices();
    });

    /** Notices of the largest size. */
    async function addNotices(): Promise<void> {
      const id = (index: number) => `0197f3a0-c5d2-7b1e-8000-${String(index).padStart(12, '0')}`;
      const row = {
        type: 'DOCUMENT_AUTHORIZED',
        severity: 'INFO',
        title: 'x',
        message: 'x',
        read_at: null,
        created_at: 0,
      };
      const of = { tenant_id: busy.tenantId, issuer_id: null, environment: null, expires_at: null };
      const metadata = JSON.stringify({
        count: 50,
        documents: Array(50).fill({ accessKey: '1'.repeat(49), total: '1' }),
      });
      const rows = Array.from({ length: 100 }, (_, index) => ({ ...row, ...of, metadata, id: id(index) }));
      await server.services.database.transaction((tables) => tables.insertInto('notifications').values(rows).execute());
    }

    /** How many of the busy account's requests end before a create of the other account. */
    async function endedBefore(count: number, ask: () => Promise<Response>): Promise<number> {
      let ended = 0;
      const all = Array.from({ length: count }, async () => {
        const response = await ask();
        await response.arrayBuffer();
        ended += 1;
        return response.status;
      });
      await other.create(bodyOf(BY_SEED.type));
      const before = ended;
      const statuses = new Set(await Promise.all(all));
      expect([...statuses].every((status) => status === 200 || status === 201)).toBe(true);
      return before;
    }

    it.each<[string, number, () => Promise<Response>]>([
      ['lists', MANY, () => server.request('/v1/documents?limit=100', { headers: busy.headers })],
      ['documents with their bodies', MANY, () => documents.get(long)],
      ['XML files', MANY, () => documents.get(`${long}/xml`)],
      ['notifications', SOME, () => server.request('/v1/notifications', { headers: busy.headers })],
      ['statistics', MANY, () => documents.get('stats')],
      ['creates with a large body', SOME, () => postJson(server, '/v1/documents', busy.headers, LONG)],
      ['printed forms', MANY, () => documents.get(`${short}/ride`)],
    ])('requests for %s leave a create of another account its share', async (_, count, ask) => {
      expect(await endedBefore(count, ask)).toBeLessThan(count / 2);
    });

    it('a separate thread renders printed forms', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      let started = 0;
      const count = () => {
        started += 1;
      };
      const fresh = await open({ beside: server, threads: createThreads(() => {}) });
      process.on('worker', count);
      try {
        expect((await fresh.request(`/v1/documents/${short}/ride`, { headers: busy.headers })).status).toBe(200);
        expect(started).toBe(1);
      } finally {
        process.off('worker', count);
      }
    });
  },
);
