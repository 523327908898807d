import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from 'sri-core';
import { readConfig } from '../../config/config.js';
import { openDatabase } from '../../open-database.js';
import type { ChildServer } from '../child-server.js';
import { databaseSettings } from '../database-settings.js';
import type { SharedSri } from '../shared-sri.js';
import { type ChaosAccount, chaosInvoice } from './chaos-account.js';
import type { FaultContext, FaultCount } from './fault.js';

/** The settings of several servers on one database that take over each other's work after that lease. */
export function replicaSettings(
  { databaseUrl, dataDirectory }: Pick<FaultContext, 'databaseUrl' | 'dataDirectory'>,
  leaseMs: number,
): Record<string, string> {
  return {
    DATA_DIR: dataDirectory,
    ...databaseSettings(databaseUrl),
    LEASE_SECONDS: `${leaseMs / 1000}s`,
    SRI_AUTH_FIRST_DELAY: '10ms',
    SRI_RETRY_INTERVAL: '500ms',
    ONBOARDING_RATE: '1000/1h',
  };
}

/** A document as acknowledged to its creator. */
export interface MadeDocument {
  readonly order: string;
  readonly accessKey: string;
  readonly sequential: number;
  /** The time of the answer, by the clock of the process. */
  readonly madeAt: number;
}

/** Starts clients that create and send, and retry each document until they get an answer. */
export function startReplicaClients(servers: readonly ChildServer[], account: ChaosAccount) {
  const made: MadeDocument[] = [];
  let repeated = 0;
  let isStopping = false;

  /** Sends the request to one server after the other until one answers. */
  async function ask(path: string, init: { headers: Record<string, string>; body: string }, from: number) {
    for (let turn = from; ; turn += 1) {
      try {
        // A frozen server does not answer; its client tries another one.
        const signal = AbortSignal.timeout(5_000);
        const response = await servers[turn % servers.length]?.request(path, { method: 'POST', ...init, signal });
        const body = (await response?.json()) as { document?: { accessKey: string; sequential: string } };
        if (response && response.status < 500) return { status: response.status, document: body.document };
        if (response?.status !== 503) throw new Error(`${path} answered ${response?.status}.`);
      } catch (error) {
        if (error instanceof Error && error.message.includes('answered')) throw error;
      }
      repeated += 1;
      await sleep(50);
    }
  }

  async function work(client: number): Promise<void> {
    for (let number = 0; !isStopping; number += 1) {
      const order = `client ${client}, order ${number}`;
      const headers = { ...account.headers, 'idempotency-key': order };
      const { document, status } = await ask(
        '/v1/documents',
        { headers, body: JSON.stringify(chaosInvoice()) },
        client,
      );
      const madeAt = performance.now();
      if (!document) throw new Error(`Creating answered ${status}.`);
      await ask(
        `/v1/documents/${document.accessKey}/send`,
        { headers: { ...account.headers }, body: '{}' },
        client + 1,
      );
      made.push({ order, accessKey: document.accessKey, sequential: Number(document.sequential), madeAt });
      await sleep(20);
    }
  }

  const working = Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));
  working.catch(() => {
    isStopping = true;
  });
  return {
    made,
    get repeated() {
      return repeated;
    },
    async until(count: number): Promise<void> {
      while (made.length < count) {
        if (isStopping) await working;
        await sleep(5);
      }
    },
    async stop(): Promise<readonly MadeDocument[]> {
      isStopping = true;
      await working;
      return made;
    },
  };
}

/** The answers to clients, and the settings of their database. */
export interface MadeByClients {
  readonly settings: Readonly<Record<string, string>>;
  readonly sri: SharedSri;
  readonly made: readonly MadeDocument[];
  readonly say: FaultContext['say'];
}

/** Compares the clients' answers with the stored documents and with the SRI's calls. */
export async function judgeMade({ settings, sri, made, say }: MadeByClients): Promise<Omit<FaultCount, 'runs'>> {
  const opened = await openDatabase(readConfig(settings), systemClock);
  try {
    const read = () =>
      opened.database.read((tables) =>
        tables
          .selectFrom('sri_documents as document')
          .leftJoin('sri_jobs as job', 'job.document_id', 'document.id')
          .select(['access_key', 'sequential', 'idempotency_key', 'document.status', 'job.operation'])
          .execute(),
      );
    const giveUpAt = performance.now() + SETTLES_WITHIN_MS;
    let rows = await read();
    while (rows.some(({ status }) => status !== 'AUTHORIZED') && performance.now() < giveUpAt) {
      await sleep(100);
      rows = await read();
    }
    const stored = new Map(rows.map((row) => [row.access_key, row]));
    const numbers = rows.map(({ sequential }) => sequential).toSorted((a, b) => a - b);
    const submissions = sri.simulator.journal.filter(({ operation }) => operation === 'reception');
    const forms = Map.groupBy(submissions, ({ accessKey }) => accessKey);
    const notifiedTwice = await opened.database.read((tables) =>
      tables
        .selectFrom('sri_events')
        .select('document_id')
        .where('to_status', '=', 'AUTHORIZED')
        .groupBy('document_id')
        .having(({ fn }) => fn.countAll(), '>', 1)
        .execute(),
    );
    const wrong = {
      'acknowledged and not there': made.filter(
        ({ accessKey, sequential }) => stored.get(accessKey)?.sequential !== sequential,
      ).length,
      'numbers skipped': numbers.filter((number, index) => number !== index + 1).length,
      'orders made twice': rows.length - new Set(rows.map((row) => row.idempotency_key)).size,
      'sent in two forms': [...forms.values()].filter((each) => new Set(each.map(({ sha256 }) => sha256)).size > 1)
        .length,
      'authorized twice': notifiedTwice.length,
      'not settled': rows.filter(({ status, operation }) => status !== 'AUTHORIZED' || operation !== null).length,
    };
    for (const [what, number] of Object.entries(wrong)) if (number > 0) say(`${what}: ${number}`);
    return {
      lost: wrong['acknowledged and not there'] + wrong['numbers skipped'],
      duplicated: wrong['orders made twice'] + wrong['sent in two forms'] + wrong['authorized twice'],
      stuck: wrong['not settled'],
    };
  } finally {
    await opened.close();
  }
}

// --- internal ---

/** The database's recovery, the lease of the dead process, and the next attempt. */
const SETTLES_WITHIN_MS = 60_000;
const CLIENTS = 6;
