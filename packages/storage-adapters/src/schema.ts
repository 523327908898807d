/**
 * The tables of core's data. They carry a prefix because they share a database with the tables of the application around
 * them. Moments are milliseconds since 1970, truth is 0 or 1, JSON is text.
 */
export interface CoreTables {
  sri_documents: DocumentsTable;
  sri_access_keys: AccessKeysTable;
  sri_contents: ContentsTable;
  sri_dictionaries: DictionariesTable;
  sri_events: EventsTable;
  sri_responses: ResponsesTable;
  sri_jobs: JobsTable;
  sri_sequentials: SequentialsTable;
  sri_figures: FiguresTable;
  sri_counts: CountsTable;
  sri_name_words: NameWordsTable;
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
  /** The number as nine digits, in which parts of it are searched. */
  sequential_digits: string;
  access_key: string;
  status: string;
  /** YYYY-MM-DD */
  issue_date: string;
  /** An integer, so that sums are exact in every database. */
  total_cents: number;
  buyer_id_type: string;
  buyer_id: string;
  buyer_name: string;
  /** `foldCase(buyer_name)`: what names are searched and sorted by. */
  buyer_name_folded: string;
  buyer_email: string | null;
  original_type: string | null;
  original_number: string | null;
  /** Empty when it is the access key. */
  authorization_number: string | null;
  authorization_date: string | null;
  void_reason: string | null;
  voided_at: number | null;
  mail_status: string;
  mail_sent_at: number | null;
  mail_error: string | null;
  idempotency_key: string | null;
  /** As `packDigest` gives it; of earlier versions in hexadecimal. */
  payload_hash: string;
  created_at: number;
  updated_at: number;
  revision: number;
}

/** Every access key a document has or once had. Its primary key is the wall against a key given twice. */
export interface AccessKeysTable {
  access_key: string;
  document_id: string;
}

/** The large parts of a document, compressed. */
export interface ContentsTable {
  document_id: string;
  dictionary_id: string | null;
  body: Uint8Array;
}

/** A document of an issuer, kept as the pattern against which its later ones are compressed. Never changed. */
export interface DictionariesTable {
  id: string;
  issuer_id: string;
  environment: string;
  document_type: string;
  /** The end of the signing certificate: the certificate is most of what documents have in common. */
  certificate: string;
  body: Uint8Array;
}

/** History, in the order of the revisions that wrote it. */
export interface EventsTable {
  document_id: string;
  revision: number;
  position: number;
  /** As `packId` gives it; of earlier versions a UUID in full. */
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
  revision: number;
  position: number;
  /** As in the events. */
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
  /** Null while nobody holds the job. */
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

/** Documents of a scope in figures, kept in the transactions that store and change them. Rows of no documents go. */
export interface FiguresTable {
  issuer_id: string;
  environment: string;
  issue_date: string;
  document_type: string;
  status: string;
  /** Days since 1970, by UTC, of `created_at`. */
  created_day: number;
  documents: number;
  total_cents: number;
}

/**
 * How many documents of a scope share an entry, by kind: under a document type the first six of the nine digits of the
 * numbers; under `status` and `issued` the status and the issue date; under `created` the day of creation, as in the
 * figures, and so under `created AUTHORIZED` or `created 04` for those of one status or type.
 *
 * Folded buyers' names count under `fresh` at first, and every few hundred documents what has gathered there moves on:
 * to `name`, to `initial` by the first three characters, to `letters` by each one and two characters in a row that a name
 * holds, and to `names` by word, which tells how many names have it, and under the empty word how many there are. What
 * counts is the sum of both. Entries of no documents may stay.
 */
export interface CountsTable {
  issuer_id: string;
  environment: string;
  kind: string;
  entry: string;
  documents: number;
  /** Stands for an entry of the kind `name`, which is found by its words; null for others. */
  name_id: number | null;
}

/** Which names have a word. Both are stood for by numbers that others may share, if hardly ever. Rows stay. */
export interface NameWordsTable {
  word_id: number;
  name_id: number;
}
