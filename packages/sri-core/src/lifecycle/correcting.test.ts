import { describe, expect, it } from 'vitest';
import { type Bench, createBench, invoiceBody, SCOPE } from '../testing/engine-bench.js';

const codeOf = (code: string) => expect.objectContaining({ code });

async function settledWith(bench: Bench, buyerId?: string) {
  return (await bench.during(bench.engine.issue(SCOPE, invoiceBody(buyerId)))).document;
}

describe('rebuilding', () => {
  it.each([
    ['SRI-RETURNED-35', 'RETURNED'],
    ['SRI-REFUSED-39', 'NOT_AUTHORIZED'],
  ])('after %s keeps key, number and date, and can be authorized', async (buyer, status) => {
    const bench = await createBench();
    const refused = await settledWith(bench, buyer);
    expect(refused.status).toBe(status);
    await bench.clock.advance(24 * 60 * 60_000);
    const { document } = await bench.engine.rebuild(SCOPE, refused.accessKey, { body: invoiceBody('AB1') });
    expect(document).toMatchObject({
      status: 'SIGNED',
      accessKey: refused.accessKey,
      sequential: 1,
      issueDate: '2026-11-21',
      buyer: { id: 'AB1' },
    });
    expect((await bench.engine.contents(SCOPE, refused.accessKey)).requestPayload).toEqual(invoiceBody('AB1'));
    await bench.engine.send(SCOPE, refused.accessKey);
    await bench.during(bench.engine.tick());
    await bench.clock.advance(3_000);
    await bench.engine.tick();
    expect((await bench.engine.get(SCOPE, refused.accessKey)).status).toBe('AUTHORIZED');
  });

  it('takes another number when asked to, and the old key goes on finding the document', async () => {
    const bench = await createBench();
    const returned = await settledWith(bench, 'SRI-RETURNED-45');
    await bench.engine.create(SCOPE, invoiceBody());
    const { document } = await bench.engine.rebuild(SCOPE, returned.accessKey, {
      resequence: true,
    });
    expect(document.sequential).toBe(3);
    expect(document.accessKey).not.toBe(returned.accessKey);
    expect((await bench.engine.get(SCOPE, returned.accessKey)).id).toBe(document.id);
    expect(await bench.engine.nextSequential({ ...SCOPE, documentType: '01' })).toBe(4);
  });

  it('takes today when asked to', async () => {
    const bench = await createBench();
    const returned = await settledWith(bench, 'SRI-RETURNED-65');
    await bench.clock.advance(3 * 24 * 60 * 60_000);
    const { document } = await bench.engine.rebuild(SCOPE, returned.accessKey, {
      redate: true,
    });
    expect(document).toMatchObject({ issueDate: '2026-11-24', sequential: 1 });
    expect(document.accessKey.slice(0, 8)).toBe('24112026');
  });

  it('checks the body it gets', async () => {
    const bench = await createBench();
    const { document } = await bench.engine.create(SCOPE, invoiceBody());
    const rebuild = (body: unknown) => bench.engine.rebuild(SCOPE, document.accessKey, { body });
    await expect(rebuild({ ...invoiceBody(), items: [] })).rejects.toEqual(codeOf('VALIDATION_FAILED'));
    await expect(rebuild({ ...invoiceBody(), issueDate: '01/01/2026' })).rejects.toMatchObject({
      failures: [{ field: 'issueDate' }],
    });
    const note = {
      ...invoiceBody(),
      documentType: '04',
      motivo: 'x',
      originalDocument: {
        documentType: '01',
        number: '001-002-000000001',
        issueDate: '21/11/2026',
      },
    };
    await expect(rebuild(note)).rejects.toMatchObject({
      failures: [{ field: 'documentType' }],
    });
    expect((await rebuild({ ...invoiceBody(), issueDate: '21/11/2026' })).document.status).toBe('SIGNED');
  });

  it('is refused where it would be wrong', async () => {
    const bench = await createBench();
    const authorized = await settledWith(bench);
    await expect(bench.engine.rebuild(SCOPE, authorized.accessKey)).rejects.toEqual(codeOf('INVALID_STATE_TRANSITION'));
    const { document } = await bench.engine.create(SCOPE, invoiceBody());
    await expect(bench.engine.rebuild(SCOPE, document.accessKey, { resequence: true })).rejects.toEqual(
      codeOf('INVALID_STATE_TRANSITION'),
    );
  });

  it('lets nobody take the old refusal for a verdict on the new file', async () => {
    const bench = await createBench({ authorizationDelayMs: 60_000 });
    const refused = await settledWith(bench, 'SRI-REFUSED-52');
    await bench.clock.advance(10 * 60_000);
    await bench.engine.tick();
    expect((await bench.engine.get(SCOPE, refused.accessKey)).status).toBe('NOT_AUTHORIZED');
    await bench.engine.rebuild(SCOPE, refused.accessKey, {
      body: invoiceBody('AB1'),
    });
    await bench.engine.send(SCOPE, refused.accessKey);
    await bench.engine.tick();
    await bench.clock.advance(3_000);
    await bench.engine.tick();
    expect((await bench.engine.get(SCOPE, refused.accessKey)).status).toBe('RECEIVED');
    await bench.clock.advance(5 * 60_000);
    await bench.engine.tick();
    expect((await bench.engine.get(SCOPE, refused.accessKey)).status).toBe('AUTHORIZED');
  });
});

