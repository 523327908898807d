// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Texts of the agreements, one row per version. The last one published is in force. */
export interface AgreementVersionsTable {
  id: string;
  document_type: string;
  version: string;
  /** Markdown with placeholders. */
  content_es: string;
  content_en: string;
  published_at: number;
}

/** An account's own copies of the agreements. An accepted copy never changes. */
export interface TenantAgreementsTable {
  id: string;
  tenant_id: string;
  document_type: string;
  template_version: string;
  language: string;
  status: string;
  /** Markdown, filled in. */
  content: string;
  /** Of `content` in UTF-8, lower-case hex. */
  content_sha256: string;
  generated_at: number;
  accepted_at: number | null;
  accepted_by_name: string | null;
  accepted_from_address: string | null;
  accepted_user_agent: string | null;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    agreement_versions: AgreementVersionsTable;
    tenant_agreements: TenantAgreementsTable;
  }
}
