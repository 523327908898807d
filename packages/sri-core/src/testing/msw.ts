import type { Simulator } from '../sri/simulator/simulator.js';
import { SRI_URLS } from '../sri/soap-client.js';

/** The used part of MSW's `http`, so that its types are not a dependency. */
export interface MswHttp<Handler> {
  all(path: string, resolver: (info: { request: Request }) => Promise<Response>): Handler;
}

/**
 * Request handlers for MSW that answer for both hosts of the SRI, so that code under test can keep its URLs. They see
 * requests of the global `fetch` and of `node:http`. The default transport calls undici directly and bypasses MSW: give the
 * engine `transport: (request) => fetch(request)`, or the simulator itself. A `fetch` captured before MSW listens is not
 * intercepted.
 *
 * @param http MSW's `http`.
 */
export function sriHandlers<Handler>(http: MswHttp<Handler>, simulator: Simulator): Handler[] {
  return Object.values(SRI_URLS).map((url) =>
    http.all(`${url}/*`, async ({ request }) => {
      try {
        return await simulator.handle(request);
      } catch {
        // MSW turns this into the network error of a rejected simulator call.
        return Response.error();
      }
    }),
  );
}
