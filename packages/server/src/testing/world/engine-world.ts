import type { EngineIssuer } from 'sri-core';
import { createMemoryStorage, createTestSigner } from 'sri-core/testing';
import { EngineProcess } from './engine-process.js';
import type { WorldDeps, WorldPlan } from './world.js';

/** Issuers with their keys, which every world of engines has. */
export async function makeIssuers(): Promise<readonly EngineIssuer[]> {
  const rucs = ['1790012345001', '1791012345001', '1792012345001'];
  return Promise.all(
    rucs.map(async (ruc, index) => ({
      id: `01a1fe9f-1180-75e4-82e0-00000000000${index}`,
      ruc,
      businessName: `Cuenta ${index}`,
      branchCode: '001',
      issuePointCode: '001',
      mainAddress: 'Quito',
      requiredAccounting: true,
      signer: await createTestSigner({ ruc, validFrom: new Date('2026-01-01T00:00:00Z') }),
    })),
  );
}

/**
 * A world of applications that embed the library, on one storage in memory.
 *
 * @param isHarsh whether it fails all the time, and a submission has a single attempt.
 */
export function engineWorld(issuers: readonly EngineIssuer[], isHarsh: boolean): WorldPlan {
  const maxAttempts = isHarsh ? 1 : 3;
  return {
    isHarsh,
    secrets: new Map(),
    quotas: new Map(),
    async open({ ledger, weather, outside }: WorldDeps) {
      const storage = createMemoryStorage();
      return {
        begin: (name) => new EngineProcess(name, { storage, issuers, maxAttempts, ledger, outside, weather }),
        issuing: issuers.map(({ id }) => ({
          issuerId: id,
          quota: Number.POSITIVE_INFINITY,
          environment: () => 'sandbox',
          callsOf: (process) => (process as EngineProcess).calls(id),
        })),
        meanwhile: async () => {},
        waiting: async () => [],
        check: async () => [],
        find: (issuerId, accessKey) => storage.findDocument({ issuerId, environment: 'sandbox' }, accessKey),
        close: async () => {},
      };
    },
  };
}
