import { json } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { defineHandler, type PublicCall, type PublicRoute } from '../http/route.js';
import { usedMasterKeys } from '../store/certificates.js';
import { masterKeysOfWebhooks } from '../store/webhook-endpoints.js';

/** Routes for whoever runs the server. They stand outside the versioned interface. */
export const OPERATION_ROUTES: readonly PublicRoute[] = [
  {
    method: 'GET',
    path: '/healthz',
    access: 'public',
    limit: null,
    handler: defineHandler({ answer: async () => json(200, { status: 'ok' }) }),
  },
  {
    method: 'GET',
    path: '/health',
    access: 'public',
    limit: null,
    handler: defineHandler({
      answer: async ({ exchange }: PublicCall) => {
        const works = await passes(exchange, 'database', () => exchange.services.checkDatabase());
        const uptime = Math.floor(process.uptime());
        return json(works ? 200 : 503, { status: works ? 'ok' : 'error', uptime });
      },
    }),
  },
  {
    method: 'GET',
    path: '/readyz',
    access: 'public',
    limit: null,
    handler: defineHandler({
      answer: async ({ exchange }: PublicCall) => {
        const { services } = exchange;
        const checks = {
          database: await passes(exchange, 'database', () => services.checkDatabase()),
          masterKey: await passes(exchange, 'master key', () => requireMasterKeys(exchange)),
          draining: services.isDraining(),
        };
        const ready = checks.database && checks.masterKey && !checks.draining;
        return json(ready ? 200 : 503, { status: ready ? 'ok' : 'error', checks });
      },
    }),
  },
];

// --- internal ---

async function passes(exchange: Exchange, check: string, run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    exchange.logger.error({ check, error: error instanceof Error ? error.message : 'unknown' }, 'a check failed');
    return false;
  }
}

/** @throws Error that names a master key which stored keys need and nobody gave. */
async function requireMasterKeys({ services }: Exchange): Promise<void> {
  const used = await services.database.read(async (tables) => [
    ...(await usedMasterKeys(tables)),
    ...(await masterKeysOfWebhooks(tables, services.clock.now())),
  ]);
  const missing = [...new Set(used)].filter((id) => !services.vault.knows(id));
  if (missing.length > 0)
    throw new Error(`MASTER_KEYS lacks ${missing.join(', ')}, which stored keys were sealed with.`);
}
