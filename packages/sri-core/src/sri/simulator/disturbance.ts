import { untilAborted } from '../until-aborted.js';
import { htmlPage, soapFault, soapResponse } from './wire.js';

/** A fault between the SRI's decision and the caller, or before the decision. */
export type Disturbance =
  /** No fault: the request is processed as usual. For scripts that fail later. */
  | { readonly kind: 'none' }
  /** A custom answer, such as a captured one. */
  | { readonly kind: 'answer'; readonly body: string; readonly status?: number; readonly contentType?: string }
  /** A page of HTML, as from a proxy. */
  | { readonly kind: 'http'; readonly status: number }
  /** A SOAP server fault, HTTP 500. */
  | { readonly kind: 'fault' }
  /** No answer until the caller gives up. */
  | { readonly kind: 'silence' }
  /** No connection: the request does not arrive. */
  | { readonly kind: 'unreachable' }
  /** The request is processed, then the connection breaks before the answer. */
  | { readonly kind: 'answerLost' };

/** The error of a broken connection, with the code of Node's sockets. */
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

/** Answers under a disturbance. `work` produces the regular answer. */
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
      return untilAborted(request.signal);
    case 'unreachable':
      throw new SimulatedNetworkError('ECONNREFUSED');
    case 'answerLost':
      await work();
      throw new SimulatedNetworkError('ECONNRESET');
  }
}
