import { uuidOf } from '../random.js';
import { formatSequential } from '../sequential.js';
import type { DocumentEvent, JobOperation, SriResponse, StoredDocument } from '../storage.js';
import type { LifecycleContext } from './context.js';
import type { DocumentStatus } from './status.js';

/** An entry before it has its place in the history. */
export type NewEvent = Omit<DocumentEvent, 'id'>;

/** An answer of the SRI before it has its place in the history. */
export type NewResponse = Omit<SriResponse, 'id'>;

/** The id of a document's entry, which follows from its place: a storage of the place need not keep the id. */
export function historyId(documentId: string, kind: 'event' | 'response', place: HistoryPosition): string {
  return uuidOf(`${kind} ${place.revision}.${place.position} of ${documentId}`);
}

/** Where an entry stands: the revision that its change gave the document, and its position in that change, from 0. */
export interface HistoryPosition {
  readonly revision: number;
  readonly position: number;
}

/** The entries that a change adds, each with the id of its place. */
export function withIds<T extends NewEvent | NewResponse>(
  { id: documentId, revision }: Pick<StoredDocument, 'id' | 'revision'>,
  kind: 'event' | 'response',
  entries: readonly T[],
): (T & { readonly id: string })[] {
  return entries.map((entry, position) => ({ ...entry, id: historyId(documentId, kind, { revision, position }) }));
}

/** The entry of a document's creation. */
export function createdEvent({
  accessKey,
  sequential,
  createdAt: now,
}: Pick<StoredDocument, 'accessKey' | 'sequential' | 'createdAt'>): NewEvent {
  return {
    eventType: 'CREATED',
    fromStatus: null,
    toStatus: 'SIGNED',
    detail: { accessKey, sequential: formatSequential(sequential) },
    createdAt: now,
  };
}

/** An entry that moves the document from one status to another. */
export function movedEvent(
  now: Date,
  move: { from: DocumentStatus; to: DocumentStatus; eventType?: string; detail?: Record<string, unknown> },
): NewEvent {
  return {
    eventType: move.eventType ?? 'STATUS_CHANGED',
    fromStatus: move.from,
    toStatus: move.to,
    detail: move.detail ?? null,
    createdAt: now,
  };
}

/** An entry that leaves the status as it is. */
export function notedEvent(now: Date, eventType: string, detail: Record<string, unknown>): NewEvent {
  return { eventType, fromStatus: null, toStatus: null, detail, createdAt: now };
}

/** A failed attempt, as operators and users see it. */
export function errorEvent(now: Date, operation: JobOperation, message: string): NewEvent {
  return notedEvent(now, 'ERROR', { operation, message });
}

/** A record of one call to the SRI. */
export function sriResponse(
  now: Date,
  record: Pick<SriResponse, 'operationType' | 'status' | 'messages'>,
): NewResponse {
  return { ...record, createdAt: now };
}

/** Notifies subscribers of a commit. */
export function announce(context: LifecycleContext, document: StoredDocument, events: readonly DocumentEvent[]): void {
  for (const event of events) {
    context.emit('event', { document, event });
    if (event.eventType === 'CREATED') context.emit('created', { document });
    else if (event.toStatus === 'RECEIVED') context.emit('received', { document });
    else if (event.toStatus === 'RETURNED') context.emit('returned', { document });
    else if (event.toStatus === 'AUTHORIZED') context.emit('authorized', { document });
    else if (event.toStatus === 'NOT_AUTHORIZED') context.emit('notAuthorized', { document });
    else if (event.toStatus === 'VOIDED') context.emit('voided', { document });
  }
}
