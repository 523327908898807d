import { describe, expect, it } from 'vitest';
import { parseAccessKey } from '../access-key.js';
import { type DocumentBody, uncheckedBody } from '../documents/registry.js';
import { BENCH_TYPES, type Bench, createBench, creditNoteBody, invoiceBody, SCOPE } from '../testing/engine-bench.js';
import { createRestlessStorage } from '../testing/restless-storage.js';

const codeOf = (code: string) => expect.objectContaining({ code });

async function settledWith(bench: Bench, body: DocumentBody) {
  return (await bench.during(bench.engine.issue(SCOPE, body))).document;
}

describe('rebuilding', () => {
  it.each(
    BENCH_TYPES.flatMap((type) => [
      { ...type, buyer: 'SRI-RETURNED-35', status: 'RETURNED' },
      { ...type, buyer: 'SRI-REFUSED-39', status: 'NOT_AUTHORIZED' },
    ]),
  )(
    'a rebuild after $buyer keeps key, number and date, and the SRI can authorize it: $name',
    async ({ bodyTo, buyer, status }) => {
      const bench = await createBench();
      const refused = await settledWith(bench, bodyTo(buyer));
      expect(refused.status).toBe(status);
      await bench.clock.advance(24 * 60 * 60_000);
      const rebuilt = await bench.engine.rebuild(SCOPE, refused.accessKey, { body: bodyTo('AB1') });
      expect(rebuilt).toMatchObject({ warnings: [], replayed: false });
      expect(rebuilt.document).toMatchObject({
        status: 'SIGNED',
        accessKey: refused.accessKey,
        sequential: 1,
        issueDate: '2026-11-21',
        counterparty: { id: 'AB1' },
      });
      expect((await bench.engine.contents(SCOPE, refused.accessKey)).requestPayload).toEqual(bodyTo('AB1'));
      await bench.engine.send(SCOPE, refused.accessKey);
      await bench.during(bench.engine.tick());
      await bench.clock.advance(3_000);
      await bench.engine.tick();
      expect((await bench.engine.get(SCOPE, refused.accessKey)).status).toBe('AUTHORIZED');
    },
  );

  it('a rebuild rejects a body in place of its options', async () => {
    const { engine } = await createBench();
    const { document } = await engine.create(SCOPE, invoiceBody());
    const options = invoiceBody('AB1') as object;
    await expect(engine.rebuild(SCOPE, document.accessKey, options)).rejects.toThrow(TypeError);
    expect(await engine.get(SCOPE, document.accessKey)).toEqual(document);
  });

  it.each(BENCH_TYPES)(
    'a rebuild takes another number on request, and the old key still finds the document: $name',
    async ({ bodyTo, counter }) => {
      const bench = await createBench();
      const returned = await settledWith(bench, bodyTo('SRI-RETURNED-45'));
      await bench.engine.create(SCOPE, bodyTo());
      const { document } = await bench.engine.rebuild(SCOPE, returned.accessKey, {
        resequence: true,
      });
      expect(document.sequential).toBe(3);
      expect(document.accessKey).not.toBe(returned.accessKey);
      expect((await bench.engine.get(SCOPE, returned.accessKey)).id).toBe(document.id);
      expect(await bench.engine.nextSequential(counter)).toBe(4);
    },
  );

  it.each(BENCH_TYPES)(
    'a rebuild takes the last number, and a further one fails: $name',
    async ({ bodyTo, counter }) => {
      const bench = await createBench();
      await bench.engine.setNextSequential(counter, 999_999_998);
      const returned = await settledWith(bench, bodyTo('SRI-RETURNED-45'));
      const last = await bench.engine.rebuild(SCOPE, returned.accessKey, {
        resequence: true,
        body: bodyTo('SRI-RETURNED-45'),
      });
      expect(last.document.sequential).toBe(999_999_999);
      await bench.engine.send(SCOPE, last.document.accessKey);
      await bench.engine.tick();
      const returnedAgain = await bench.engine.get(SCOPE, last.document.accessKey);
      expect(returnedAgain.status).toBe('RETURNED');
      const renumbered = bench.engine.rebuild(SCOPE, returnedAgain.accessKey, { resequence: true });
      await expect(renumbered).rejects.toEqual(codeOf('SEQUENTIAL_EXHAUSTED'));
      expect(await bench.engine.get(SCOPE, returnedAgain.accessKey)).toEqual(returnedAgain);
    },
  );

  it.each(BENCH_TYPES)(
    'a rebuild takes another number even while another caller moves the counter without end: $name',
    async ({ bodyTo, counter }) => {
      const restless = createRestlessStorage();
      restless.isRestless = false;
      const bench = await createBench({ storage: restless.storage });
      const returned = await settledWith(bench, bodyTo('SRI-RETURNED-45'));
      restless.isRestless = true;
      const { document } = await bench.engine.rebuild(SCOPE, returned.accessKey, { resequence: true });
      restless.isRestless = false;
      // Three races were lost, each to a jump of ten; then the counter was locked.
      expect(document.sequential).toBe(32);
      expect(await bench.engine.nextSequential(counter)).toBe(33);
      expect((await bench.engine.events(SCOPE, document.accessKey)).at(-1)?.eventType).toBe('REBUILT');
    },
  );

  it('a rebuild reports a wrong body first, and then that the document may not be rebuilt', async () => {
    const bench = await createBench();
    const { accessKey } = await settledWith(bench, invoiceBody());
    const rebuild = (body: unknown) => bench.engine.rebuild(SCOPE, accessKey, { body: uncheckedBody(body) });
    await expect(rebuild({ ...invoiceBody(), items: [] })).rejects.toEqual(codeOf('VALIDATION_FAILED'));
    await expect(rebuild(invoiceBody())).rejects.toEqual(codeOf('INVALID_STATE_TRANSITION'));
    // The stored body is accepted even if the rules for bodies have changed.
    const { engine } = await createBench({ storage: bench.storage, requireAmounts: true });
    await expect(engine.rebuild(SCOPE, accessKey)).rejects.toEqual(codeOf('INVALID_STATE_TRANSITION'));
  });

  it('a rebuild renews everything stored next to the file, and sends the mail again', async () => {
    const bench = await createBench();
    const { document: made } = await bench.engine.create(SCOPE, creditNoteBody());
    await bench.storage.changeDocument({
      document: made,
      set: { mail: { status: 'FAILED', sentAt: made.createdAt, error: 'no such mailbox' } },
      events: [],
      responses: [],
      at: made.createdAt,
    });
    const note = creditNoteBody('001-002-000000007');
    const items = note.items.map((item) => ({ ...item, quantity: '4' }));
    const body = { ...note, items, buyer: { ...note.buyer, email: 'otra@example.com' } };
    const { document } = await bench.engine.rebuild(SCOPE, made.accessKey, { body });
    expect(document).toMatchObject({
      total: '23.00',
      counterparty: { email: 'otra@example.com' },
      modifies: { documentType: '01', number: '001-002-000000007' },
      mail: { status: 'PENDING', sentAt: null, error: null },
    });
  });

  it.each(BENCH_TYPES)('a rebuild signs the stored body again, and keeps it: $name', async ({ bodyTo }) => {
    const bench = await createBench();
    const { document } = await bench.engine.create(SCOPE, bodyTo());
    const before = await bench.engine.contents(SCOPE, document.accessKey);
    const moved = await createBench({ storage: bench.storage, issuer: { mainAddress: 'Guayaquil' } });
    await moved.engine.rebuild(SCOPE, document.accessKey);
    const after = await bench.engine.contents(SCOPE, document.accessKey);
    expect(after.requestPayload).toEqual(before.requestPayload);
    expect(after.signedXml).toContain('<dirMatriz>Guayaquil</dirMatriz>');
  });

  it.each([
    { name: 'another date', buyer: 'SRI-RETURNED-65', options: { redate: true } },
    { name: 'another number', buyer: 'SRI-RETURNED-45', options: { resequence: true } },
  ])('a rebuild draws new free digits for a new key: $name', async ({ buyer, options }) => {
    const bench = await createBench();
    const returned = await settledWith(bench, invoiceBody(buyer));
    await bench.clock.advance(24 * 60 * 60_000);
    const { document } = await bench.engine.rebuild(SCOPE, returned.accessKey, options);
    const digits = (accessKey: string) => parseAccessKey(accessKey).numericCode;
    expect(digits(document.accessKey)).not.toBe(digits(returned.accessKey));
  });

  it.each(BENCH_TYPES)('a rebuild takes today on request: $name', async ({ bodyTo }) => {
    const bench = await createBench();
    const returned = await settledWith(bench, bodyTo('SRI-RETURNED-65'));
    await bench.clock.advance(3 * 24 * 60 * 60_000);
    const { document } = await bench.engine.rebuild(SCOPE, returned.accessKey, {
      redate: true,
    });
    expect(document).toMatchObject({ issueDate: '2026-11-24', sequential: 1 });
    expect(document.accessKey.slice(0, 8)).toBe('24112026');
  });

  it('a rebuild takes today although the payload names its old day, and leaves another payload unchanged', async () => {
    const bench = await createBench();
    const issue = async (extra: Record<string, unknown>) =>
      (await bench.during(bench.engine.issue(SCOPE, invoiceBody('SRI-RETURNED-65', extra)))).document;
    const named = await issue({ issueDate: '21/11/2026' });
    await bench.clock.advance(3 * 24 * 60 * 60_000);
    const { document } = await bench.engine.rebuild(SCOPE, named.accessKey, { redate: true });
    expect(document.issueDate).toBe('2026-11-24');
    // A newly sent body does not name the old day by mistake, so it is validated like any other body.
    const other = await bench.engine.create(SCOPE, invoiceBody());
    const body = invoiceBody('AB1', { issueDate: '21/11/2026' });
    await expect(bench.engine.rebuild(SCOPE, other.document.accessKey, { redate: true, body })).rejects.toMatchObject({
      failures: [{ field: 'issueDate' }],
    });
    await expect(
      bench.engine.rebuild(SCOPE, other.document.accessKey, { redate: true, body: uncheckedBody(null) }),
    ).rejects.toEqual(codeOf('VALIDATION_FAILED'));
    await expect(
      bench.engine.rebuild(SCOPE, other.document.accessKey, { redate: true, body: uncheckedBody('text') }),
    ).rejects.toEqual(codeOf('VALIDATION_FAILED'));
  });

  it('a rebuild signs the stored body again after a new date, though the body names its first day', async () => {
    const { engine, clock } = await createBench();
    const { document: made } = await engine.create(SCOPE, invoiceBody('AB1', { issueDate: '21/11/2026' }));
    await clock.advance(3 * 24 * 60 * 60_000);
    const { accessKey } = (await engine.rebuild(SCOPE, made.accessKey, { redate: true })).document;
    expect((await engine.rebuild(SCOPE, accessKey)).document).toMatchObject({ accessKey, issueDate: '2026-11-24' });
    await clock.advance(24 * 60 * 60_000);
    expect((await engine.rebuild(SCOPE, accessKey, { redate: true })).document.issueDate).toBe('2026-11-25');
  });

  it.each(BENCH_TYPES)(
    'a rebuild adds the software provider to every file, from the first on: $name',
    async ({ bodyTo }) => {
      const bench = await createBench({ softwareProviderRuc: '1790016919001' });
      const { document } = await bench.engine.create(SCOPE, bodyTo());
      const named = async () => (await bench.engine.contents(SCOPE, document.accessKey)).signedXml;
      expect(await named()).toContain('1790016919001');
      await bench.engine.rebuild(SCOPE, document.accessKey);
      expect(await named()).toContain('1790016919001');
    },
  );

  it.each(BENCH_TYPES)('a rebuild is rejected for a paused issuer: $name', async ({ bodyTo }) => {
    const bench = await createBench();
    const { document } = await bench.engine.create(SCOPE, bodyTo());
    const paused = await createBench({ storage: bench.storage, issuer: { canIssue: false } });
    await expect(paused.engine.rebuild(SCOPE, document.accessKey)).rejects.toEqual(codeOf('ISSUER_ISSUING_PAUSED'));
  });

  it('a rebuild validates its body', async () => {
    const bench = await createBench();
    const { document } = await bench.engine.create(SCOPE, invoiceBody());
    const rebuild = (body: unknown) => bench.engine.rebuild(SCOPE, document.accessKey, { body: uncheckedBody(body) });
    await expect(rebuild({ ...invoiceBody(), items: [] })).rejects.toEqual(codeOf('VALIDATION_FAILED'));
    await expect(rebuild({ ...invoiceBody(), issueDate: '01/01/2026' })).rejects.toMatchObject({
      failures: [{ field: 'issueDate' }],
    });
    await expect(rebuild(creditNoteBody())).rejects.toMatchObject({
      failures: [{ field: 'documentType', rule: 'sameType', params: { documentType: '01' } }],
    });
    expect((await rebuild({ ...invoiceBody(), issueDate: '21/11/2026' })).document.status).toBe('SIGNED');
  });

  it.each(BENCH_TYPES)('a rebuild is rejected in the wrong status: $name', async ({ bodyTo }) => {
    const bench = await createBench();
    const authorized = await settledWith(bench, bodyTo());
    await expect(bench.engine.rebuild(SCOPE, authorized.accessKey)).rejects.toEqual(codeOf('INVALID_STATE_TRANSITION'));
    const { document } = await bench.engine.create(SCOPE, bodyTo());
    await expect(bench.engine.rebuild(SCOPE, document.accessKey, { resequence: true })).rejects.toEqual(
      codeOf('INVALID_STATE_TRANSITION'),
    );
  });

  it.each(BENCH_TYPES)('a rebuild never applies the old refusal to the new file: $name', async ({ bodyTo }) => {
    const bench = await createBench({ authorizationDelayMs: 60_000 });
    const refused = await settledWith(bench, bodyTo('SRI-REFUSED-52'));
    await bench.clock.advance(10 * 60_000);
    await bench.engine.tick();
    expect((await bench.engine.get(SCOPE, refused.accessKey)).status).toBe('NOT_AUTHORIZED');
    await bench.engine.rebuild(SCOPE, refused.accessKey, {
      body: bodyTo('AB1'),
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

describe.each(BENCH_TYPES)('voiding: $name', ({ bodyTo }) => {
  it('`void` marks an authorized document, once, without a call', async () => {
    const bench = await createBench();
    const { accessKey } = await settledWith(bench, bodyTo());
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

  it('`void` accepts a reason of 500 characters, each counted once', async () => {
    const bench = await createBench();
    const { accessKey } = await settledWith(bench, bodyTo());
    const reason = '🧾'.repeat(500);
    await bench.engine.void(SCOPE, accessKey, { confirmedSriVoid: true, reason: ` ${reason} ` });
    expect((await bench.engine.get(SCOPE, accessKey)).voided?.reason).toBe(reason);
  });

  it.each([
    { reason: ' ', rule: 'required', message: /required/ },
    { reason: 'x'.repeat(501), rule: 'maxLength', message: /at most 500/ },
  ])('`void` reports a wrong reason: $rule', async ({ reason, rule, message }) => {
    const bench = await createBench({ language: 'en' });
    const { accessKey } = await settledWith(bench, bodyTo());
    const refused = bench.engine.void(SCOPE, accessKey, { confirmedSriVoid: true, reason });
    await expect(refused).rejects.toMatchObject({
      failures: [{ field: 'reason', rule, message: expect.stringMatching(message) }],
    });
  });

  it.each([
    ['without confirmation', { confirmedSriVoid: false, reason: 'x' }, 'DOCUMENT_VOID_CONFIRMATION_REQUIRED'],
    ['with a reason that is no text', { confirmedSriVoid: true, reason: JSON.parse('5') }, 'VALIDATION_FAILED'],
    ['without a reason', { confirmedSriVoid: true, reason: '   ' }, 'VALIDATION_FAILED'],
    ['with too long a reason', { confirmedSriVoid: true, reason: 'x'.repeat(501) }, 'VALIDATION_FAILED'],
    ['before it is authorized', { confirmedSriVoid: true, reason: 'x' }, 'DOCUMENT_NOT_AUTHORIZED'],
  ])('`void` is rejected %s', async (_, annulment, code) => {
    const bench = await createBench();
    const { document } = await bench.engine.create(SCOPE, bodyTo());
    await expect(bench.engine.void(SCOPE, document.accessKey, annulment)).rejects.toEqual(codeOf(code));
  });
});

describe.each(BENCH_TYPES)('retrying all failed documents: $name', ({ bodyTo }) => {
  it('`retryAll` restarts failed documents, oldest first, up to the limit, and returns how many are left', async () => {
    const bench = await createBench({ schedule: { maxAttempts: 1 } });
    const keys: string[] = [];
    for (const buyer of ['SRI-HTTP-500', 'SRI-NEVER', 'SRI-HTTP-500']) {
      const { document } = await bench.engine.create(SCOPE, bodyTo(buyer));
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
    await expect(bench.engine.retryAll(SCOPE, { operation: 'send' as 'SEND' })).rejects.toThrow('operation has to be');
    expect(await bench.engine.retryAll(SCOPE, { operation: 'AUTHORIZE' })).toEqual({ documents: [], remaining: 0 });
    expect((await bench.engine.retryAll(SCOPE)).documents.map(({ accessKey }) => accessKey)).toEqual([keys[2]]);
  });
});
