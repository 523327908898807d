/**
 * The tables of core's data. They carry a prefix because they share a database with the tables of the application around
 * them. Moments are milliseconds since 1970, truth is 0 or 1, JSON is text.
 */
export interface CoreTables {
  sri_documents: DocumentsTable;
  sri_access_keys: AccessKeysTable;
  sri_contents: ContentsTable;
  sri_events: EventsTable;
  sri_responses: ResponsesTable;
  sri_jobs: JobsTable;
  sri_sequentials: SequentialsTable;
  sri_figures: FiguresTable;
  sri_names: NamesTable;
  sri_blocks: BlocksTable;
  sri_hosts: HostsTable;
}

/** The state of the SRI's host in an environment. */
export interface HostsTable {
  environment: string;
  /** A text of the engine's. */
  state: string;
  /** Rises with every change. */
  revision: number;
}

/** One row a document, without anything large: lists read only this. */
export interface DocumentsTable {
  id: string;
  issuer_id: string;
  environment: string;
  document_type: string;
  sequential: number;
  access_key: string;
  status: string;
  /** As `toStatusGroup`. */
  status_group: string | null;
  /** YYYY-MM-DD */
  issue_date: string;
  /** An integer, so that sums are exact in every database. */
  total_cents: number;
  counterparty_id_type: string | null;
  counterparty_id: string;
  counterparty_name: string;
  /** `foldCase(counterparty_name)`: names are searched and sorted by it. */
  counterparty_name_folded: string;
  counterparty_email: string | null;
  /** Addresses with a space between; null without any. */
  mail_copies: string | null;
  modifies_type: string | null;
  modifies_number: string | null;
  /** Empty when it is the access key. */
  authorization_number: string | null;
  authorization_date: string | null;
  void_reason: string | null;
  voided_at: number | null;
  mail_status: string;
  mail_sent_at: number | null;
  mail_error: string | null;
  idempotency_key: string | null;
  /** SHA-256 in hexadecimal. */
  payload_hash: string;
  created_at: number;
  updated_at: number;
  revision: number;
}

/** Every access key a document has or once had. The primary key refuses a key that is given twice. */
export interface AccessKeysTable {
  access_key: string;
  issuer_id: string;
  document_id: string;
}

/** The large parts of a document, each in zlib's format and readable without any other row. */
export interface ContentsTable {
  document_id: string;
  issuer_id: string;
  signed_xml: Uint8Array;
  /** JSON. */
  request_payload: Uint8Array;
  authorized_xml: Uint8Array | null;
}

/** History, in the order of the revisions that wrote it. */
export interface EventsTable {
  document_id: string;
  issuer_id: string;
  revision: number;
  position: number;
  event_type: string;
  from_status: string | null;
  to_status: string | null;
  detail: string | null;
  created_at: number;
}

/** Attempts to talk to the SRI, in the order of the revisions that wrote them. */
export interface ResponsesTable {
  document_id: string;
  issuer_id: string;
  revision: number;
  position: number;
  operation_type: string;
  status: string;
  messages: string | null;
  created_at: number;
}

/** Documents in flight. A settled document has no row here. */
export interface JobsTable {
  document_id: string;
  issuer_id: string;
  operation: string;
  status: string;
  due_at: number | null;
  attempt_count: number;
  last_error: string | null;
  unconfirmed: number;
  /** Rises with every claim of the document's jobs. */
  lease_token: number;
  /** Null while the job is free. */
  lease_until: number | null;
  /** When a worker may claim it: at `due_at`, or after its lease if that ends later. Null: only on demand. */
  ready_at: number | null;
}

/** The next number of each counter; 1 without a row. */
export interface SequentialsTable {
  issuer_id: string;
  environment: string;
  document_type: string;
  next_sequential: number;
}

/**
 * Counts and sums of a scope's documents, kept in the transactions that store and change them. A figure is the sum of
 * its parts; a part may be negative. A part that falls to zero is deleted.
 */
export interface FiguresTable {
  issuer_id: string;
  environment: string;
  issue_date: string;
  document_type: string;
  status: string;
  /** Days since 1970, by UTC, of `created_at`. */
  created_day: number;
  part: number;
  documents: number;
  total_cents: number;
}

/**
 * Documents of a scope by counterparty and type, and how many are authorized. Rows with zero documents may stay. Parts
 * add up as in `FiguresTable`.
 */
export interface NamesTable {
  issuer_id: string;
  environment: string;
  /** `foldCase` of the counterparty's name. */
  name: string;
  counterparty_id: string;
  document_type: string;
  part: number;
  documents: number;
  authorized: number;
}

/**
 * Documents of a scope in each block of a sorted list. A block of `sequential` is the first six of the nine digits. A
 * block of `counterparty_name` is the first three characters of the folded name. A block of `total` is the length and
 * the first three digits of the cents. Parts add up as in `FiguresTable`. Rows with zero documents may stay.
 */
export interface BlocksTable {
  issuer_id: string;
  environment: string;
  sorted_by: string;
  block: string;
  document_type: string;
  part: number;
  documents: number;
}
