import type { Clock } from '../clock.js';
import { SriUnavailableError } from '../errors.js';
import type { XmlElement } from '../xml/reader.js';
import { collectBody, decodeAnswer, MAX_ANSWER_BYTES } from './answer-body.js';
import { toUnavailable } from './network-failure.js';
import { readSoap, type SoapOperation, type SoapReading } from './soap.js';
import type { Transport } from './transport.js';
import { untilAborted } from './until-aborted.js';

/** The parameters of one call. */
export interface SoapCall {
  readonly transport: Transport;
  readonly clock: Clock;
  /** From the call to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly operation: SoapOperation;
  /** Up to and including `/comprobantes-electronicos-ws`. */
  readonly baseUrl: string;
  readonly envelope: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * One SOAP call: one request, one answer, no retry.
 *
 * @returns the element with the answer.
 * @throws SriUnavailableError without a usable answer; the signal's reason when the caller aborts.
 */
export async function callSoap(call: SoapCall): Promise<XmlElement> {
  const finished = new AbortController();
  // One signal for everything that ends a call, aborted by hand: `AbortSignal.any` takes several times its memory.
  const cut = new AbortController();
  const giveUp = () => cut.abort(call.signal?.reason);
  if (call.signal?.aborted) giveUp();
  else call.signal?.addEventListener('abort', giveUp, { once: true });
  let isLate = false;
  call.clock.sleep(call.timeoutMs, finished.signal).then(
    () => {
      isLate = true;
      cut.abort(new DOMException('No whole answer in time.', 'TimeoutError'));
    },
    () => {},
  );
  try {
    // A transport that ignores its signal must not block the caller.
    return await Promise.race([exchange(call, cut.signal), untilAborted(cut.signal)]);
  } catch (error) {
    call.signal?.throwIfAborted();
    throw error instanceof SriUnavailableError ? error : toUnavailable(isLate ? cut.signal.reason : error);
  } finally {
    call.signal?.removeEventListener('abort', giveUp);
    finished.abort(OVER);
  }
}

// --- internal ---

/** The abort reason of the timeout wait. It is created once: the platform's default reason would capture a stack every time. */
const OVER = 'over';

async function exchange(call: SoapCall, signal: AbortSignal): Promise<XmlElement> {
  signal.throwIfAborted();
  const response = await call.transport(
    new Request(`${call.baseUrl.replace(/\/+$/, '')}/${call.operation.service}`, {
      method: 'POST',
      headers: {
        'content-type': 'text/xml; charset=utf-8',
        soapaction: '""',
        accept: 'text/xml',
        'accept-encoding': 'identity',
        'user-agent': 'sri-core',
      },
      body: call.envelope,
      redirect: 'manual',
      signal,
    }),
  );
  const bytes = await readWhole(response, signal);
  const text = bytes === null ? null : decodeAnswer(bytes, response.headers.get('content-type'));
  const reading: SoapReading =
    text === null
      ? { kind: 'other', reason: 'The answer is not text of a known encoding.' }
      : readSoap(text, call.operation);
  if (response.ok && reading.kind === 'answer') return reading.answer;
  throw unusable(response, reading);
}

/** The body; null when it broke under a status that already shows the failure. */
async function readWhole(response: Response, signal: AbortSignal): Promise<Uint8Array | null> {
  try {
    return await collectBody(response.body, MAX_ANSWER_BYTES, signal);
  } catch (error) {
    if (response.ok || signal.aborted) throw error;
    return null;
  }
}

/** An HTTP answer came, so the request may have been processed, even if the answer is unusable. */
function unusable(response: Response, reading: SoapReading): SriUnavailableError {
  const fault = reading.kind === 'fault' ? ` SOAP fault: ${reading.text}` : '';
  const reason = reading.kind === 'other' ? ` ${reading.reason}` : fault;
  const message = response.ok
    ? `The SRI's answer cannot be used.${reason}`
    : `The SRI answered HTTP ${response.status}.${fault}`;
  // A fault under status 200, or a status outside HTTP, must not be recorded as a success.
  const status = response.status < 300 ? 502 : response.status;
  return new SriUnavailableError(message, { httpStatus: `HTTP_${status}`, mayHaveArrived: true, network: false });
}
