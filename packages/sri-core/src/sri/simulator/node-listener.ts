import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { collectBody } from '../answer-body.js';
import type { Transport } from '../transport.js';

/**
 * Serves a transport with `node:http`, so that a simulator is reachable over a socket. When the transport rejects, the
 * client's connection breaks. When the client disconnects, the request is aborted.
 */
export function toNodeListener(transport: Transport): RequestListener {
  return (incoming, outgoing) => {
    answer(transport, incoming, outgoing).catch(() => outgoing.destroy());
  };
}

// --- internal ---

const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

async function answer(transport: Transport, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort(new Error('The client has closed the connection.')));
  const { method = 'GET' } = incoming;
  const body =
    method === 'GET' || method === 'HEAD' ? null : Buffer.from(await collectBody(incoming, MAX_REQUEST_BYTES));
  const request = new Request(`http://${incoming.headers.host ?? 'localhost'}${incoming.url ?? '/'}`, {
    method,
    headers: toHeaders(incoming),
    body,
    signal: gone.signal,
  });
  const response = await transport(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

function toHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}
