import { beforeAll, describe, expect, it } from 'vitest';
import type { TenantContext } from '../accounts/tenant.js';
import { takeBackProof } from '../billing/upload-proof.js';
import { createKey, revokeKey } from '../keys/administer-keys.js';
import { hashToken } from '../keys/api-token.js';
import { restoreKeys, revokeActiveKeys, revokeKeysSetAside } from '../keys/revocation-rows.js';
import { findActiveKeys, findKey } from '../keys/rows.js';
import { revokeSandboxKeys } from '../onboarding/promotion-rows.js';
import { recoverAccount } from '../onboarding/recover.js';
import { findFirstRecovery } from '../onboarding/recovery-rows.js';
import { Refusal } from '../platform/errors/refusal.js';
import { toLease } from '../platform/jobs/job-rows.js';
import { IllegalTransitionError } from '../platform/transitions.js';
import { BILLING_SETTINGS, billingOf } from '../testing/billing-suite.js';
import { readRow } from '../testing/change-rows.js';
import { claimReady } from '../testing/claim-ready.js';
import { activeTenant, verifiedTenant } from '../testing/production-tenant.js';
import {
  API_KEY_STATUSES,
  API_KEY_TRANSITIONS,
  type ApiKeyStatus,
  PROOF_STATUSES,
  PROOF_TRANSITIONS,
  type ProofStatus,
} from '../testing/row-transitions.js';
import { databaseKinds } from '../testing/test-databases.js';
import { describeOnDatabases, TEST_PASSWORD, type TestServer, testP12 } from '../testing/test-server.js';
import type { TestTenant } from '../testing/test-tenant.js';
import { redeliver, registerEndpoint, removeEndpoint, testEndpoint } from '../webhooks/administer-endpoints.js';
import { DELIVERY_STATUSES, DELIVERY_TRANSITIONS, type DeliveryStatus } from '../webhooks/delivery.js';
import { abandonDeliveries, recordAttempts } from '../webhooks/delivery-rows.js';

