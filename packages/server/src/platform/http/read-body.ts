import { Refusal } from '../errors/refusal.js';
import type { BodyShare } from './body-budget.js';
import { type BodyFault, type BodyReading, incomingOf, readIncoming } from './read-incoming.js';

/**
 * Reads a body of at most `limit` bytes.
 *
 * @param share what its bytes are counted to until the request is answered.
 * @throws Refusal PAYLOAD_TOO_LARGE; SERVICE_UNAVAILABLE when too many bytes of bodies are kept already; REQUEST_TIMEOUT
 * when it comes too slowly; BAD_REQUEST when it has no end.
 */
export async function readBytes(request: Request, limit: number, share: BodyShare): Promise<Uint8Array> {
  const reading = { limit, share };
  const incoming = incomingOf(request);
  const read = incoming ? readIncoming(incoming, reading) : readStream(request, reading);
  const bytes = await read.catch((cause: unknown) => {
    // The client went away, or never sent the end.
    throw new Refusal('BAD_REQUEST', { reason: 'MALFORMED_REQUEST', cause });
  });
  if (typeof bytes === 'string') throw refusalOf(bytes, limit);
  return bytes;
}

// --- internal ---

function refusalOf(fault: BodyFault, limit: number): Refusal {
  if (fault === 'noRoom') return new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 });
  // There may be more of the body to come, so that the connection cannot be used again.
  const headers = { connection: 'close' };
  if (fault === 'tooSlow') return new Refusal('REQUEST_TIMEOUT', { headers });
  return new Refusal('PAYLOAD_TOO_LARGE', { params: { limit }, headers });
}

/** As `readIncoming`, where another program holds the socket, and throws away what is left. */
async function readStream(request: Request, { limit, share }: BodyReading): Promise<Uint8Array | BodyFault> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return 'tooLarge';
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, size);
    size += value.byteLength;
    const isTooLarge = size > limit;
    if (isTooLarge || !share.take(value.byteLength)) {
      share.release();
      reader.cancel().catch(() => {});
      return isTooLarge ? 'tooLarge' : 'noRoom';
    }
    chunks.push(value);
  }
}
