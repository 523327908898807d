import type { IncomingMessage } from 'node:http';
import type { BodyShare } from './body-budget.js';

/** The message of Node behind a web request; null without one, as for a request created in this process. */
export function incomingOf(request: Request): IncomingMessage | null {
  const { runtime } = request as { readonly runtime?: { readonly node?: { readonly req?: IncomingMessage } } };
  return runtime?.node?.req ?? null;
}

/** Why a body is not read: it is too large, there is no memory for it, or it arrives too slowly. */
export type BodyFault = 'tooLarge' | 'noRoom' | 'tooSlow';

/** Options of reading a body. */
export interface BodyReading {
  /** The limit in bytes. */
  readonly limit: number;
  readonly share: BodyShare;
}

/**
 * Reads a body from the socket. A web stream around it would cost more than all other work on a body of usual size.
 * @param slowMs in each such span at least `SLOW_BYTES` have to arrive.
 * @throws Error if the client disconnects, or never sends the end.
 */
export function readIncoming(
  message: IncomingMessage,
  { limit, share }: BodyReading,
  slowMs = SLOW_MS,
): Promise<Buffer | BodyFault> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let sizeBefore = 0;
    let isThrownAway = false;
    let deadline: NodeJS.Timeout | undefined;
    const settle = () => {
      clearInterval(watch);
      clearTimeout(deadline);
      message.off('data', take).off('end', end).off('error', fail).off('close', close);
    };
    const stop = (fault: BodyFault) => {
      settle();
      share.release();
      // Drained rather than left in the socket: closing it with unread bytes could cost the client its answer.
      if (fault === 'noRoom') dropSlowly(message);
      else message.resume();
      resolve(fault);
    };
    const take = (chunk: Buffer) => {
      size += chunk.byteLength;
      if (isThrownAway) {
        if (size > MOST_THROWN_AWAY) stop('tooLarge');
      } else if (size > limit) throwAway();
      else if (share.take(chunk.byteLength)) chunks.push(chunk);
      else stop('noRoom');
    };
    const throwAway = () => {
      isThrownAway = true;
      chunks = [];
      share.release();
      clearInterval(watch);
      watch = setInterval(look, QUIET_MS);
      deadline = setTimeout(() => stop('tooLarge'), LONGEST_THROWN_AWAY_MS);
    };
    const end = () => {
      settle();
      const [only] = chunks;
      if (isThrownAway) resolve('tooLarge');
      else resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks, size));
    };
    const fail = (error: Error) => {
      settle();
      share.release();
      // No other listener handles the errors of a closed connection.
      message.on('error', () => {});
      reject(error);
    };
    const close = () => fail(new Error('The connection ended before the body did.'));
    const look = () => {
      if (isThrownAway && size === sizeBefore) stop('tooLarge');
      else if (!isThrownAway && size - sizeBefore < SLOW_BYTES) stop('tooSlow');
      sizeBefore = size;
    };
    let watch = setInterval(look, slowMs);
    if (message.destroyed || message.readableEnded) {
      clearInterval(watch);
      reject(new Error('The body is gone.'));
      return;
    }
    const announced = Number(message.headers['content-length'] ?? 0);
    if (announced > MOST_THROWN_AWAY) {
      stop('tooLarge');
      return;
    }
    if (announced > limit) throwAway();
    message.on('data', take).on('end', end).on('error', fail).on('close', close);
  });
}

// --- internal ---

/** Drops the rest, with a pause after each piece: a client that sends too much sends no faster. */
function dropSlowly(message: IncomingMessage): void {
  message.on('data', () => {
    message.pause();
    setTimeout(() => message.resume(), DROP_REST_MS);
  });
  message.resume();
}

const DROP_REST_MS = 50;

/**
 * A body that is too large is read on and discarded for this many bytes: a client that still sends does not read an
 * answer.
 */
const MOST_THROWN_AWAY = 32 * 1024 * 1024;
/** And for at most this long. */
const LONGEST_THROWN_AWAY_MS = 10_000;
const SLOW_MS = 5_000;
/** A client that is silent this long while its body is discarded waits for the answer. */
const QUIET_MS = 500;
/** A kibibyte a second. */
const SLOW_BYTES = 5 * 1024;
