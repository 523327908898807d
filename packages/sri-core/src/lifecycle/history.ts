import { formatSequential } from '../sequential.js';
import type { DocumentEvent, JobOperation, SriResponse, StoredDocument } from '../storage.js';
import type { LifecycleContext } from './context.js';
import type { DocumentStatus } from './status.js';

/** The entry of a document's creation. */
export function createdEvent(
  context: LifecycleContext,
  { accessKey, sequential, createdAt: now }: Pick<StoredDocument, 'accessKey' | 'sequential' | 'createdAt'>,
): DocumentEvent {
  return {
    id: context.newId(now),
    eventType: 'CREATED',
    fromStatus: null,
    toStatus: 'SIGNED',
    detail: { accessKey, sequential: formatSequential(sequential) },
    createdAt: now,
  };
}

/** An entry that moves the document from one status to another. */
export function movedEvent(
  context: LifecycleContext,
  now: Date,
  move: {
    from: DocumentStatus;
    to: DocumentStatus;
    eventType?: string;
    detail?: Record<string, unknown>;
  },
): DocumentEvent {
  return {
    id: context.newId(now),
    eventType: move.eventType ?? 'STATUS_CHANGED',
    fromStatus: move.from,
    toStatus: move.to,
    detail: move.detail ?? null,
    createdAt: now,
  };
}

/** An entry that leaves the status as it is. */
export function notedEvent(
  context: LifecycleContext,
  now: Date,
  eventType: string,
  detail: Record<string, unknown>,
): DocumentEvent {
  return {
    id: context.newId(now),
    eventType,
    fromStatus: null,
    toStatus: null,
    detail,
    createdAt: now,
  };
}

/** A failed attempt, as operators and users see it. */
export function errorEvent(
  context: LifecycleContext,
  now: Date,
  operation: JobOperation,
  message: string,
): DocumentEvent {
  return notedEvent(context, now, 'ERROR', { operation, message });
}

/** A record of one call to the SRI. */
export function sriResponse(
  context: LifecycleContext,
  now: Date,
  record: Pick<SriResponse, 'operationType' | 'status' | 'messages'>,
): SriResponse {
  return { id: context.newId(now), ...record, createdAt: now };
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
