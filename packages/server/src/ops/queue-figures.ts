import { type RawBuilder, sql } from 'kysely';
import { MAY_SIGN } from '../issuers/index.js';
import type { Tables } from '../platform/database/tables.js';
import { ATTEMPTED_KINDS, type AttemptedKind, isPending } from '../platform/jobs/job-rows.js';

// Figures of the whole server, for the operator: no query here is scoped by account. Each is read from an index, and
// reads at most `MOST_COUNTED` of its entries.

/** Queued work of one kind. */
export interface QueueFigures {
  readonly queue: 'documents' | (typeof QUEUES)[AttemptedKind];
  /** How many could start now. At most `MOST_COUNTED`, like the others. */
  readonly due: number;
  /** How many are not due yet, or running. */
  readonly later: number;
  /** How many were given up and wait for the operator. */
  readonly failed: number;
  /** When the oldest due one fell due; null if none is due. */
  readonly oldestDueAt: Date | null;
}

/** Queued work by kind. */
export async function readQueues(tables: Tables, now: Date): Promise<readonly QueueFigures[]> {
  const at = now.getTime();
  const queries: readonly (readonly [QueueFigures['queue'], QueueQueries])[] = [
    ['documents', documentQueries(at)],
    ...ATTEMPTED_KINDS.map((kind) => [QUEUES[kind], jobQueries(kind, at)] as const),
  ];
  const figures: QueueFigures[] = [];
  for (const [queue, { due, later, failed, oldest }] of queries) {
    const { rows } = await sql<{ due: number; later: number; failed: number; oldest: number | null }>`select
      ${counted(due)} as due, ${counted(later)} as later, ${counted(failed)} as failed, (${oldest}) as oldest`.execute(
      tables,
    );
    const row = rows[0];
    figures.push({
      queue,
      due: Number(row?.due ?? 0),
      later: Number(row?.later ?? 0),
      failed: Number(row?.failed ?? 0),
      oldestDueAt: row?.oldest == null ? null : new Date(Number(row.oldest)),
    });
  }
  return figures;
}

/** Signing certificates in use. */
export interface CertificateFigures {
  /** The expiries of the first and the last certificate among the valid ones; null without any. */
  readonly firstEnd: Date | null;
  readonly lastEnd: Date | null;
  /** How many have expired, and how many expire within thirty days. */
  readonly ended: number;
  readonly ending: number;
}

/** The expiries of the certificates of issuers in use. */
export async function readCertificateEnds(tables: Tables, now: Date): Promise<CertificateFigures> {
  const at = now.getTime();
  const inUse = sql`from issuer_certificates as held join issuers on issuers.id = held.issuer_id
    join tenants on tenants.id = issuers.tenant_id where ${MAY_SIGN} and held.valid_to`;
  const soon = at + ENDING_SOON_MS;
  const { rows } = await sql<{ first: number | null; last: number | null; ended: number; ending: number }>`select
    (select held.valid_to ${inUse} > ${at} order by held.valid_to limit 1) as first,
    (select held.valid_to ${inUse} > ${at} order by held.valid_to desc limit 1) as last,
    ${counted(sql`select 1 ${inUse} <= ${at}`)} as ended,
    ${counted(sql`select 1 ${inUse} > ${at} and held.valid_to <= ${soon}`)} as ending`.execute(tables);
  const row = rows[0];
  return {
    firstEnd: row?.first == null ? null : new Date(Number(row.first)),
    lastEnd: row?.last == null ? null : new Date(Number(row.last)),
    ended: Number(row?.ended ?? 0),
    ending: Number(row?.ending ?? 0),
  };
}

// --- internal ---

/** The name of a kind of jobs in the figures. */
const QUEUES = { MAIL: 'mails', WEBHOOK: 'webhooks' } as const satisfies Record<AttemptedKind, string>;

/** The limit of counts: a larger number has no further use. */
const MOST_COUNTED = 100_000;

const ENDING_SOON_MS = 30 * 24 * 3_600_000;

/** The rows of a kind of work by state, and the time at which the oldest due one fell due. */
interface QueueQueries {
  readonly due: RawBuilder<unknown>;
  readonly later: RawBuilder<unknown>;
  readonly failed: RawBuilder<unknown>;
  readonly oldest: RawBuilder<unknown>;
}

function counted(rows: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(select count(*) from (${rows} limit ${sql.lit(MOST_COUNTED)}) as counted)`;
}

function documentQueries(at: number): QueueQueries {
  return {
    due: sql`select 1 from sri_jobs where ready_at <= ${at}`,
    later: sql`select 1 from sri_jobs where ready_at > ${at}`,
    failed: sql`select 1 from sri_jobs where ready_at is null`,
    oldest: sql`select min(ready_at) from sri_jobs where ready_at <= ${at}`,
  };
}

function jobQueries(kind: AttemptedKind, at: number): QueueQueries {
  const waiting = sql`from jobs where ${isPending(kind)}`;
  return {
    due: sql`select 1 ${waiting} and ready_at <= ${at}`,
    later: sql`select 1 ${waiting} and ready_at > ${at}`,
    failed: sql`select 1 from jobs where status = 'FAILED' and kind = ${sql.lit(kind)}`,
    oldest: sql`select min(ready_at) ${waiting} and ready_at <= ${at}`,
  };
}
