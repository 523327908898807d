import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packContents, packDictionary, toDictionary, unpackContents, unpackDictionary } from './contents-codec.js';
import { invoicesOf, sampleBatch } from './testing/sample-batches.js';
import { SQLITE, type TestDatabase } from './testing/test-databases.js';

const contents = fc.record({
  signedXml: fc.string({ unit: 'grapheme', maxLength: 3000 }),
  requestPayload: fc.jsonValue(),
  authorizedXml: fc.option(fc.string({ unit: 'grapheme', maxLength: 3000 })),
});

describe('packed contents', () => {
  it('are unpacked as they were, with any dictionary and without', () => {
    fc.assert(
      fc.property(contents, fc.option(contents), (packed, pattern) => {
        const dictionary = pattern && toDictionary(pattern);
        const expected = { ...packed, requestPayload: JSON.parse(JSON.stringify(packed.requestPayload)) };
        expect(unpackContents(packContents(packed, dictionary), dictionary)).toEqual(expected);
      }),
    );
  });

  it('of a newer format are refused, not misread', () => {
    const packed = packContents({ signedXml: '<a></a>', requestPayload: null, authorizedXml: null }, null);
    packed[0] = 2;
    expect(() => unpackContents(packed, null)).toThrow('format');
  });

  it('a dictionary stays within what the compressor can look back on', () => {
    const long = { signedXml: 'á'.repeat(300_000), requestPayload: 'x'.repeat(50_000), authorizedXml: null };
    const dictionary = toDictionary(long);
    expect(dictionary.length).toBeLessThan(32_768);
    expect(unpackDictionary(packDictionary(dictionary))).toEqual(dictionary);
  });
});

describe('stored contents', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await SQLITE.create();
  });
  afterAll(() => database.remove());

  it('shrink to a part once an issuer has a few documents to learn from', async () => {
    const storage = await database.open();
    const counter = invoicesOf();
    for (let first = 1; first <= 16; first += 8) await storage.storeDocuments(sampleBatch(first, 8, counter));
    const rows = await storage.kysely
      .selectFrom('sri_contents as contents')
      .innerJoin('sri_documents as document', 'document.id', 'contents.document_id')
      .select(['contents.body', 'contents.dictionary_id'])
      .orderBy('document.sequential')
      .execute();
    const dictionaries = rows.map((row) => row.dictionary_id);
    expect(dictionaries.slice(0, 3)).toEqual([null, null, null]);
    expect(new Set(dictionaries.slice(3)).size).toBe(1);
    const [alone, , , , , patterned] = rows.map((row) => row.body.length);
    expect(patterned).toBeLessThan((alone ?? 0) / 5);
  });

  it('share the dictionary with the processes that come later', async () => {
    const counter = invoicesOf();
    await (await database.open()).storeDocuments(sampleBatch(1, 8, counter));
    const later = await database.open();
    await later.storeDocuments(sampleBatch(9, 8, counter));
    const { count } = await later.kysely
      .selectFrom('sri_dictionaries')
      .select((expression) => expression.fn.countAll().as('count'))
      .where('issuer_id', '=', counter.issuerId)
      .executeTakeFirstOrThrow();
    expect(count).toBe(1);
  });

  it('another certificate gets a dictionary of its own', async () => {
    const storage = await database.open();
    const counter = invoicesOf();
    await storage.storeDocuments(sampleBatch(1, 8, counter));
    const renewed = sampleBatch(9, 2, counter);
    const documents = renewed.documents.map((added) => ({
      ...added,
      contents: {
        ...added.contents,
        signedXml: added.contents.signedXml
          .replace(/<ds:X509Certificate>.{99}/, '<ds:X509Certificate>renewed')
          .replace(/.{9}<\/ds:X509Certificate>/, 'NEW</ds:X509Certificate>'),
      },
    }));
    await storage.storeDocuments({ ...renewed, documents });
    const { count } = await storage.kysely
      .selectFrom('sri_dictionaries')
      .select((expression) => expression.fn.countAll().as('count'))
      .where('issuer_id', '=', counter.issuerId)
      .executeTakeFirstOrThrow();
    expect(count).toBe(2);
    for (const { document, contents } of documents) {
      expect(await storage.readContents(counter, document.accessKey)).toEqual(contents);
    }
  });
});