/** Runs a change that may be rejected. @returns whether it happened. */
async function attempt(step: () => Promise<unknown>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

describeOnDatabases('stored data with a status', await databaseKinds(), (open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open({ settings: { ...BILLING_SETTINGS, AGREEMENTS: 'off', WEBHOOK_ALLOW_INSECURE: 'true' } });
  });
  const contextOf = async ({ apiKey }: TestTenant): Promise<TenantContext> => {
    const hash = hashToken(apiKey);
    const key = (await server.services.database.read((tables) => findActiveKeys(tables, [hash]))).get(hash);
    if (!key) throw new Error('The key works no more.');
    return { tenant: key.tenant, environment: key.environment, keyId: key.id, scopes: key.scopes };
  };

  describe('an API key', () => {
    let mails = 0;

    /** An account with two keys; the tests check the second one. */
    async function subject() {
      mails += 1;
      const email = `clave${mails}@ejemplo.ec`;
      const tenant = await activeTenant(server, { email }, { subscription_tier: 'STARTER' });
      const context = await contextOf(tenant);
      const request = { label: null, environment: 'sandbox', scopes: null } as const;
      const { key } = await createKey(server.services.keys, context, request);
      return { tenantId: tenant.tenantId, email, id: key.id, context };
    }
    type Subject = Awaited<ReturnType<typeof subject>>;

    const statusOf = async ({ context, id }: Subject): Promise<ApiKeyStatus> => {
      const key = await readRow(server, 'api_keys', { tenant_id: context.tenant.id, id }, ['active', 'set_aside_by']);
      if (key.active === 1) return 'ACTIVE';
      return key.set_aside_by === null ? 'REVOKED' : 'SET_ASIDE';
    };
    const revoke = ({ context, id }: Subject) => revokeKey(server.services.keys, context, id);
    const recover = async ({ email }: Subject) => {
      const { registration, limits, config } = server.services;
      const p12 = { bytes: await testP12(), password: TEST_PASSWORD };
      return recoverAccount({ ...registration, limits, plans: config.plans }, { p12, email }, email);
    };
    const undo = ({ tenantId }: Subject) =>
      server.services.database.transaction(async (tables) => {
        const open = await findFirstRecovery(tables, tenantId);
        if (open) await restoreKeys(tables, tenantId, open.id);
      });
    const verify = ({ tenantId }: Subject) =>
      server.services.database.transaction((tables) => revokeKeysSetAside(tables, tenantId));
    const promote = ({ tenantId }: Subject) =>
      server.services.database.transaction((tables) => revokeSandboxKeys(tables, tenantId, server.clock.now()));

    it.each(API_KEY_STATUSES)(
      'an API key that is %s makes the transitions of its table and no others',
      async (from) => {
        const reached = new Set<string>();
        for (const step of [revoke, recover, promote, undo, verify]) {
          const one = await subject();
          if (from === 'REVOKED') await revoke(one);
          if (from === 'SET_ASIDE') await recover(one);
          const before = await server.services.database.read((tables) => findKey(tables, one.context, one.id));
          await attempt(() => step(one));
          const to = await statusOf(one);
          if (to !== from) reached.add(to);
          else {
            const after = await server.services.database.read((tables) => findKey(tables, one.context, one.id));
            expect(after?.revokedAt).toEqual(before?.revokedAt);
          }
        }
        expect([...reached].toSorted()).toEqual(API_KEY_TRANSITIONS[from].toSorted());
      },
    );

    it('[R033] a revoked API key is not revoked again', async () => {
      const one = await subject();
      const now = server.clock.now();
      const again = () =>
        server.services.database.transaction((tables) =>
          revokeActiveKeys(tables, { tenantId: one.tenantId, id: one.id }, now),
        );
      expect(await again()).toHaveLength(1);
      expect(await again()).toHaveLength(0);
    });
  });

  describe('a file that proves a transfer', () => {
    async function subject() {
      const tenant = await verifiedTenant(server);
      const billing = billingOf(server, tenant);
      const { payment } = await billing.start();
      const { proofs } = await billing.report(payment.id);
      return { tenantId: tenant.tenantId, paymentId: payment.id, proofId: proofs[0]?.id ?? '', billing };
    }
    type Subject = Awaited<ReturnType<typeof subject>>;

    const statusOf = async ({ proofId }: Subject): Promise<ProofStatus> => {
      const { active } = await readRow(server, 'payment_proofs', { id: proofId });
      return active === 1 ? 'ACTIVE' : 'TAKEN_BACK';
    };
    const takeBack = ({ tenantId, paymentId, proofId }: Subject) =>
      takeBackProof(server.services.billing, tenantId, { paymentId, proofId });

    it.each(PROOF_STATUSES)('a proof that is %s makes the transitions of its table and no others', async (from) => {
      const reached = new Set<string>();
      const steps: readonly ((one: Subject) => Promise<unknown>)[] = [
        takeBack,
        ({ billing, paymentId }) => billing.report(paymentId),
        ({ billing, paymentId }) => billing.reject(paymentId),
        ({ billing, paymentId }) => billing.verify(paymentId),
      ];
      for (const step of steps) {
        const one = await subject();
        if (from === 'TAKEN_BACK') await takeBack(one);
        const wasDone = await attempt(() => step(one));
        const to = await statusOf(one);
        if (to !== from) reached.add(to);
        else expect(wasDone).toBe(step !== takeBack);
      }
      expect([...reached]).toEqual(PROOF_TRANSITIONS[from]);
    });

    it('a proof of a verified payment cannot be withdrawn', async () => {
      const one = await subject();
      await one.billing.verify(one.paymentId);
      expect(await attempt(() => takeBack(one))).toBe(false);
      expect(await statusOf(one)).toBe('ACTIVE');
    });
  });

  describe('a delivery', () => {
    async function subject() {
      const tenant = await activeTenant(server);
      const context = await contextOf(tenant);
      const content = { url: 'http://127.0.0.1:9/', eventTypes: [], listed: true } as const;
      const { endpoint } = await registerEndpoint(server.services.webhooks, context, content);
      const deliveryId = await testEndpoint(server.services.webhooks, context, endpoint.id);
      return { context, endpointId: endpoint.id, deliveryId };
    }
    type Subject = Awaited<ReturnType<typeof subject>>;

    const statusOf = async ({ deliveryId }: Subject): Promise<DeliveryStatus> => {
      const { status } = await readRow(server, 'jobs', { id: deliveryId });
      return status as DeliveryStatus;
    };
    /** Claims the delivery like a worker; a settled delivery gives nothing to claim. */
    const claim = async ({ endpointId }: Subject) => {
      const [claimed] = await server.services.database.transaction((tables) =>
        claimReady(tables, server.services.database.traits, 'WEBHOOK', [{ lane: endpointId, limit: 1 }], {
          now: server.clock.now(),
          leaseMs: 1000,
        }),
      );
      return claimed && { lease: toLease(claimed) };
    };
    const record =
      (status: DeliveryStatus) =>
      async (one: Subject): Promise<boolean> => {
        const claimed = await claim(one);
        const now = server.clock.now();
        const outcome = { statusCode: 200, error: null, status, delayMs: status === 'PENDING' ? 0 : null };
        // A frozen worker writes late, with its old token.
        const frozen = { id: one.deliveryId, kind: 'WEBHOOK', lane: one.endpointId, token: 1 } as const;
        const held = claimed ?? { lease: frozen };
        const ours = await server.services.database.transaction((tables) =>
          recordAttempts(tables, [held], outcome, now),
        );
        return ours.size > 0;
      };
    const sendAgain = async ({ context, endpointId, deliveryId }: Subject) => {
      await redeliver(server.services.webhooks, context, { endpointId, deliveryId });
      return true;
    };
    const switchOff = async ({ context, endpointId }: Subject) => {
      await removeEndpoint(server.services.webhooks, context, endpointId);
      return false;
    };

    it.each(DELIVERY_STATUSES)(
      'a delivery that is %s makes the transitions of its table and no others',
      async (from) => {
        const reached = new Set<string>();
        const steps = [...DELIVERY_STATUSES.map(record), sendAgain, switchOff];
        for (const step of steps) {
          const one = await subject();
          if (from !== 'PENDING') await record(from)(one);
          const wasDone = await step(one);
          const to = await statusOf(one);
          if (to !== from || wasDone) reached.add(to);
        }
        expect([...reached].toSorted()).toEqual(DELIVERY_TRANSITIONS[from].toSorted());
      },
    );

    it('a settled delivery stays settled when its endpoint is abandoned', async () => {
      const one = await subject();
      await record('DELIVERED')(one);
      await server.services.database.transaction((tables) =>
        abandonDeliveries(tables, one.endpointId, 'ENDPOINT_INACTIVE'),
      );
      expect(await statusOf(one)).toBe('DELIVERED');
    });

    it('no statement records an attempt that the table does not have', async () => {
      const one = await subject();
      const claimed = await claim(one);
      if (!claimed) throw new Error('Nothing was due.');
      const now = server.clock.now();
      const outcome = { statusCode: 200, error: null, status: 'PAUSED' as DeliveryStatus, delayMs: null };
      const recorded = server.services.database.transaction((tables) =>
        recordAttempts(tables, [claimed], outcome, now),
      );
      await expect(recorded).rejects.toBeInstanceOf(IllegalTransitionError);
      expect(await statusOf(one)).toBe('PENDING');
    });
  });
});
