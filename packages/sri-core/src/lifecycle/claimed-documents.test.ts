import { describe, expect, it } from 'vitest';
import type { Logger } from '../logger.js';
import type { Storage, StoredDocument } from '../storage.js';
import { BENCH_TYPES, createBench, SCOPE, sent } from '../testing/engine-bench.js';
import { createMemoryStorage } from '../testing/memory-storage.js';

const MINUTE = 60_000;

/** A storage with a concurrent change when a worker reads the contents of a claimed document, once per status. */
function withOthers(meanwhile: (storage: Storage, document: StoredDocument) => Promise<void>): Storage {
  const real = createMemoryStorage();
  const seen = new Set<string>();
  return {
    ...real,
    async readContents(scope, accessKey) {
      const document = await real.findDocument(scope, accessKey);
      if (document && !seen.has(document.status)) {
        seen.add(document.status);
        await meanwhile(real, document);
      }
      return real.readContents(scope, accessKey);
    },
  };
}

describe.each(BENCH_TYPES)('a worker’s change of a claimed document: $name', ({ bodyTo }) => {
  it('listeners receive a worker’s change of a claimed document as it is stored', async () => {
    const bench = await createBench();
    const reported: [StoredDocument, StoredDocument][] = [];
    for (const name of ['received', 'authorized'] as const) {
      bench.engine.on(name, async ({ document }) => {
        reported.push([document, await bench.engine.get(SCOPE, document.accessKey)]);
      });
    }
    await sent(bench, bodyTo());
    await bench.engine.tick();
    await bench.clock.advance(MINUTE);
    await bench.engine.tick();
    expect(reported.map(([heard]) => heard.status)).toEqual(['RECEIVED', 'AUTHORIZED']);
    for (const [heard, stored] of reported) expect(heard).toEqual(stored);
  });

  it('a worker’s change of a claimed document does not undo concurrent changes', async () => {
    const storage = withOthers(async (real, document) => {
      const mail = { status: 'SENT', sentAt: document.createdAt, error: null } as const;
      await real.changeDocument({ document, set: { mail }, events: [], responses: [], at: document.updatedAt });
    });
    const bench = await createBench({ storage });
    const document = await sent(bench, bodyTo());
    await bench.engine.tick();
    await bench.clock.advance(MINUTE);
    await bench.engine.tick();
    const after = await bench.engine.get(SCOPE, document.accessKey);
    expect(after).toMatchObject({ status: 'AUTHORIZED', mail: { status: 'SENT' }, job: null });
    expect(bench.simulator.journal.filter(({ operation }) => operation === 'reception')).toHaveLength(1);
  });

  it('a worker submits no file that was signed after the claim', async () => {
    const rebuilt = '<factura>signed again</factura>';
    const storage = withOthers(async (real, document) => {
      if (document.status !== 'PENDING_SEND') return;
      const set = { status: 'SIGNED' } as const;
      const change = { document, set, events: [], responses: [], job: null, at: document.updatedAt };
      await real.changeDocument({ ...change, contents: { signedXml: rebuilt } });
    });
    const bench = await createBench({ storage });
    const document = await sent(bench, bodyTo());
    await bench.engine.tick();
    expect(bench.simulator.journal).toEqual([]);
    expect(await bench.engine.get(SCOPE, document.accessKey)).toMatchObject({ status: 'SIGNED', job: null });
    expect((await bench.engine.contents(SCOPE, document.accessKey)).signedXml).toBe(rebuilt);
  });

  it('a worker drops its change silently when another process has settled the document', async () => {
    const warnings: string[] = [];
    const note = (_: unknown, message: string) => void warnings.push(message);
    const logger: Logger = { info: () => {}, warn: note, error: note };
    const storage = withOthers(async (real, document) => {
      if (document.status !== 'RECEIVED') return;
      const set = { status: 'NOT_AUTHORIZED' } as const;
      await real.changeDocument({ document, set, events: [], responses: [], job: null, at: document.updatedAt });
    });
    const bench = await createBench({ storage, logger });
    const document = await sent(bench, bodyTo());
    await bench.engine.tick();
    await bench.clock.advance(MINUTE);
    await bench.engine.tick();
    expect((await bench.engine.get(SCOPE, document.accessKey)).status).toBe('NOT_AUTHORIZED');
    expect(warnings).toEqual([]);
  });
});
