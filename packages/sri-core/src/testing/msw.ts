import type { Simulator } from '../sri/simulator/simulator.js';
import { SRI_URLS } from '../sri/soap-client.js';

/** The part of MSW's `http` that is used; its own types are not needed for it. */
export interface MswHttp<Handler> {
  all(path: string, resolver: (info: { request: Request }) => Promise<Response>): Handler;
}

/**
 * Request handlers for MSW that answer for both hosts of the SRI, so that code under test can keep its URLs. They see
 * what goes through the global `fetch` or `node:http`; undici's own calls, and so the default transport, go past MSW:
 * give the engine `transport: (request) => fetch(request)` (a `fetch` taken before MSW listens is not the one it
 * watches), or the simulator itself.
 *
 * @param http MSW's `http`.
 */
export function sriHandlers<Handler>(http: MswHttp<Handler>, simulator: Simulator): Handler[] {
  return Object.values(SRI_URLS).map((url) =>
    http.all(`${url}/*`, async ({ request }) => {
      try {
        return await simulator.handle(request);
      } catch {
        // What MSW turns into the network error that a rejection of the simulator stands for.
        return Response.error();
      }
    }),
  );
}
