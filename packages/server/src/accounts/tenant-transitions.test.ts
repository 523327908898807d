import { beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '../keys/api-token.js';
import { recoverAccount } from '../onboarding/recover.js';
import { findFirstRecovery, insertRecovery } from '../onboarding/recovery-rows.js';
import { replaceVerificationToken } from '../onboarding/token-rows.js';
import { undoRecovery } from '../onboarding/undo-recovery.js';
import { confirmVerification } from '../onboarding/verify-address.js';
import { verifyTenant } from '../operator/administer-tenants.js';
import { Refusal } from '../platform/errors/refusal.js';
import { IllegalTransitionError } from '../platform/transitions.js';
import { BILLING_SETTINGS, billingOf, DAY_MS } from '../testing/billing-suite.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, TEST_PASSWORD, type TestServer, testP12 } from '../testing/test-server.js';
import { registerTenant, type TestTenant } from '../testing/test-tenant.js';
import { findTenant } from './rows.js';
import { changeTenantStatus } from './status-rows.js';
import { suspendTenant, unsuspendTenant } from './suspend-account.js';
import { TENANT_STATUSES, TENANT_TRANSITIONS, type TenantStatus } from './tenant.js';

type Account = TestTenant & { readonly email: string };
/** An operation on an account. */
type Step = (account: Account) => Promise<unknown>;

const PAIRS = TENANT_STATUSES.flatMap((from) => TENANT_STATUSES.map((to) => [from, to] as const));

describeOnDatabases('the status of an account', await databaseKinds(), (open) => {
  let server: TestServer;
  let made = 0;
  beforeAll(async () => {
    server = await open({ now: '2026-02-01T15:00:00.000Z', settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off' } });
  });

  async function account(): Promise<Account> {
    made += 1;
    const email = `estado${made}@ejemplo.ec`;
    return { ...(await registerTenant(server, { email })), email };
  }

  const statusOf = async ({ tenantId }: TestTenant): Promise<TenantStatus | undefined> =>
    (await server.services.database.read((tables) => findTenant(tables, tenantId)))?.status;

  const verify: Step = async ({ tenantId }) => {
    made += 1;
    const token = String(made).padStart(64, 'a');
    const now = server.clock.now();
    const expiresAt = new Date(now.getTime() + DAY_MS);
    await server.services.database.transaction((tables) =>
      replaceVerificationToken(tables, { hash: hashToken(token), tenantId, createdAt: now, expiresAt }),
    );
    return confirmVerification(server.services.registration, token);
  };
  const recover: Step = async ({ email }) => {
    const { registration, limits, config } = server.services;
    const p12 = { bytes: await testP12(), password: TEST_PASSWORD };
    return recoverAccount({ ...registration, limits, plans: config.plans }, { p12, email }, email);
  };
  const undo: Step = async ({ tenantId }) => {
    const open = await server.services.database.read((tables) => findFirstRecovery(tables, tenantId));
    if (!open) throw new Refusal('INVALID_OR_EXPIRED_TOKEN');
    made += 1;
    const token = String(made).padStart(64, 'b');
    const createdAt = server.clock.now();
    // A second link for the same account: the token of the first is only in the mail.
    await server.services.database.transaction((tables) =>
      insertRecovery(tables, {
        ...open,
        id: crypto.randomUUID(),
        tokenHash: hashToken(token),
        createdAt,
        expiresAt: new Date(createdAt.getTime() + DAY_MS),
      }),
    );
    return undoRecovery(server.services.registration, token);
  };
  const suspend: Step = ({ tenantId }) => suspendTenant(server.services.agreements, tenantId, 'OTHER');
  const unsuspend: Step = ({ tenantId }) => unsuspendTenant(server.services.agreements, tenantId);
  const subscribe: Step = (of) => billingOf(server, of).subscribe();
  const refund: Step = async (of) => {
    const billing = billingOf(server, of);
    const [paid] = (await billing.payments()).filter(({ status }) => status === 'VERIFIED');
    return billing.refund(paid?.id ?? '');
  };
  /** Six weeks pass, and the second month is not paid. */
  const pass = async (): Promise<void> => {
    for (const days of [24, 21]) {
      await server.tickAfter(days * DAY_MS);
    }
  };

  /** Creates an account for each list of steps. The accounts wait for time together. */
  async function lead(...ways: readonly (readonly (Step | 'time')[])[]): Promise<readonly Account[]> {
    const accounts = new Map<number, Account>();
    const walk = async (index: number, steps: readonly (Step | 'time')[]) => {
      const walker = accounts.get(index) ?? (await account());
      accounts.set(index, walker);
      for (const step of steps) if (step !== 'time') await step(walker);
    };
    const waits = ways.map((steps) => steps.indexOf('time'));
    for (const [index, wait] of waits.entries()) if (wait >= 0) await walk(index, ways[index]?.slice(0, wait) ?? []);
    if (accounts.size > 0) await pass();
    for (const [index, wait] of waits.entries()) await walk(index, ways[index]?.slice(wait + 1) ?? []);
    return ways.map((_, index) => accounts.get(index) as Account);
  }

  const ACTIVE = [verify];
  const PAST_DUE = [verify, subscribe, 'time'] as const;

  it('real operations make every change of status in the table, and no other', { timeout: 120_000 }, async () => {
    const operatorVerifies: Step = ({ tenantId }) =>
      verifyTenant(server.services, { actor: 'ana', channel: 'CLI' }, tenantId);
    const steps: Readonly<Record<string, Step>> = {
      verify,
      operatorVerifies,
      recover,
      undo,
      suspend,
      unsuspend,
      subscribe,
    };
    const ways: readonly (readonly (Step | 'time')[])[] = [
      [],
      ACTIVE,
      [...ACTIVE, subscribe],
      [...ACTIVE, subscribe, suspend],
      [...ACTIVE, subscribe, recover],
      [suspend],
      [...ACTIVE, suspend],
      PAST_DUE,
      [...PAST_DUE, suspend],
      [recover],
      [...ACTIVE, recover],
      [...PAST_DUE, recover],
      // Active again after past due, so that a refund leads back to past due.
      [...PAST_DUE, subscribe],
    ];
    const reached = new Map<string, Set<string>>(TENANT_STATUSES.map((status) => [status, new Set()]));
    const see = async (from: TenantStatus | undefined, after: Account, isRepeated = false) => {
      const to = await statusOf(after);
      if (to !== from || isRepeated) reached.get(from ?? '')?.add(to ?? '');
    };
    const done = new Set<Account>();
    const attempt =
      (step: Step): Step =>
      async (of) => {
        try {
          await step(of);
          done.add(of);
        } catch (error) {
          // A refused operation of the web application returns a Refusal, which is no error here.
          if (!(error instanceof Refusal) && !String(error).includes('Assertion')) throw error;
        }
      };
    const tried = [...Object.values(steps), refund];
    const untouched: Step = async () => {};
    const accounts = await lead(...[untouched, ...tried].flatMap((step) => ways.map((way) => [...way, attempt(step)])));
    const subjects = (index: number) => accounts.slice(index * ways.length, (index + 1) * ways.length);
    const froms: (TenantStatus | undefined)[] = [];
    for (const each of subjects(0)) froms.push(await statusOf(each));
    expect(new Set(froms)).toEqual(new Set(TENANT_STATUSES));
    for (const [index, step] of tried.entries()) {
      for (const [way, each] of subjects(index + 1).entries()) {
        await see(froms[way], each, (step === recover || step === undo) && done.has(each));
      }
    }
    await pass();
    for (const [way, each] of subjects(0).entries()) await see(froms[way], each);

    for (const from of TENANT_STATUSES) {
      expect([...(reached.get(from) ?? [])].toSorted(), from).toEqual(TENANT_TRANSITIONS[from].toSorted());
    }
  });

  it('[R114] the end of a suspension restores the status that the account would have without it', async () => {
    const [suspended] = (await lead([...ACTIVE, subscribe, suspend, 'time'])) as [Account];
    expect(await statusOf(suspended)).toBe('SUSPENDED');
    await unsuspend(suspended);
    expect(await statusOf(suspended)).toBe('PAST_DUE');
  });

  it('a recovered account becomes past due by verification if its subscription expired before', async () => {
    const [recovered] = (await lead([...ACTIVE, subscribe, recover, 'time'])) as [Account];
    await verify(recovered);
    expect(await statusOf(recovered)).toBe('PAST_DUE');
  });

  it('a recovered account that has paid becomes active by verification', async () => {
    const order: Step = (of) => billingOf(server, of).start();
    const [recovered] = (await lead([...ACTIVE, subscribe, 'time', order, recover])) as [Account];
    const billing = billingOf(server, recovered);
    const [payment] = await billing.payments();
    await billing.verify(payment?.id ?? '');
    await verify(recovered);
    expect(await statusOf(recovered)).toBe('ACTIVE');
  });

  it('a refund does not undo a recovery or a verification', async () => {
    const [recovered, verified] = (await lead(
      [...ACTIVE, subscribe, recover],
      [...ACTIVE, (of) => billingOf(server, of).start(), recover],
    )) as [Account, Account];
    await refund(recovered);
    expect(await statusOf(recovered)).toBe('PENDING_VERIFICATION');

    const billing = billingOf(server, verified);
    const [payment] = await billing.payments();
    await billing.verify(payment?.id ?? '');
    await verify(verified);
    await refund(verified);
    expect(await statusOf(verified)).toBe('ACTIVE');
  });

  describe('changes of status that an operation requests by mistake', () => {
    const ORDER = ['PENDING_VERIFICATION', 'ACTIVE', 'SUSPENDED', 'PAST_DUE'] as const;
    let byStatus: ReadonlyMap<TenantStatus, Account>;
    beforeAll(async () => {
      const accounts = await lead([], ACTIVE, [suspend], PAST_DUE);
      byStatus = new Map(accounts.map((each, index) => [ORDER[index] ?? 'ACTIVE', each]));
      for (const [status, each] of byStatus) expect(await statusOf(each)).toBe(status);
    });

    it.each(PAIRS)('rejects a change from %s to %s unless the table has it', async (from, to) => {
      const subject = byStatus.get(from) as Account;
      const now = server.clock.now();
      const change = (claimed: TenantStatus) =>
        server.services.database.transaction(async (tables) => {
          await changeTenantStatus(tables, subject.tenantId, { from: claimed, to, now });
          throw new Refusal('CONFLICT');
        });
      const isLegal = TENANT_TRANSITIONS[from].includes(to);
      await expect(change(from)).rejects.toBeInstanceOf(isLegal ? Refusal : IllegalTransitionError);
      // A step from a status that the account is not in.
      for (const other of TENANT_STATUSES.filter((status) => status !== from)) {
        await expect(change(other)).rejects.toBeInstanceOf(IllegalTransitionError);
      }
      expect(await statusOf(subject)).toBe(from);
    });
  });
});
