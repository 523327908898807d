import { Refusal } from '../errors/refusal.js';
import type { BodyShare } from './body-budget.js';
import { type BodyFault, type BodyReading, incomingOf, readIncoming } from './read-incoming.js';

/**
 * Reads a body of at most `limit` bytes.
 * @param share the budget that holds its bytes until the request is answered.
 * @throws Refusal PAYLOAD_TOO_LARGE; SERVICE_UNAVAILABLE if too many bytes of bodies are in memory; REQUEST_TIMEOUT if
 * it arrives too slowly; BAD_REQUEST if it has no end.
 */
export async function readBytes(request: Request, limit: number, share: BodyShare): Promise<Uint8Array> {
  const reading = { limit, share };
  const incoming = incomingOf(request);
  const read = incoming ? readIncoming(incoming, reading) : readStream(request, reading);
  const bytes = await read.catch((cause: unknown) => {
    // The client disconnected, or never sent the end.
    throw new Refusal('BAD_REQUEST', { reason: 'MALFORMED_REQUEST', cause });
  });
  if (typeof bytes === 'string') throw refusalOf(bytes, limit);
  return bytes;
}

// --- internal ---

function refusalOf(fault: BodyFault, limit: number): Refusal {
  if (fault === 'noRoom') return new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 });
  // More of the body may arrive, so the connection cannot be reused.
  const headers = { connection: 'close' };
  if (fault === 'tooSlow') return new Refusal('REQUEST_TIMEOUT', { headers });
  return new Refusal('PAYLOAD_TOO_LARGE', { params: { limit }, headers });
}

/** As `readIncoming`, if another program holds the socket; discards the rest. */
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
