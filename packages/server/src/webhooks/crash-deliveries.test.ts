import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from 'sri-core';
import { verifyWebhook } from 'sri-core/webhooks';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.js';
import { type Draft, publish } from '../notifications/publish.js';
import { openDatabase } from '../store/open-database.js';
import { type ChildServer, startChildServer } from '../testing/child-server.js';
import { databaseKinds } from '../testing/test-databases.js';
import { postJson, registerTenant } from '../testing/test-tenant.js';
import { openReceiver, type WebhookReceiver } from '../testing/webhook-receiver.js';

/** A long run over the whole way of a document is `scripts/chaos-webhooks.mjs`. */
const NOTIFICATIONS = 300;
const KILLS = 3;
const SECRET = 's'.repeat(32);

describe.each(await databaseKinds())('deliveries of servers that are killed, on $name', (kind) => {
  it.skipIf(kind.missing !== null)(
    '[R361] [R367] reach every endpoint at least once, under one id',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'sri-crash-'));
      const database = await kind.create();
      const settings = {
        DATA_DIR: dataDir,
        ...(database.url ? { DATABASE_URL: database.url } : {}),
        LEASE_SECONDS: '1s',
        INTERNAL_SERVICE_SECRET: SECRET,
        WEBHOOK_ALLOW_INSECURE: 'true',
        WEBHOOK_TIMEOUT: '1s',
        WEBHOOK_DELAYS: '200ms,500ms,1s,2s',
      };
      let child: ChildServer = await startChildServer({ settings });
      const opened = await openDatabase(readConfig(settings), systemClock);
      const receivers = [await openReceiver(), await openReceiver(), await openReceiver()];
      try {
        const tenant = await registerTenant(child);
        await opened.database.transaction((tables) =>
          tables.updateTable('tenants').set({ status: 'ACTIVE' }).execute(),
        );
        const internal = { ...tenant.auth, 'x-internal-service-secret': SECRET };
        const secrets: string[] = [];
        for (const { url } of receivers) {
          const response = await postJson(child, '/v1/webhooks', internal, { url });
          expect(response.status).toBe(201);
          secrets.push(((await response.json()) as { secret: string }).secret);
        }

        const { tenantId } = tenant;
        const draft: Draft = {
          tenantId,
          issuerId: null,
          environment: null,
          type: 'PRICE_CHANGE_ANNOUNCED',
          severity: 'INFO',
          title: 'Título',
          message: 'Mensaje',
          metadata: null,
        };
        let told = 0;
        const tell = async () => {
          for (; told < NOTIFICATIONS; told += 1) {
            await opened.database.transaction((tables) =>
              publish(tables, { tenantId, now: systemClock.now() }, opened.publishing, async () => draft),
            );
            await sleep(1);
          }
        };
        const kill = async () => {
          for (let number = 1; number <= KILLS; number += 1) {
            // While deliveries are under way, and some have been made since the last time.
            const before = attempts(receivers);
            while (told < (NOTIFICATIONS * number) / (KILLS + 1) || attempts(receivers) < before + 5) await sleep(1);
            await child.kill();
            child = await startChildServer({ settings });
          }
        };
        await Promise.all([tell(), kill()]);
        const waiting = () =>
          opened.database.read((tables) =>
            tables.selectFrom('webhook_deliveries').select('id').where('status', '!=', 'DELIVERED').execute(),
          );
        while ((await waiting()).length > 0) await sleep(20);

        const ids = await opened.database.read((tables) => tables.selectFrom('notifications').select('id').execute());
        expect(ids).toHaveLength(NOTIFICATIONS);
        for (const [index, { seen }] of receivers.entries()) {
          const deliveries = new Map<string, Set<string>>();
          for (const { headers, body } of seen) {
            const { deliveryId, data } = verifyWebhook({ rawBody: body, headers, secret: secrets[index] ?? '' });
            deliveries.set(data.id, (deliveries.get(data.id) ?? new Set()).add(deliveryId));
          }
          expect([...deliveries.keys()].toSorted()).toEqual(ids.map(({ id }) => id).toSorted());
          expect([...deliveries.values()].filter((each) => each.size > 1)).toEqual([]);
        }
      } finally {
        await child.kill();
        for (const receiver of receivers) receiver.close();
        await opened.close();
        await database.remove();
        await rm(dataDir, { recursive: true, force: true });
      }
    },
    180_000,
  );
});

// --- internal ---

function attempts(receivers: readonly WebhookReceiver[]): number {
  return receivers.reduce((sum, { seen }) => sum + seen.length, 0);
}
