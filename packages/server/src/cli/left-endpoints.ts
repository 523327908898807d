import type { ApiClient } from './client/api-client.js';

/** An endpoint of the account, as the server lists it. */
export interface ListedEndpoint {
  readonly id: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly active: boolean;
  readonly createdAt: string;
}

/** Where `webhooks listen` receives on this machine. Its path tells its endpoints from those of other programs. */
export const LISTEN_PATH = '/sri-server-webhooks-listen';

/** The endpoints of the account. */
export async function listEndpoints(api: ApiClient): Promise<readonly ListedEndpoint[]> {
  return (await api('/v1/webhooks')).json<{ endpoints: readonly ListedEndpoint[] }>().endpoints;
}

/**
 * Removes what a `webhooks listen` that was killed has left: endpoints of its own to this machine, behind which nothing
 * listens any more.
 *
 * @returns how many those were.
 */
export async function removeLeftEndpoints(api: ApiClient): Promise<number> {
  const own = (await listEndpoints(api)).filter(({ url }) => isOfListen(url));
  const answering = await Promise.all(own.map(({ url }) => isAnswered(url)));
  const left = own.filter((_, index) => !answering[index]);
  for (const { id } of left) await api(`/v1/webhooks/${id}`, { method: 'DELETE' });
  return left.length;
}

// --- internal ---

const PATIENCE_MS = 2_000;

function isOfListen(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return hostname === '127.0.0.1' && pathname === LISTEN_PATH;
}

/** Whether another `webhooks listen` is still there; another program that took its port answers something else. */
async function isAnswered(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
    return response.headers.get('x-listening') === LISTEN_PATH;
  } catch {
    return false;
  }
}
