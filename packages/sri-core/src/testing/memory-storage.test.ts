import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from './memory-storage.js';
import { sampleDocument, sampleScope } from './sample-documents.js';
import { storageConformance } from './storage-conformance.js';

describe('memory storage', () => {
  it.each(storageConformance)('$name', async ({ run }) => {
    const storage = createMemoryStorage();
    await run(async () => storage);
  });

  it('keeps stored data separate from objects that the caller changes later', async () => {
    const storage = createMemoryStorage();
    const counter = { ...sampleScope(), documentType: '01' as const };
    const requestPayload = { items: ['one'] };
    const made = sampleDocument(counter, 1, { contents: { requestPayload } });
    await storage.storeDocuments({ counter, firstSequential: 1, documents: [made] });
    requestPayload.items.push('two');
    const contents = await storage.readContents(counter, made.document.accessKey);
    expect(contents?.requestPayload).toEqual({ items: ['one'] });
  });
});
