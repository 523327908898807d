import type { Environment } from '../environment.js';
import type { DocumentEvent, JobOperation, StoredDocument } from '../storage.js';

/** Events for subscribers: emitted after the commit, by the engine that made it, and not repeated after a crash. */
export interface EngineEvents {
  /** Any entry of a document's history. */
  readonly event: { readonly document: StoredDocument; readonly event: DocumentEvent };
  readonly created: { readonly document: StoredDocument };
  readonly received: { readonly document: StoredDocument };
  readonly returned: { readonly document: StoredDocument };
  readonly authorized: { readonly document: StoredDocument };
  readonly notAuthorized: { readonly document: StoredDocument };
  readonly voided: { readonly document: StoredDocument };
  /** Calls of that kind fail for every document and are held from now on. Only the process that detects it emits the event. */
  readonly sriHeld: { readonly environment: Environment; readonly operation: JobOperation; readonly reason: string };
  /** Calls of that kind succeed again. */
  readonly sriRecovered: { readonly environment: Environment; readonly operation: JobOperation; readonly since: Date };
}

/** The names of all events. */
export const ENGINE_EVENTS = Object.keys({
  event: true,
  created: true,
  received: true,
  returned: true,
  authorized: true,
  notAuthorized: true,
  voided: true,
  sriHeld: true,
  sriRecovered: true,
} satisfies Record<keyof EngineEvents, true>);
