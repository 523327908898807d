import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestP12 } from 'sri-core/testing';
import { createFirstTenant } from '../cli/init/first-tenant.js';
import { newMasterKey } from '../platform/secrets/master-keys.js';
import { startServer } from '../server.js';

/** A server with a simulated SRI and one account, for commands that issue. */
export interface BatchServer {
  /** An empty folder for files. */
  readonly folder: string;
  readonly url: string;
  /** The environment variables for commands that call it. */
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts a server whose account may issue every type. */
export async function startBatchServer(): Promise<BatchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sri-batch-'));
  const dataDir = join(folder, 'data');
  const masterKeys = newMasterKey();
  const tenant = await createFirstTenant({
    dataDir,
    masterKeys,
    p12: await createTestP12({ password: 'x' }),
    password: 'x',
    ruc: '1799999990001',
    businessName: 'Lotes',
    email: 'lotes@example.com',
    language: 'es',
  });
  const server = await startServer({
    DATA_DIR: dataDir,
    MASTER_KEYS: masterKeys,
    USE: 'own',
    PORT: '0',
    LOG_LEVEL: 'silent',
    MAIL_TO_BUYERS: 'off',
    SRI_AUTH_FIRST_DELAY: '10ms',
  });
  return {
    folder,
    url: server.url,
    settings: { SRI_URL: server.url, SRI_API_KEY: tenant.apiKey, SRI_ISSUER_ID: tenant.issuerId },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
