import { ValidationError } from 'sri-core';
import { CommandFailure } from 'sri-core/cli';
import type { ApiClient } from '../client/api-client.js';
import {
  outcomeOf,
  readDocument,
  readLastAnswer,
  type ShownDocument,
  sendDocument,
  waitForDocument,
} from '../client/documents.js';
import { fillSums } from '../client/fill-sums.js';
import { type BatchEntry, digestOf, nameField } from './batch-entry.js';
import { idempotencyKeyOf, type Journal, type JournalEntry } from './journal.js';
import type { OriginRows } from './origin-rows.js';

/** What became of an entry. */
export type EntryResult =
  | {
      readonly kind: 'issued';
      readonly entry: BatchEntry;
      readonly document: ShownDocument;
      readonly earlier: boolean;
      readonly why: string | null;
    }
  | { readonly kind: 'rejected'; readonly entry: BatchEntry; readonly why: string };

/** What issuing needs. */
export interface IssuingParts {
  readonly api: ApiClient;
  readonly journal: Journal;
  /** Where the rows of a file of errors come from. */
  readonly origins: OriginRows;
  /** Documents that wait for the SRI at once. */
  readonly parallel: number;
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
  readonly onResult: (result: EntryResult) => Promise<void>;
}

/**
 * Issues entries: created one after the other, so that their numbers have the order of the file, while those before them
 * are sent and waited for.
 *
 * @throws CommandFailure when the server does not answer, or refuses the key or the issuer: then nothing more is begun.
 */
export async function issueEntries(entries: readonly BatchEntry[], parts: IssuingParts): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: unknown = null;
  for (const entry of entries) {
    if (failure || parts.stop.aborted) break;
    while (running.size >= parts.parallel) await Promise.race(running);
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

async function create(entry: BatchEntry, parts: IssuingParts): Promise<EntryResult> {
  const { api, journal, origins } = parts;
  const known = journal.entries.get(entry.identity);
  if (known)
    return { kind: 'issued', entry, document: await readDocument(api, known.accessKey), earlier: true, why: null };
  const { identity } = entry;
  try {
    const idempotencyKey = idempotencyKeyOf(journal.head.id, identity);
    const answer = await api('/v1/documents', { method: 'POST', body: fillSums(entry.body), idempotencyKey });
    const { document } = answer.json<{ document: ShownDocument }>();
    await note(entry, { document, status: null }, parts);
    await origins.noteMended(entry, document.accessKey);
    return { kind: 'issued', entry, document, earlier: answer.replayed, why: null };
  } catch (error) {
    // The rules of the day may have changed since the file was judged: midnight has passed.
    if (error instanceof ValidationError) {
      const told = error.failures.map(({ field, message }) => `${nameField(entry, field)}: ${message}`);
      return { kind: 'rejected', entry, why: told.join(' ') };
    }
    const isAboutDocument =
      error instanceof CommandFailure &&
      ABOUT_THE_DOCUMENT.has(Number(error.members['status'])) &&
      !ABOUT_THE_ISSUER.test(error.code);
    if (isAboutDocument) {
      return { kind: 'rejected', entry, why: tell(error, entry) };
    }
    throw error;
  }
}

/** What is known of a document now. */
function note(
  entry: BatchEntry,
  { document, status }: { readonly document: ShownDocument } & Pick<JournalEntry, 'status'>,
  { journal }: IssuingParts,
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
    // A row that was mended in its file of errors stands for what it said when it was refused.
    digest: before?.digest ?? digestOf(entry),
  });
}

async function finish(created: Created, parts: IssuingParts): Promise<void> {
  const { api, timeoutMs, stop, onResult } = parts;
  const { entry, earlier } = created;
  const { accessKey } = await sendDocument(api, created.document);
  const document = await waitForDocument(api, accessKey, { timeoutMs, signal: stop });
  await note(entry, { document, status: document.status }, parts);
  const outcome = outcomeOf(document);
  const why = outcome === 'refused' || outcome === 'failed' ? await tellAnswer(api, document) : null;
  await onResult({ kind: 'issued', entry, document, earlier, why });
}

async function tellAnswer(api: ApiClient, { accessKey, dispatch }: ShownDocument): Promise<string> {
  const answer = await readLastAnswer(api, accessKey);
  const advice = answer?.advice?.map(({ identifier, meaning, action }) => `${identifier}: ${meaning} ${action}`) ?? [];
  return advice.join(' ') || (dispatch?.lastError ?? answer?.status ?? '');
}

/** The body, an idempotency key with another body, or a rule: of this document alone. */
const ABOUT_THE_DOCUMENT = new Set([400, 409, 413, 422]);
/** The same for every document of the file. */
const ABOUT_THE_ISSUER = /^(ISSUER|CERTIFICATE|ACCOUNT|TENANT|SEQUENTIAL)_/;

function tell({ code, message, members }: CommandFailure, entry: BatchEntry): string {
  const errors = (members['errors'] ?? []) as readonly { readonly field: string; readonly message: string }[];
  const told = errors.map(({ field, message: text }) => `${nameField(entry, field)}: ${text}`).join('; ');
  return `${code}: ${told || message}`;
}
