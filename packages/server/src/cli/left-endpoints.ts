import type { Client } from 'sri-core/client';

/** The path of `webhooks listen` on this machine. It distinguishes its endpoints from those of other programs. */
export const LISTEN_PATH = '/sri-server-webhooks-listen';

/**
 * Removes the endpoints that a killed `webhooks listen` left behind: those on this machine without a listener.
 * @returns the number of removed endpoints.
 */
export async function removeLeftEndpoints({ webhooks }: Client): Promise<number> {
  const own = (await webhooks.list()).filter(({ url }) => isOfListen(url));
  const answering = await Promise.all(own.map(({ url }) => isAnswered(url)));
  const left = own.filter((_, index) => !answering[index]);
  for (const { id } of left) await webhooks.remove(id);
  return left.length;
}

// --- internal ---

const PATIENCE_MS = 2_000;

function isOfListen(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return hostname === '127.0.0.1' && pathname === LISTEN_PATH;
}

/** Whether another `webhooks listen` still runs; another program on its port answers something else. */
async function isAnswered(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
    return response.headers.get('x-listening') === LISTEN_PATH;
  } catch {
    return false;
  }
}
