import { ValidationError } from 'sri-core';
import { ApiError, type Client, type Document, type DocumentInput } from 'sri-core/client';
import { fillSums } from '../../documents/fill-sums.js';
import { askWhy, sendDocument } from '../client/documents.js';
import { type BatchEntry, digestOf, nameField } from './batch-entry.js';
import { idempotencyKeyOf, type Journal, type JournalEntry } from './journal.js';
import type { OriginRows } from './origin-rows.js';

/** The result of an entry. */
export type EntryResult =
  | {
      readonly kind: 'issued';
      readonly entry: BatchEntry;
      readonly document: Document;
      readonly earlier: boolean;
      readonly why: string | null;
    }
  | { readonly kind: 'rejected'; readonly entry: BatchEntry; readonly why: string };

/** The parts that issuing needs. */
export interface IssuingDeps {
  readonly api: Client;
  readonly journal: Journal;
  /** The rows of the original file, for a file of errors. */
  readonly origins: OriginRows;
  /** The number of documents that wait for the SRI at once. */
  readonly parallel: number;
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
  readonly onResult: (result: EntryResult) => Promise<void>;
}

/**
 * Issues entries. Creates them one after the other, so that their numbers follow the order of the file. Sends and
 * awaits earlier ones at the same time.
 * @throws ApiError if the server does not answer, or rejects the key or the issuer. Then no further entry starts.
 */
export async function issueEntries(entries: readonly BatchEntry[], parts: IssuingDeps): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: unknown = null;
  for (const entry of entries) {
    while (running.size >= parts.parallel) await Promise.race(running);
    if (failure || parts.stop.aborted) break;
    try {
      const created = await create(entry, parts);
      if (created.kind === 'rejected') {
        await parts.onResult(created);
        continue;
      }
      const finishing: Promise<void> = finish(created, parts)
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => running.delete(finishing));
      running.add(finishing);
    } catch (error) {
      failure ??= error;
    }
  }
  await Promise.all(running);
  if (failure) throw failure;
}

// --- internal ---

type Created = Extract<EntryResult, { kind: 'issued' }>;

async function create(entry: BatchEntry, parts: IssuingDeps): Promise<EntryResult> {
  const { api, journal, origins } = parts;
  const known = journal.entries.get(entry.identity);
  if (known) {
    const document = await api.documents.get(known.accessKey);
    return { kind: 'issued', entry, document, earlier: true, why: null };
  }
  const { identity } = entry;
  try {
    const idempotencyKey = idempotencyKeyOf(journal.head.id, identity);
    // The server validates the body.
    const body = fillSums(entry.body) as DocumentInput;
    const { document, replayed } = await api.documents.create(body, { idempotencyKey });
    await note(entry, { document, status: null }, parts);
    await origins.noteMended(entry, document.accessKey);
    return { kind: 'issued', entry, document, earlier: replayed, why: null };
  } catch (error) {
    // The rules may have changed since the file was checked: after midnight.
    if (error instanceof ValidationError) {
      const faults = error.failures.map(({ field, message }) => `${nameField(entry, field)}: ${message}`);
      return { kind: 'rejected', entry, why: faults.join(' ') };
    }
    if (!(error instanceof ApiError) || !isAboutDocument(error)) throw error;
    return { kind: 'rejected', entry, why: describeApiError(error, entry) };
  }
}

/** Records the state of a document. */
function note(
  entry: BatchEntry,
  { document, status }: { readonly document: Document } & Pick<JournalEntry, 'status'>,
  { journal }: IssuingDeps,
): Promise<void> {
  const { identity, reference, lines } = entry;
  const { accessKey } = document;
  const before = journal.entries.get(identity);
  return journal.note(identity, {
    ...before,
    accessKey,
    reference,
    lines,
    status,
    // A row that was corrected in its file of errors keeps the digest of the rejected row.
    digest: before?.digest ?? digestOf(entry),
  });
}

async function finish(created: Created, parts: IssuingDeps): Promise<void> {
  const { api, timeoutMs, stop, onResult } = parts;
  const { entry, earlier } = created;
  const { accessKey } = await sendDocument(api, created.document);
  const document = await api.documents.wait(accessKey, { waitMs: timeoutMs, signal: stop }).catch((error: unknown) => {
    if (stop.aborted) return api.documents.get(accessKey);
    throw error;
  });
  await note(entry, { document, status: document.status }, parts);
  const why = await whyOf(api, document);
  await onResult({ kind: 'issued', entry, document, earlier, why });
}

async function whyOf(api: Client, document: Document): Promise<string | null> {
  const unauthorized = await askWhy(api, document);
  if (unauthorized === null) return null;
  const { answer, reasons, note } = unauthorized;
  const faults = reasons.map(({ said, advice }) => `${said.replace(/\.?$/, '.')} ${advice}`).join(' ');
  return faults || (note ?? document.dispatch?.lastError ?? answer?.status ?? '');
}

/** Whether the error concerns this document alone: its body, an idempotency key with another body, or a rule. */
function isAboutDocument({ status, code, reason }: ApiError): boolean {
  return (
    [400, 409, 413, 422].includes(status) &&
    code !== 'UNEXPECTED_ANSWER' &&
    !/^(ISSUER|CERTIFICATE|ACCOUNT|TENANT|SEQUENTIAL)_/.test(reason ?? code)
  );
}

function describeApiError({ code, detail, errors }: ApiError, entry: BatchEntry): string {
  const faults = errors.map(({ field, message }) => `${nameField(entry, field)}: ${message}`).join('; ');
  return `${code}: ${faults || detail}`;
}
