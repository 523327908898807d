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

/** How the SRI's host of an environment stands. */
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
  id: string;
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
  id: string;
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
  /** When a worker may take it: `due_at`, or later when a lease on it ends later. Null for never by itself. */
  ready_at: number | null;
}

/** Where each counter stands. No row: at 1. */
export interface SequentialsTable {
  issuer_id: string;
  environment: string;
  document_type: string;
  next_sequential: number;
}

/**
 * Documents of a scope in figures, kept in the transactions that store and change them. The parts of a figure add up; one of
 * them may be below zero. A part of no documents goes.
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
 * How many documents of a scope are for a counterparty, by type, and how many are authorized. Rows of no documents may stay.
 * Parts add up as those of figures.
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
 * How many documents of a scope lie in each block of a sorted list: by `sequential` the first six of the nine digits, by
 * `counterparty_name` the first three characters of the folded name, by `total` the length and the first three digits of the
 * cents. Parts add up as those of figures. Rows of no documents may stay.
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
