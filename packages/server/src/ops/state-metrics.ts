import type { Clock, Engine } from 'sri-core';
import type { ConnectionFigures } from '../platform/database/database-connections.js';
import type { ServerDatabase } from '../platform/database/tables.js';
import { addGauge, type Metrics } from '../platform/ops/metrics.js';
import type { Watchdog } from '../platform/ops/watchdog.js';
import { withinTime } from '../platform/ops/within-time.js';
import { readCertificateEnds, readQueues } from './queue-figures.js';

/** The sources of a server's state. */
export interface StateDeps {
  readonly database: ServerDatabase;
  readonly clock: Clock;
  readonly watchdog: Watchdog;
  readonly sriStanding: Engine['sriStanding'];
  /** Null if the database is a file. */
  readonly connections: () => ConnectionFigures | null;
}

/**
 * Adds figures that are looked up when the metrics are read. If the database does not answer, its figures are missing
 * and `sri_database_up` reports that: the other metrics are then most needed.
 */
export function describeState({ registry, onRead }: Metrics, parts: StateDeps): void {
  const up = addGauge(registry, { name: 'sri_database_up', help: 'Whether the database answered when this was read.' });
  const jobs = addGauge(registry, {
    name: 'sri_queue_jobs',
    help: 'Work that waits: due now, later or under way, given up. Counted up to 100,000.',
    labels: ['queue', 'state'],
  });
  const oldest = addGauge(registry, {
    name: 'sri_queue_oldest_seconds',
    help: 'How long the oldest work that is due has been due; 0 when none is.',
    labels: ['queue'],
  });
  const days = addGauge(registry, {
    name: 'sri_certificate_days_left',
    help: 'Days until the first, and until the last, of the certificates in use that have not ended ends.',
    labels: ['bound'],
  });
  const certificates = addGauge(registry, {
    name: 'sri_certificates',
    help: 'Certificates in use that have ended, or end within thirty days. Counted up to 100,000.',
    labels: ['state'],
  });
  const connections = addGauge(registry, {
    name: 'sri_database_connections',
    help: 'Connections to PostgreSQL: all, idle, and requests that wait for one.',
    labels: ['state'],
  });
  const held = addGauge(registry, {
    name: 'sri_held',
    help: 'Whether calls to the SRI are held, because they failed for every document. Held calls use no attempt.',
    labels: ['environment', 'operation'],
  });
  const limit = addGauge(registry, {
    name: 'sri_shared_limit',
    help: 'Calls to the SRI that all processes make at a time while it recovers from an outage; absent while all is well.',
    labels: ['environment'],
  });
  const stuck = addGauge(registry, {
    name: 'sri_loop_stuck',
    help: 'Whether a loop in the background has made no progress for too long.',
    labels: ['loop'],
  });

  async function readDatabase(): Promise<void> {
    const now = parts.clock.now();
    for (const gauge of [jobs, oldest, days, certificates, held, limit]) gauge.reset();
    try {
      const found = parts.database.read(async (tables) => ({
        queues: await readQueues(tables, now),
        ends: await readCertificateEnds(tables, now),
      }));
      const { queues, ends } = await withinTime(READING_MS, found);
      for (const host of await withinTime(READING_MS, parts.sriStanding())) {
        const { environment } = host;
        for (const { operation } of host.held) held.set({ environment, operation }, 1);
        if (host.limit !== null) limit.set({ environment }, host.limit);
      }
      for (const { queue, due, later, failed, oldestDueAt } of queues) {
        jobs.set({ queue, state: 'due' }, due);
        jobs.set({ queue, state: 'later' }, later);
        jobs.set({ queue, state: 'failed' }, failed);
        oldest.set({ queue }, oldestDueAt ? (now.getTime() - oldestDueAt.getTime()) / 1000 : 0);
      }
      const { firstEnd, lastEnd } = ends;
      if (firstEnd) days.set({ bound: 'min' }, (firstEnd.getTime() - now.getTime()) / DAY_MS);
      if (lastEnd) days.set({ bound: 'max' }, (lastEnd.getTime() - now.getTime()) / DAY_MS);
      certificates.set({ state: 'ended' }, ends.ended);
      certificates.set({ state: 'ending' }, ends.ending);
      up.set(1);
    } catch {
      up.set(0);
    }
  }

  onRead(async () => {
    const figures = parts.connections();
    if (figures) for (const state of ['total', 'idle', 'waiting'] as const) connections.set({ state }, figures[state]);
    for (const { name, isStuck } of parts.watchdog.all()) stuck.set({ loop: name }, isStuck ? 1 : 0);
    await readDatabase();
  });
}

// --- internal ---

const DAY_MS = 24 * 3_600_000;

/** A reader of metrics waits ten seconds at most. */
const READING_MS = 5_000;
