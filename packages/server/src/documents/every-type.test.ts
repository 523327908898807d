import { DOCUMENT_TYPES, DOCUMENTS, documentTypeOf, documentTypes } from 'sri-core';
import { beforeAll, expect, it } from 'vitest';
import { verifiedTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { documentsOf, type TestDocuments } from '../testing/test-documents.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import type { ShownDocument, TestTenant } from '../testing/test-tenant.js';
import { ALL_TYPES, bodyOf, toCounterparty } from '../testing/type-bodies.js';

const EXAMPLES = DOCUMENT_TYPES.flatMap((code) =>
  DOCUMENTS[code].examples.map((_, index) => ({ code, index, name: `${code}, example ${index + 1}` })),
);

describeOnDatabases('a document of each type', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenant: TestTenant;
  let documents: TestDocuments;
  beforeAll(async () => {
    server = await open();
    tenant = await verifiedTenant(server, { documentTypes: ALL_TYPES, language: 'es', email: 'owner@ejemplo.ec' });
    documents = documentsOf(server, tenant);
  });

  const json = async (path: string) => (await documents.get(path)).json() as Promise<Record<string, unknown>>;
  const lookUp = async (query: string) => (await json(`?${query}`))['data'] as ShownDocument[];
  const counterOf = async (code: string) => {
    const response = await server.request(`/v1/issuers/${tenant.issuerId}/sequentials`, { headers: tenant.auth });
    const { sequentials } = (await response.json()) as {
      sequentials: { documentType: string; sandbox: { next: number } }[];
    };
    return sequentials.find(({ documentType }) => documentType === code)?.sandbox.next;
  };

  it('an account may list every type in its registration, each with its own counter', async () => {
    const response = await server.request(`/v1/issuers/${tenant.issuerId}/document-types`, { headers: tenant.auth });
    expect(await response.json()).toEqual({ ok: true, documentTypes: DOCUMENT_TYPES });
    for (const code of DOCUMENT_TYPES) expect(await counterOf(code)).toBe(1);
  });

  it.each(EXAMPLES)(
    'a document of each type is created, sent, authorized and shown: $name',
    async ({ code, index }) => {
      const type = documentTypeOf(code);
      const body = bodyOf(code, { index });
      const before = await counterOf(code);
      const key = { 'idempotency-key': `${code} ${index}` };
      const created = await documents.post('', body, key);
      expect(created.status, await created.clone().text()).toBe(201);
      const { document } = (await created.json()) as { document: ShownDocument };
      const { accessKey } = document;
      expect(document).toMatchObject({
        documentType: code,
        status: 'SIGNED',
        sequential: String(before).padStart(9, '0'),
        counterparty: { role: type.counterpartyRole, id: expect.any(String), name: expect.any(String) },
        total: expect.stringMatching(type.texts.total === null ? /^0\.00$/ : /^\d+\.\d{2}$/),
      });
      expect(await counterOf(code)).toBe((before ?? 0) + 1);

      const replayed = await documents.post('', body, key);
      expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect(((await replayed.json()) as { document: ShownDocument }).document.accessKey).toBe(accessKey);
      const other = await documents.post('', bodyOf(code === '01' ? '04' : '01'), key);
      expect(other.status).toBe(409);

      const { name } = document['counterparty'] as { name: string };
      const listed = await lookUp(
        `documentType=${code}&sequential=${document.sequential}&buyerName=${encodeURIComponent(name.slice(0, 5))}`,
      );
      expect(listed).toEqual([expect.objectContaining({ accessKey, counterparty: document['counterparty'] })]);
      expect((await json(accessKey))['document']).toMatchObject({ accessKey, requestPayload: body });

      const draft = await documents.get(`${accessKey}/ride`);
      expect(draft.status).toBe(200);
      const ticket = await documents.get(`${accessKey}/ride?format=ticket`);
      if (type.ticket === false) {
        const errors = [{ field: 'format', rule: 'noTicket', message: expect.stringContaining('A4') }];
        expect(await ticket.json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', errors });
      } else {
        // 80 mm in points.
        expect(new TextDecoder('latin1').decode(await ticket.arrayBuffer())).toContain('/MediaBox [0 0 226.77');
      }
      await documents.send(accessKey);
      const asked = (await json(`${accessKey}/authorize`))['document'] as ShownDocument;
      expect(asked, JSON.stringify(await json(`${accessKey}/sri-responses`))).toMatchObject({
        status: 'AUTHORIZED',
        authorizationNumber: accessKey,
      });
      const xml = await (await documents.get(`${accessKey}/xml`)).text();
      expect(xml).toContain('<estado>AUTORIZADO</estado>');
      expect(xml).toContain(`<${type.root} id=`.replaceAll('<', xml.includes('&lt;') ? '&lt;' : '<'));
      const ride = await documents.get(`${accessKey}/ride`);
      expect(new TextDecoder('latin1').decode(await ride.arrayBuffer())).toMatch(/^%PDF-/);

      await server.tick();
      // The address of a negotiable invoice stands in its XML alone.
      const addresses = addressesIn({ ...body, negotiable: null });
      const mails = (await server.mails()).filter((mail) => mail.includes(`RIDE-${accessKey}.pdf`));
      expect(mails.map((mail) => /^To: (?:.*<)?([^<>\s]+)>?$/m.exec(mail)?.[1]).toSorted()).toEqual(
        addresses.toSorted(),
      );
      const shown = await documents.show(accessKey);
      expect(shown['email']).toMatchObject({ status: addresses.length > 0 ? 'SENT' : 'SKIPPED' });

      const { notifications } = (await (
        await server.request('/v1/notifications?limit=1', { headers: tenant.auth })
      ).json()) as { notifications: { metadata: { documents: Record<string, unknown>[] } }[] };
      expect(notifications[0]?.metadata.documents[0]).toMatchObject({ accessKey, documentType: code, buyerName: name });

      const voided = await documents.post(`${accessKey}/void`, { confirmedSriVoid: true, reason: 'Anulado' });
      const reported = (await voided.json()) as {
        document: ShownDocument & { buyer: { email: unknown } };
        advice?: string;
      };
      expect(reported).toMatchObject({ document: { status: 'VOIDED', buyer: { name } } });
      expect([null, ...addresses]).toContain(reported.document.buyer.email);
      expect(reported.advice).toBe(type.texts.voidAdvice?.es);
    },
  );

  it.each(DOCUMENT_TYPES)(
    'a refused document of each type is rebuilt on another day and under another number: %s',
    async (code) => {
      const { accessKey } = await documents.create(toCounterparty(bodyOf(code), { id: 'SRI-RETURNED-35' }));
      const wrong = await documents.post(`${accessKey}/rebuild`, bodyOf(code === '01' ? '04' : '01'));
      expect(await wrong.json()).toMatchObject({ status: 400, errors: [{ field: 'documentType' }] });
      await documents.send(accessKey);
      expect((await documents.show(accessKey)).status).toBe('RETURNED');
      const again = await documents.post(`${accessKey}/rebuild`, {
        ...bodyOf(code),
        redate: true,
        resequence: true,
      });
      expect(again.status, await again.clone().text()).toBe(200);
      const { document } = (await again.json()) as { document: ShownDocument };
      expect(document).toMatchObject({ documentType: code, status: 'SIGNED' });
      await documents.send(document.accessKey);
      await documents.get(`${document.accessKey}/authorize`);
      expect((await documents.show(accessKey)).status).toBe('AUTHORIZED');
    },
  );

  it('the figures have a row for each type, and totals of the types that change the sales', async () => {
    const { stats } = (await json('stats')) as {
      stats: {
        thisMonth: { byType: { type: string; authorizedTotal: string }[] };
        byDocumentType: Record<string, { count: number; total: string }>;
        authorizedTotal: string;
        creditedTotal: string;
        netTotal: string;
      };
    };
    const shortNames = documentTypes.map(({ shortName }) => shortName as string);
    expect(stats.thisMonth.byType.map(({ type }) => type)).toEqual(
      shortNames.filter((_, place) => DOCUMENT_TYPES.includes(documentTypes[place]?.code as '01')),
    );
    expect(Object.keys(stats.byDocumentType)).toEqual(DOCUMENT_TYPES);
    const totalOf = (effect: string, rows: (code: string) => string) =>
      DOCUMENT_TYPES.filter((code) => DOCUMENTS[code].effect === effect)
        .reduce((sum, code) => sum + Number(rows(code)), 0)
        .toFixed(2);
    const total = (code: string) => stats.byDocumentType[code]?.total ?? '';
    expect(stats.authorizedTotal).toBe(totalOf('charge', total));
    expect(stats.creditedTotal).toBe(totalOf('credit', total));
    const standing = await Promise.all(
      DOCUMENT_TYPES.map(async (code) => {
        const rows = await lookUp(`documentType=${code}&status=AUTHORIZED&limit=100`);
        return [code, rows.reduce((sum, row) => sum + Number(row['total']), 0)] as const;
      }),
    );
    const net = standing.reduce((sum, [code, amount]) => {
      const { effect } = DOCUMENTS[code];
      return sum + (effect === 'none' ? 0 : effect === 'charge' ? amount : -amount);
    }, 0);
    expect(stats.netTotal).toBe(net.toFixed(2));
  });
});

// --- internal ---

/** Every mail address in a body, each once. */
function addressesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).flatMap(([name, entry]) =>
    name === 'email' && typeof entry === 'string' ? [entry] : addressesIn(entry),
  );
  return [...new Set(found)];
}
