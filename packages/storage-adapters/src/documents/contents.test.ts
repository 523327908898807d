import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invoicesOf, sampleBatch } from '../testing/sample-batches.js';
import { findPostgres, SQLITE } from '../testing/test-databases.js';
import { packContents, unpackContents, unpackInTurn } from './contents.js';

const contents = fc.record({
  signedXml: fc.string({ unit: 'grapheme', maxLength: 3000 }),
  requestPayload: fc.jsonValue(),
  authorizedXml: fc.option(fc.string({ unit: 'grapheme', maxLength: 3000 })),
});

describe('contents', () => {
  it('unpacks contents as they were packed', () => {
    fc.assert(
      fc.property(contents, (packed) => {
        const expected = { ...packed, requestPayload: JSON.parse(JSON.stringify(packed.requestPayload)) };
        expect(unpackContents(packContents(packed))).toEqual(expected);
      }),
    );
  });

  it('rejects damaged contents instead of misreading them', () => {
    const packed = packContents({ signedXml: '<a></a>', requestPayload: null, authorizedXml: null });
    packed.signed_xml[packed.signed_xml.length - 1] = 1 + (packed.signed_xml.at(-1) ?? 0);
    expect(() => unpackContents(packed)).toThrow('data check');
  });

  it('reads contents of large documents one in a turn of the event loop, small ones together', async () => {
    /** The turns in which five documents are read. */
    async function turnsOf(characters: number) {
      const signedXml = randomBytes(characters / 2).toString('hex');
      const packed = packContents({ signedXml, requestPayload: null, authorizedXml: signedXml });
      let turn = 0;
      const reads = Array.from({ length: 5 }, async () => {
        expect(await unpackInTurn(packed)).toMatchObject({ signedXml, authorizedXml: signedXml });
        return turn;
      });
      for (; turn < 10; turn += 1) await setImmediate();
      return new Set(await Promise.all(reads)).size;
    }
    expect(await turnsOf(50_000)).toBe(5);
    expect(await turnsOf(2_000)).toBe(1);
  });
});

describe.each([SQLITE, await findPostgres()])('stored contents on $name', ({ missing, create }) => {
  it.skipIf(missing)('plain SQL and zlib read stored contents, from the row of the document alone', async () => {
    const database = await create();
    try {
      const storage = await database.open();
      const counter = invoicesOf();
      const batch = sampleBatch(1, 40, counter);
      await storage.storeDocuments(batch);
      const rows = await storage.kysely.selectFrom('sri_contents').selectAll().execute();
      const stored = new Map(rows.map((row) => [row.document_id, row]));
      for (const { document, contents } of batch.documents) {
        const row = stored.get(document.id);
        if (!row) throw new Error('A document has no contents.');
        expect(row.issuer_id).toBe(counter.issuerId);
        expect(inflateSync(row.signed_xml).toString()).toBe(contents.signedXml);
        expect(JSON.parse(inflateSync(row.request_payload).toString())).toEqual(contents.requestPayload);
        expect(row.authorized_xml).toBeNull();
      }
    } finally {
      await database.remove();
    }
  });
});
