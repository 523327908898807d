import { parseAccessKey } from '../../access-key.js';
import { describeError } from '../../documents/describe-error.js';
import { SriUnavailableError } from '../../errors.js';
import { type FetchedAuthorized, fetchAuthorized } from '../../received/fetch-authorized.js';
import type { ReceivedRow } from '../../received/received-list.js';
import { renderRide } from '../../ride/pdf.js';
import { writeAuthorization } from '../../sri/authorization-file.js';
import type { SriClient } from '../../sri/soap-client.js';
import type { ReceivedFolder } from './folder.js';
import type { ReceivedStatus, ReceivedVerdict } from './outcome.js';
import type { Pace } from './pace.js';

/** What a fetch of many keys needs. */
export interface ListFetch {
  readonly sri: Pick<SriClient, 'authorization' | 'consultation'>;
  readonly pace: Pace;
  readonly folder: Pick<ReceivedFolder, 'saveDocument' | 'note'>;
  readonly signal: AbortSignal;
  /** Called after each key. */
  readonly onVerdict: (verdict: ReceivedVerdict) => void;
}

/**
 * Fetches the document of each key, saves it with its RIDE, and asks whether it is still valid. Stops early when the signal
 * aborts, or when the SRI keeps failing; keys that were not asked have no verdict.
 */
export async function fetchList(rows: readonly ReceivedRow[], fetch: ListFetch): Promise<void> {
  const left = rows.values();
  const paced = { ...fetch, sri: inTurns(fetch) };
  const work = async () => {
    for (const row of left) {
      if (fetch.pace.failuresInRow >= MOST_FAILURES) return;
      const verdict = await fetchOne(row, paced);
      if (!verdict) return;
      await fetch.folder.note(verdict);
      fetch.onVerdict(verdict);
    }
  };
  await Promise.all(Array.from({ length: KEYS_AT_ONCE }, work));
}

// --- internal ---

/** Keys under way at once. */
const KEYS_AT_ONCE = 2;

/** Failures in a row after which the SRI counts as away: some two minutes. */
const MOST_FAILURES = 6;
const TRIES_EACH = 3;

/** Null when the command was stopped before the end. */
async function fetchOne({ accessKey }: ReceivedRow, fetch: ListFetch): Promise<ReceivedVerdict | null> {
  try {
    const found = await fetchAuthorized(accessKey, fetch);
    if (found.outcome === 'authorized') return await save(found, fetch);
    const { outcome } = found;
    const messages = found.outcome === 'notAuthorized' ? found.messages : null;
    const said = messages?.map(({ identifier, message }) => `${identifier} ${message}`).join('; ') ?? null;
    return verdictOf(accessKey, NO_DOCUMENT[outcome], said);
  } catch (error) {
    if (fetch.signal.aborted) return null;
    if (!(error instanceof SriUnavailableError)) throw error;
    return verdictOf(accessKey, 'FAILED', `${describeError(error, 'es')} ${error.message}`);
  }
}

const NO_DOCUMENT = { notAuthorized: 'NOT_AUTHORIZED', inProcess: 'IN_PROCESS', unknown: 'NOT_FOUND' } as const;
const STANDINGS: Readonly<Record<string, ReceivedStatus>> = {
  annulled: 'ANNULLED',
  pendingAnnulment: 'PENDING_ANNULMENT',
};

async function save(found: FetchedAuthorized, fetch: ListFetch): Promise<ReceivedVerdict> {
  const { accessKey, authorization, xml, signature } = found;
  const { environment } = parseAccessKey(accessKey);
  const standing = await fetch.sri.consultation(environment, accessKey, fetch.signal);
  // The service answers for recent months only; without its word the authorization stands.
  const status = STANDINGS[standing.outcome] ?? 'AUTHORIZED';
  const pdf = await renderRide({ xml, authorization, voided: status === 'ANNULLED' });
  await fetch.folder.saveDocument(accessKey, {
    xml: writeAuthorization({ ...authorization, environment, comprobante: xml }),
    pdf,
  });
  const failed = signature.checks.find(({ ok }) => !ok);
  return {
    ...verdictOf(accessKey, status, signature.valid ? null : (failed?.advice?.es ?? 'A la firma le faltan partes.')),
    signatureValid: signature.valid,
    authorizationDate: authorization.date,
  };
}

/** The SRI's client with each call in its turn. The pace counts every answer, even one with an unusable document. */
function inTurns(fetch: ListFetch): ListFetch['sri'] {
  const { sri } = fetch;
  return {
    authorization: (...asked) => inTurn(fetch, () => sri.authorization(...asked)),
    consultation: (...asked) => inTurn(fetch, () => sri.consultation(...asked)),
  };
}

/** One call at its turn, repeated after a failure of the SRI. */
async function inTurn<T>({ pace, signal }: ListFetch, call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    await pace.turn(signal);
    try {
      const answer = await call();
      pace.answered();
      return answer;
    } catch (error) {
      if (!(error instanceof SriUnavailableError)) throw error;
      pace.failed();
      if (tries === TRIES_EACH || pace.failuresInRow >= MOST_FAILURES) throw error;
    }
  }
}

function verdictOf(accessKey: string, status: ReceivedStatus, reason: string | null): ReceivedVerdict {
  return { accessKey, status, signatureValid: null, authorizationDate: null, reason };
}
