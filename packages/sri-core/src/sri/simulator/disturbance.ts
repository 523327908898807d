import { htmlPage, soapFault, soapResponse } from './wire.js';

/** How an answer can go wrong between the SRI's decision and the caller, or before it. */
export type Disturbance =
  /** Nothing is wrong: the request is worked on as usual. For scripts that fail later. */
  | { readonly kind: 'none' }
  /** An answer of one's own, such as a captured one. */
  | { readonly kind: 'answer'; readonly body: string; readonly status?: number; readonly contentType?: string }
  /** A page of HTML, as a proxy sends it. */
  | { readonly kind: 'http'; readonly status: number }
  /** A SOAP fault of the server's kind, HTTP 500. */
  | { readonly kind: 'fault' }
  /** No answer until the caller gives up. */
  | { readonly kind: 'silence' }
  /** No connection: nothing arrives. */
  | { readonly kind: 'unreachable' }
  /** The request is worked on, and then the connection breaks before the answer. */
  | { readonly kind: 'answerLost' };

/** What a broken connection throws; the code is what Node's sockets give. */
export class SimulatedNetworkError extends Error {
  readonly code: 'ECONNREFUSED' | 'ECONNRESET';

  constructor(code: 'ECONNREFUSED' | 'ECONNRESET') {
    super(`The simulated connection failed (${code}).`);
    this.code = code;
  }

  override get name(): string {
    return 'SimulatedNetworkError';
  }
}

/** Answers under a disturbance. `work` is what would have happened without it. */
export async function disturb(
  disturbance: Disturbance,
  request: Request,
  work: () => Promise<Response>,
): Promise<Response> {
  switch (disturbance.kind) {
    case 'none':
      return work();
    case 'answer': {
      const response = soapResponse(disturbance.body, disturbance.status);
      if (disturbance.contentType !== undefined) response.headers.set('content-type', disturbance.contentType);
      return response;
    }
    case 'http':
      return htmlPage(disturbance.status);
    case 'fault':
      return soapFault('The simulated service has failed.', 'Server');
    case 'silence':
      return silence(request.signal);
    case 'unreachable':
      throw new SimulatedNetworkError('ECONNREFUSED');
    case 'answerLost':
      await work();
      throw new SimulatedNetworkError('ECONNRESET');
  }
}

// --- internal ---

function silence(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}
