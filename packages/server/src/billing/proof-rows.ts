import { createHash } from 'node:crypto';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Tables } from '../platform/database/tables.js';
import type { PaymentProofsTable } from './tables.js';

/** A file that proves a transfer, without its content. */
export interface StoredProof {
  readonly id: string;
  readonly paymentId: string;
  readonly filename: string;
  readonly mimeType: string;
  /** The bank's reference of the transfer, according to the account. */
  readonly referenceNumber: string;
  readonly sizeBytes: number;
  /** Of the file, lower-case hex. */
  readonly sha256: string;
  /** False after the account has taken it back: then only the operator sees it. */
  readonly active: boolean;
  readonly createdAt: Date;
}

/** A new file. */
export interface NewProof {
  readonly id: string;
  readonly filename: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** Stores a file of a payment. */
export async function insertProof(
  tables: Tables,
  tenantId: string,
  proof: NewProof,
  about: { readonly paymentId: string; readonly referenceNumber: string; readonly now: Date },
): Promise<StoredProof> {
  const { id, filename, mimeType, bytes } = proof;
  const { paymentId, referenceNumber, now } = about;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await tables
    .insertInto('payment_proofs')
    .values({
      id,
      tenant_id: tenantId,
      payment_id: paymentId,
      filename,
      mime_type: mimeType,
      reference_number: referenceNumber,
      size_bytes: bytes.byteLength,
      sha256,
      content: Buffer.from(bytes).toString('base64'),
      active: 1,
      created_at: now.getTime(),
    })
    .execute();
  const sizeBytes = bytes.byteLength;
  return { id, paymentId, filename, mimeType, referenceNumber, sizeBytes, sha256, active: true, createdAt: now };
}

/** The files of a payment that were not taken back, oldest first. */
export async function listProofs(tables: Tables, tenantId: string, paymentId: string): Promise<readonly StoredProof[]> {
  const query = tables.selectFrom('payment_proofs').select(PROOF_COLUMNS).where(isActive(tenantId, paymentId));
  return (await query.orderBy('created_at').orderBy('id').execute()).map(toProof);
}

/** The number of files of a payment, and the number without removed files. */
export async function countProofs(
  tables: Tables,
  paymentId: string,
): Promise<{ readonly all: number; readonly active: number }> {
  const { all, active } = await tables
    .selectFrom('payment_proofs')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('all'),
      fn.sum<number | string | null>('active').as('active'),
    ])
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  return { all: Number(all), active: Number(active) };
}

/** A file of a payment with its content; null when it does not exist or was taken back. */
export async function readProof(
  tables: Tables,
  tenantId: string,
  { paymentId, proofId }: { readonly paymentId: string; readonly proofId: string },
): Promise<{ readonly proof: StoredProof; readonly bytes: Uint8Array } | null> {
  const query = tables.selectFrom('payment_proofs').selectAll().where(isActive(tenantId, paymentId));
  const row = await query.where('id', '=', proofId).executeTakeFirst();
  return row ? { proof: toProof(row), bytes: Buffer.from(row.content, 'base64') } : null;
}

/**
 * Hides a file from its account: the only place that changes its status. @returns false when there is no file to hide.
 */
export async function hideProof(
  tables: Tables,
  tenantId: string,
  { paymentId, proofId }: { readonly paymentId: string; readonly proofId: string },
): Promise<boolean> {
  const result = await tables
    .updateTable('payment_proofs')
    .set({ active: 0 })
    .where(isActive(tenantId, paymentId))
    .where('id', '=', proofId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The columns of a proof without its file. */
export const PROOF_COLUMNS = [
  'id',
  'payment_id',
  'filename',
  'mime_type',
  'reference_number',
  'size_bytes',
  'sha256',
  'active',
  'created_at',
] as const;

/** A row as a proof. */
export function toProof(row: Pick<Selectable<PaymentProofsTable>, (typeof PROOF_COLUMNS)[number]>): StoredProof {
  return {
    id: row.id,
    paymentId: row.payment_id,
    filename: row.filename,
    mimeType: row.mime_type,
    referenceNumber: row.reference_number,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    active: row.active === 1,
    createdAt: new Date(row.created_at),
  };
}

// --- internal ---

/** The files of a payment that its account sees. */
function isActive(tenantId: string, paymentId: string): RawBuilder<SqlBool> {
  return sql`tenant_id = ${tenantId} and payment_id = ${paymentId} and active = 1`;
}
