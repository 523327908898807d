import type { KyselyPlugin } from 'kysely';
import { silentLogger } from 'sri-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { mailTokenLabel } from '../platform/secrets/secret-label.js';
import { activeTenant } from '../testing/production-tenant.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, type TestServer } from '../testing/test-server.js';
import type { TestTenant } from '../testing/test-tenant.js';
import type { WrittenMail } from './mail-transport.js';
import { createMailWorker, MAIL_SLOTS, sendDueMails } from './mail-worker.js';
import type { OutboxWorkerDeps } from './outbox-worker.js';
import { insertMail } from './rows.js';

/** Sends that end on command of the test. */
class HeldSends {
  readonly begun: WrittenMail[] = [];
  readonly #open = new Map<string, () => void>();
  most = 0;

  readonly transport = {
    send: (mail: WrittenMail) =>
      new Promise<void>((resolve) => {
        this.begun.push(mail);
        this.#open.set(mail.id, resolve);
        this.most = Math.max(this.most, this.#open.size);
      }),
    close: () => {},
  };

  end(...mails: readonly (WrittenMail | undefined)[]): void {
    for (const mail of mails.length > 0 ? mails : this.begun) {
      const resolve = mail && this.#open.get(mail.id);
      if (mail) this.#open.delete(mail.id);
      resolve?.();
    }
  }

  get held(): number {
    return this.#open.size;
  }
}

describeOnDatabases('the worker of mails', await databaseKinds(), (open) => {
  let server: TestServer;
  let tenants: TestTenant[];
  let sends: HeldSends;
  beforeAll(async () => {
    server = await open();
    tenants = [await activeTenant(server), await activeTenant(server), await activeTenant(server)];
    await server.tick();
  });
  afterEach(async () => {
    const everything = sendDueMails(deps({ send: async () => {}, close: () => {} }));
    sends.end();
    await everything;
  });

  function deps(transport: OutboxWorkerDeps['transport'], logger = silentLogger): OutboxWorkerDeps {
    return { ...server.services.outbox, transport, logger };
  }
  /** Mails of one account, due one after the other from now on. */
  async function queue(index: number, count: number, name: string): Promise<void> {
    const { newId, clock } = server.services.outbox;
    const { vault } = server.services;
    const tenantId = tenants[index]?.tenantId ?? '';
    for (let number = 0; number < count; number += 1) {
      const createdAt = clock.now();
      const id = newId(createdAt);
      const token = vault.sealer(new Map()).seal(Buffer.from('0'.repeat(64)), mailTokenLabel({ id, tenantId }));
      const recipient = `${name}${number}@ejemplo.ec`;
      const mail = {
        id,
        tenantId,
        kind: 'VERIFICATION',
        recipient,
        language: 'es',
        data: {},
        token,
        createdAt,
      } as const;
      await server.services.database.transaction((tables) => insertMail(tables, mail));
      await server.clock.advance(1);
    }
  }
  /** A mail about a price to each account. */
  async function announce(): Promise<void> {
    const { newId, clock } = server.services.outbox;
    const createdAt = clock.now();
    const data = { tier: 'GROWTH', period: 'mensual', previousPriceUsd: '$1', newPriceUsd: '$2', effectiveAt: 'hoy' };
    for (const { tenantId } of tenants) {
      const mail = { id: newId(createdAt), tenantId, recipient: 'todos@ejemplo.ec', data, createdAt } as const;
      await server.services.database.transaction((tables) =>
        insertMail(tables, { ...mail, kind: 'PRICE_CHANGE', language: 'es', token: null }),
      );
    }
  }
  const begun = () => sends.begun.map(({ to }) => to.split('@')[0]);

  it('the worker sends as many mails as it has places, and a hanging mail delays no other', async () => {
    sends = new HeldSends();
    for (const index of [0, 1, 2]) await queue(index, 3, `abc`[index] ?? '');
    const worker = createMailWorker(deps(sends.transport));
    expect(await worker.start()).toBe(MAIL_SLOTS);
    expect(sends.held).toBe(MAIL_SLOTS);
    expect(await worker.start()).toBe(0);
    const [hanging, ...others] = sends.begun;
    sends.end(...others);
    await worker.next();
    for (let round = 0; round < 20 && sends.begun.length < 9; round += 1) {
      await worker.start();
      sends.end(...sends.begun.filter((mail) => mail !== hanging));
      await worker.next();
    }
    expect(new Set(begun())).toHaveProperty('size', 9);
    while (worker.running() > 1) await worker.next();
    expect([sends.held, worker.running()]).toEqual([1, 1]);
    sends.end(hanging);
    await worker.idle();
    expect(sends.most).toBeLessThanOrEqual(MAIL_SLOTS);
  });

  it('the worker leaves a place for other accounts, even if one account has many mails', async () => {
    sends = new HeldSends();
    await queue(0, 10, 'a');
    const worker = createMailWorker(deps(sends.transport));
    expect(await worker.start()).toBe(MAIL_SLOTS - 1);
    await queue(1, 1, 'b');
    expect(await worker.start()).toBe(1);
    expect(begun()).toEqual(['a0', 'a1', 'a2', 'b0']);
  });

  it('mails to all accounts leave a slot for other mails', async () => {
    sends = new HeldSends();
    await announce();
    await announce();
    const worker = createMailWorker(deps(sends.transport));
    expect(await worker.start()).toBe(MAIL_SLOTS - 1);
    await queue(1, 1, 'b');
    expect(await worker.start()).toBe(1);
    expect(begun()).toEqual(['todos', 'todos', 'todos', 'b0']);
  });

  it('the worker serves accounts in turn, not by the length of their queues', async () => {
    sends = new HeldSends();
    await queue(0, 8, 'a');
    await queue(1, 8, 'b');
    await queue(2, 2, 'c');
    const worker = createMailWorker(deps(sends.transport));
    while (sends.begun.length < 9) {
      await worker.start();
      sends.end();
      await worker.idle();
    }
    expect(begun().slice(0, 6).toSorted()).toEqual(['a0', 'a1', 'b0', 'b1', 'c0', 'c1']);
  });

  it('the worker reports each free place, starts nothing after its stop, and can be awaited', async () => {
    sends = new HeldSends();
    await queue(0, 2, 'a');
    let ended = 0;
    const worker = createMailWorker(deps(sends.transport), () => {
      ended += 1;
    });
    const stopping = new AbortController();
    expect(await worker.start(stopping.signal)).toBe(2);
    await queue(1, 1, 'b');
    stopping.abort();
    expect(await worker.start(stopping.signal)).toBe(0);
    let idle = false;
    const waiting = worker.idle().then(() => {
      idle = true;
    });
    sends.end(sends.begun[0]);
    await worker.next();
    expect([ended, idle, worker.running()]).toEqual([1, false, 1]);
    sends.end();
    await waiting;
    expect([ended, worker.running()]).toEqual([2, 0]);
  });

  it('the worker looks for skippable mails among the latest, and once a minute among all', async () => {
    const { outbox } = server.services;
    const looks: string[] = [];
    const recorder: KyselyPlugin = {
      transformQuery({ node }) {
        const text = JSON.stringify(node);
        if (node.kind === 'SelectQueryNode' && text.includes('"requested"')) looks.push(text);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const database: OutboxWorkerDeps['database'] = {
      ...outbox.database,
      read: (work) => outbox.database.read((tables) => work(tables.withPlugin(recorder))),
    };
    const rules = { ...outbox.rules, mailToBuyers: false };
    const worker = createMailWorker({ ...deps(sends.transport), database, rules });
    const isOfLately: boolean[] = [];
    for (const passedMs of [0, 20_000, 20_000, 20_000]) {
      await server.clock.advance(passedMs);
      await worker.start();
      isOfLately.push(looks.at(-1)?.includes(String(server.clock.now().getTime() - 10_000)) ?? false);
    }
    expect(looks).toHaveLength(4);
    expect(isOfLately).toEqual([false, true, true, false]);
    await worker.idle();
  });

  it('the worker leases each mail for longer than an attempt can take', async () => {
    sends = new HeldSends();
    const slow = await open({ settings: { SMTP_TIMEOUT: '60s', LEASE_SECONDS: '1' } });
    expect(slow.services.outbox.leaseMs).toBeGreaterThan(90_000);
    await queue(0, 1, 'a');
    const worker = createMailWorker(deps(sends.transport));
    await worker.start();
    await server.clock.advance(45_000);
    expect(await createMailWorker(deps(sends.transport)).start()).toBe(0);
  });

  it('the worker continues after a result that it could not store, and repeats the mail under the same id', async () => {
    sends = new HeldSends();
    await queue(0, 1, 'a');
    await queue(1, 1, 'b');
    const errors: unknown[] = [];
    const sent: WrittenMail[] = [];
    let failures = 1;
    const { database } = server.services;
    const parts: OutboxWorkerDeps = {
      ...deps({ send: async (mail) => void sent.push(mail), close: () => {} }),
      logger: { ...silentLogger, error: (fields) => void errors.push(fields) },
      database: {
        ...database,
        transaction: (work) =>
          database.transaction(async (tables) => {
            const result = await work(tables);
            // Writes the result of a mail, and rolls it back at the last moment.
            if (result === undefined && failures-- > 0) throw new Error('the disk is gone');
            return result;
          }),
      },
    };
    expect(await sendDueMails(parts)).toBe(2);
    expect(errors).toEqual([expect.objectContaining({ error: 'the disk is gone' })]);
    await server.clock.advance(parts.leaseMs);
    expect(await sendDueMails(parts)).toBe(1);
    // On several connections, either result may be the first.
    const ids = sent.map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(new Set(ids)).toEqual(new Set(ids.slice(0, 2)));
    expect(new Set(ids).size).toBe(2);
    expect(new Set(sent.map(({ to }) => to))).toEqual(new Set(['a0@ejemplo.ec', 'b0@ejemplo.ec']));
    const rows = await database.read((tables) =>
      tables
        .selectFrom('jobs')
        .selectAll()
        .where(
          'id',
          'in',
          sent.map(({ id }) => id),
        )
        .execute(),
    );
    expect(rows.map(({ status, attempt_count }) => [status, attempt_count])).toEqual([
      ['SENT', 1],
      ['SENT', 1],
    ]);
  });
});