describe('voiding', () => {
  it('marks an authorized document, once, and calls nobody', async () => {
    const bench = await createBench();
    const { accessKey } = await settledWith(bench);
    const calls = bench.simulator.journal.length;
    const annulment = {
      confirmedSriVoid: true,
      reason: '  Error en el comprador  ',
    };
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => bench.engine.void(SCOPE, accessKey, annulment)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const document = await bench.engine.get(SCOPE, accessKey);
    expect(document).toMatchObject({
      status: 'VOIDED',
      voided: { reason: 'Error en el comprador', at: bench.clock.now() },
      authorization: { number: accessKey },
    });
    expect(bench.simulator.journal.length).toBe(calls);
    expect(await bench.engine.xml(SCOPE, accessKey)).toContain('<estado>AUTORIZADO</estado>');
    await expect(bench.engine.void(SCOPE, accessKey, annulment)).rejects.toEqual(codeOf('DOCUMENT_NOT_AUTHORIZED'));
  });

  it.each([
    ['without confirmation', { confirmedSriVoid: false, reason: 'x' }, 'DOCUMENT_VOID_CONFIRMATION_REQUIRED'],
    ['without a reason', { confirmedSriVoid: true, reason: '   ' }, 'VALIDATION_FAILED'],
    ['with too long a reason', { confirmedSriVoid: true, reason: 'x'.repeat(501) }, 'VALIDATION_FAILED'],
    ['before it is authorized', { confirmedSriVoid: true, reason: 'x' }, 'DOCUMENT_NOT_AUTHORIZED'],
  ])('is refused %s', async (_, annulment, code) => {
    const bench = await createBench();
    const { document } = await bench.engine.create(SCOPE, invoiceBody());
    await expect(bench.engine.void(SCOPE, document.accessKey, annulment)).rejects.toEqual(codeOf(code));
  });
});

describe('retrying all that failed', () => {
  it('starts them anew, oldest first, up to the limit, and says how many are left', async () => {
    const bench = await createBench({ schedule: { maxAttempts: 1 } });
    const keys: string[] = [];
    for (const buyer of ['SRI-HTTP-500', 'SRI-NEVER', 'SRI-HTTP-500']) {
      const { document } = await bench.engine.create(SCOPE, invoiceBody(buyer));
      keys.push(document.accessKey);
      await bench.engine.send(SCOPE, document.accessKey);
      await bench.during(bench.engine.tick());
      await bench.clock.advance(3_000);
      await bench.during(bench.engine.tick());
    }
    const retried = await bench.engine.retryAll(SCOPE, { limit: 2 });
    expect(retried).toMatchObject({
      remaining: 1,
      documents: [
        { accessKey: keys[0], job: { operation: 'SEND', status: 'PENDING', attemptCount: 0, unconfirmed: true } },
        { accessKey: keys[1], job: { operation: 'AUTHORIZE', status: 'PENDING', attemptCount: 0 } },
      ],
    });
    expect(await bench.engine.retryAll(SCOPE, { operation: 'AUTHORIZE' })).toEqual({ documents: [], remaining: 0 });
    expect((await bench.engine.retryAll(SCOPE)).documents.map(({ accessKey }) => accessKey)).toEqual([keys[2]]);
  });
});
