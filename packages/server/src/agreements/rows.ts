import type { Selectable } from 'kysely';
import type { Language } from 'sri-core';
import type { Tables } from '../platform/database/tables.js';
import {
  AGREEMENT_TYPES,
  type AgreementStatus,
  type AgreementType,
  isAgreementType,
  type PublishedAgreement,
  type TenantAgreement,
} from './agreement.js';
import type { TenantAgreementsTable } from './tables.js';

/** The texts of a version in both languages: Markdown with placeholders. */
export type AgreementTexts = Readonly<Record<Language, string>>;

/** Stores a version. @returns false, with nothing stored, when the type has a version of that name. */
export async function insertAgreementVersion(
  tables: Tables,
  version: PublishedAgreement & { readonly texts: AgreementTexts; readonly publishedAt: Date },
): Promise<boolean> {
  const stored = await tables
    .insertInto('agreement_versions')
    .values({
      id: version.id,
      document_type: version.documentType,
      version: version.version,
      content_es: version.texts.es,
      content_en: version.texts.en,
      published_at: version.publishedAt.getTime(),
    })
    .onConflict((conflict) => conflict.columns(['document_type', 'version']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** When a type last got a version, in milliseconds; 0 without any. */
export async function lastPublishedAt(tables: Tables, documentType: AgreementType): Promise<number> {
  const { last } = await tables
    .selectFrom('agreement_versions')
    .select(({ fn }) => fn.max('published_at').as('last'))
    .where('document_type', '=', documentType)
    .executeTakeFirstOrThrow();
  return Number(last ?? 0);
}

/** The version in force of each type: the last one published. */
export async function currentAgreements(tables: Tables): Promise<readonly PublishedAgreement[]> {
  const rows = await tables
    .selectFrom('agreement_versions')
    .select(['id', 'document_type', 'version'])
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return AGREEMENT_TYPES.flatMap((documentType) => {
    const row = rows.find((candidate) => candidate.document_type === documentType);
    return row ? [{ id: row.id, documentType, version: row.version }] : [];
  });
}

/** The texts of a version. */
export async function readAgreementTexts(tables: Tables, id: string): Promise<AgreementTexts> {
  const row = await tables
    .selectFrom('agreement_versions')
    .select(['content_es', 'content_en'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { es: row.content_es, en: row.content_en };
}

/** Marks that every account may lack a copy, including accounts whose copies are being created. */
export async function markAllAgreementsDue(tables: Tables): Promise<void> {
  await tables.updateTable('tenants').set({ agreements_due: 1 }).execute();
}

/** Accounts that may lack a copy, in the order of their ids, at most `limit` of them. */
export async function listAgreementsDue(
  tables: Tables,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await tables
    .selectFrom('tenants')
    .select('id')
    .where('agreements_due', '=', 1)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Whether an account may lack a copy. */
export async function areAgreementsDue(tables: Tables, tenantId: string): Promise<boolean> {
  const row = await tables.selectFrom('tenants').select('agreements_due').where('id', '=', tenantId).executeTakeFirst();
  return row?.agreements_due === 1;
}

/**
 * Marks that an account has all its copies, before they are created and in the same transaction. A concurrent
 * publication waits here, and marks the account as due afterwards.
 */
export async function markAgreementsDone(tables: Tables, tenantId: string): Promise<void> {
  await tables.updateTable('tenants').set({ agreements_due: 0 }).where('id', '=', tenantId).execute();
}

/** An account's copies, newest first. */
export async function listTenantAgreements(tables: Tables, tenantId: string): Promise<readonly TenantAgreement[]> {
  const rows = await tables
    .selectFrom('tenant_agreements')
    .select([
      'id',
      'document_type',
      'template_version',
      'language',
      'status',
      'content_sha256',
      'generated_at',
      'accepted_at',
    ])
    .where('tenant_id', '=', tenantId)
    .orderBy('generated_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toTenantAgreement);
}

/** The Markdown of an account's copy. */
export async function readTenantAgreementText(tables: Tables, tenantId: string, id: string): Promise<string> {
  const row = await tables
    .selectFrom('tenant_agreements')
    .select('content')
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return row.content;
}

/** A copy about to be stored. */
export interface NewTenantAgreement {
  readonly id: string;
  readonly documentType: AgreementType;
  readonly templateVersion: string;
  readonly language: Language;
  /** Markdown, filled in. */
  readonly content: string;
  readonly contentSha256: string;
  readonly generatedAt: Date;
}

/** Stores a pending copy, or replaces the text of a pending one. An accepted copy stays as it is. */
export async function putPendingAgreement(tables: Tables, tenantId: string, copy: NewTenantAgreement): Promise<void> {
  const text = {
    language: copy.language,
    content: copy.content,
    content_sha256: copy.contentSha256,
    generated_at: copy.generatedAt.getTime(),
  };
  await tables
    .insertInto('tenant_agreements')
    .values({
      id: copy.id,
      tenant_id: tenantId,
      document_type: copy.documentType,
      template_version: copy.templateVersion,
      status: 'PENDING' satisfies AgreementStatus,
      accepted_at: null,
      accepted_by_name: null,
      accepted_from_address: null,
      accepted_user_agent: null,
      ...text,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'document_type', 'template_version'])
        .doUpdateSet(text)
        .where('tenant_agreements.status', '=', 'PENDING'),
    )
    .execute();
}

/** Marks copies that were never accepted as superseded: their version is no longer in force. */
export async function supersedePendingAgreements(
  tables: Tables,
  tenantId: string,
  { documentType, version }: PublishedAgreement,
): Promise<void> {
  await tables
    .updateTable('tenant_agreements')
    .set({ status: 'SUPERSEDED' satisfies AgreementStatus })
    .where('tenant_id', '=', tenantId)
    .where('document_type', '=', documentType)
    .where('template_version', '!=', version)
    .where('status', '=', 'PENDING')
    .execute();
}

/** An acceptance: the person, the address and the time. */
export interface Acceptance {
  readonly at: Date;
  readonly byName: string | null;
  readonly fromAddress: string;
  readonly userAgent: string | null;
}

/** Accepts a pending copy. @returns false when it is not pending. */
export async function acceptTenantAgreement(
  tables: Tables,
  tenantId: string,
  { documentType, version }: PublishedAgreement,
  acceptance: Acceptance,
): Promise<boolean> {
  const result = await tables
    .updateTable('tenant_agreements')
    .set({
      status: 'ACCEPTED' satisfies AgreementStatus,
      accepted_at: acceptance.at.getTime(),
      accepted_by_name: acceptance.byName,
      accepted_from_address: acceptance.fromAddress,
      accepted_user_agent: acceptance.userAgent,
    })
    .where('tenant_id', '=', tenantId)
    .where('document_type', '=', documentType)
    .where('template_version', '=', version)
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

// --- internal ---

function toTenantAgreement(
  row: Omit<
    Selectable<TenantAgreementsTable>,
    'tenant_id' | 'content' | 'accepted_by_name' | 'accepted_from_address' | 'accepted_user_agent'
  >,
): TenantAgreement {
  if (!isAgreementType(row.document_type)) throw new Error('An agreement of an unknown type is stored.');
  return {
    id: row.id,
    documentType: row.document_type,
    templateVersion: row.template_version,
    language: row.language as Language,
    status: row.status as AgreementStatus,
    contentSha256: row.content_sha256,
    generatedAt: new Date(row.generated_at),
    acceptedAt: row.accepted_at === null ? null : new Date(row.accepted_at),
  };
}
