import type { Kysely } from 'kysely';
import {
  type DocumentEvent,
  type DocumentStatus,
  historyId,
  type SriMessage,
  type SriResponse,
  type StoredDocument,
} from 'sri-core';
import type { CoreTables, EventsTable, ResponsesTable } from '../sql/schema.js';

/** The rows that one revision of a document adds to its history. */
export function toEventRows(document: Owner, revision: number, events: readonly DocumentEvent[]): EventsTable[] {
  return events.map((event, position) => ({
    document_id: document.id,
    issuer_id: document.issuerId,
    revision,
    position,
    event_type: event.eventType,
    from_status: event.fromStatus,
    to_status: event.toStatus,
    detail: event.detail === null ? null : JSON.stringify(event.detail),
    created_at: event.createdAt.getTime(),
  }));
}

/** Oldest first. */
export async function readEvents(db: Kysely<CoreTables>, documentId: string): Promise<DocumentEvent[]> {
  const rows = await db
    .selectFrom('sri_events')
    .select(['revision', 'position', 'event_type', 'from_status', 'to_status', 'detail', 'created_at'])
    .where('document_id', '=', documentId)
    .orderBy('revision')
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    id: historyId(documentId, 'event', row),
    eventType: row.event_type,
    fromStatus: row.from_status as DocumentStatus | null,
    toStatus: row.to_status as DocumentStatus | null,
    detail: row.detail === null ? null : (JSON.parse(row.detail) as DocumentEvent['detail']),
    createdAt: new Date(row.created_at),
  }));
}

/** The rows of the SRI's responses that one revision of a document records. */
export function toResponseRows(document: Owner, revision: number, responses: readonly SriResponse[]): ResponsesTable[] {
  return responses.map((response, position) => ({
    document_id: document.id,
    issuer_id: document.issuerId,
    revision,
    position,
    operation_type: response.operationType,
    status: response.status,
    messages: response.messages === null ? null : JSON.stringify(response.messages),
    created_at: response.createdAt.getTime(),
  }));
}

/** Newest first, the newest 1,000. */
export async function readResponses(db: Kysely<CoreTables>, documentId: string): Promise<SriResponse[]> {
  const rows = await db
    .selectFrom('sri_responses')
    .select(['revision', 'position', 'operation_type', 'status', 'messages', 'created_at'])
    .where('document_id', '=', documentId)
    .orderBy('revision', 'desc')
    .orderBy('position', 'desc')
    .limit(MOST_RESPONSES)
    .execute();
  return rows.map((row) => ({
    id: historyId(documentId, 'response', row),
    operationType: row.operation_type as SriResponse['operationType'],
    status: row.status,
    messages: row.messages === null ? null : (JSON.parse(row.messages) as SriMessage[]),
    createdAt: new Date(row.created_at),
  }));
}

// --- internal ---

type Owner = Pick<StoredDocument, 'id' | 'issuerId'>;

const MOST_RESPONSES = 1_000;
