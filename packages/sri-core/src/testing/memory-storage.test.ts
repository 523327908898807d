import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryStorage } from './memory-storage.js';
import { sampleDocument, sampleScope } from './sample-documents.js';
import { storageConformance } from './storage-conformance.js';

describe('memory storage', () => {
  it.each(storageConformance)('the memory storage keeps a promise of the port: $name', async ({ run }) => {
    const storage = createMemoryStorage();
    await run(async () => storage);
  });

  it('a case ends, and leaves nothing running, when the storage lacks a method', async () => {
    const moved = storageConformance.find(({ name }) => name.endsWith('however fast others move the counter'));
    const storage = createMemoryStorage();
    storage.changeUnderLock = () => Promise.reject(new Error('not written yet'));
    await expect(moved?.run(async () => storage)).rejects.toThrow('not written yet');
    await setTimeout(20);
    const moving = vi.spyOn(storage, 'setNextSequential');
    await setTimeout(20);
    expect(moving).not.toHaveBeenCalled();
  });

  it('every case ends, also where each storage has data of its own', async () => {
    const ends = await Promise.allSettled(storageConformance.map(({ run }) => run(async () => createMemoryStorage())));
    expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(5);
  });

  it('a case ends with a hint when the storage loses every race', async () => {
    const raced = storageConformance.find(({ name }) => name.startsWith('fifty creators'));
    const storage = createMemoryStorage();
    storage.storeDocuments = async () => ({ kind: 'counterMoved', nextSequential: 1 });
    await expect(raced?.run(async () => storage)).rejects.toThrow('Each `open` of a case has to give the same data.');
  });

  it('the memory storage keeps stored data separate from objects that the caller changes later', async () => {
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
