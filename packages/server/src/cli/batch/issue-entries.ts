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
import type { BatchEntry } from './batch-entry.js';
import { idempotencyKeyOf, type Journal } from './journal.js';

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

async function create(entry: BatchEntry, { api, journal }: IssuingParts): Promise<EntryResult> {
  const known = journal.entries.get(entry.identity);
  if (known)
    return { kind: 'issued', entry, document: await readDocument(api, known.accessKey), earlier: true, why: null };
  const { identity, reference, lines } = entry;
  try {
    const idempotencyKey = idempotencyKeyOf(journal.head.id, identity);
    const answer = await api('/v1/documents', { method: 'POST', body: fillSums(entry.body), idempotencyKey });
    const { document } = answer.json<{ document: ShownDocument }>();
    await journal.note(identity, { accessKey: document.accessKey, reference, lines, status: null });
    return { kind: 'issued', entry, document, earlier: answer.replayed, why: null };
  } catch (error) {
    const isAboutDocument =
      error instanceof CommandFailure &&
      ABOUT_THE_DOCUMENT.has(Number(error.members['status'])) &&
      !ABOUT_THE_ISSUER.test(error.code);
    if (isAboutDocument) {
      return { kind: 'rejected', entry, why: tell(error) };
    }
    throw error;
  }
}

async function finish(created: Created, { api, journal, timeoutMs, stop, onResult }: IssuingParts): Promise<void> {
  const { entry, earlier } = created;
  const { accessKey } = await sendDocument(api, created.document);
  const document = await waitForDocument(api, accessKey, { timeoutMs, signal: stop });
  const { identity, reference, lines } = entry;
  await journal.note(identity, { accessKey, reference, lines, status: document.status });
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

function tell({ code, message, members }: CommandFailure): string {
  const errors = (members['errors'] ?? []) as readonly { readonly field: string; readonly message: string }[];
  const told = errors.map(({ field, message: text }) => `${field}: ${text}`).join('; ');
  return `${code}: ${told || message}`;
}
