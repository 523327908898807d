import { isDocumentType } from 'sri-core';
import { isScope, type Scope } from '../accounts/index.js';
import { type FirstNumber, recordCounterMove } from '../issuers/index.js';
import { revokeActiveKeys } from '../keys/index.js';
import type { Tables } from '../platform/database/tables.js';

/** A revoked key, with the data for its successor. */
export interface RevokedKey {
  readonly label: string | null;
  readonly scopes: readonly Scope[];
  readonly listed: boolean;
}

/** Revokes every active sandbox key of an account. @returns them, oldest first. */
export async function revokeSandboxKeys(tables: Tables, tenantId: string, now: Date): Promise<readonly RevokedKey[]> {
  const rows = await revokeActiveKeys(tables, { tenantId, environment: 'sandbox' }, now);
  return rows
    .toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
    .map((row) => {
      const scopes: readonly string[] = JSON.parse(row.scopes);
      return { label: row.label, scopes: scopes.filter(isScope), listed: row.listed === 1 };
    });
}

/** The stored first numbers of an account's issuers, including removed ones. */
export async function rememberedFirstNumbers(tables: Tables, tenantId: string): Promise<readonly FirstNumber[]> {
  const rows = await tables
    .selectFrom('issuer_document_types')
    .innerJoin('issuers', 'issuers.id', 'issuer_document_types.issuer_id')
    .select(['issuer_id', 'document_type', 'initial_sequential'])
    .where('issuers.tenant_id', '=', tenantId)
    .where('initial_sequential', 'is not', null)
    .execute();
  return rows.flatMap(({ issuer_id: issuerId, document_type: documentType, initial_sequential: sequential }) =>
    isDocumentType(documentType) && sequential !== null ? [{ issuerId, documentType, sequential }] : [],
  );
}

/**
 * Sets the first number of a production counter. Only for an account without documents in production.
 *
 * @param options.replace whether it replaces a number that was set before.
 */
export async function beginProductionCounter(
  tables: Tables,
  { issuerId, documentType, sequential }: FirstNumber,
  { replace, now }: { readonly replace: boolean; readonly now: Date },
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tables
    .insertInto('sri_sequentials')
    .values({
      issuer_id: issuerId,
      environment: 'production',
      document_type: documentType,
      next_sequential: sequential,
    })
    .onConflict((conflict) => {
      const same = conflict.columns(['issuer_id', 'environment', 'document_type']);
      const set = same.doUpdateSet({ next_sequential: sequential });
      // A counter that was only locked is at 1, like a missing counter.
      return replace ? set : set.where('sri_sequentials.next_sequential', '=', 1);
    })
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return;
  await recordCounterMove(tables, { issuerId, environment: 'production', documentType }, { next: sequential, now });
}
