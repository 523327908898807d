import { urlToHttpOptions } from 'node:url';
import type { buildConnector } from 'undici';

/** Wraps a connector so that each connection goes through a tunnel. */
export type Tunnel = (connect: buildConnector.connector, timeoutMs: number) => Promise<buildConnector.connector>;

/**
 * Tunnels through an HTTP proxy, opened with CONNECT within `timeoutMs`. The wrapped connector speaks TLS with the SRI
 * inside it: the proxy sees the SRI's host and port, and no document.
 *
 * @param proxy `http://host:port`, with `user:password@` if it asks for them.
 * @throws TypeError for another kind of address.
 */
export function tunnelThrough(proxy: string): Tunnel {
  const { auth, ...address } = urlToHttpOptions(new URL(proxy));
  if (address.protocol !== 'http:') throw new TypeError('proxy must be an address such as http://host:port.');
  const credentials = auth ? { 'proxy-authorization': `Basic ${Buffer.from(auth).toString('base64')}` } : {};
  return async (connect, timeoutMs) => {
    // Loads undici's copy inside Node as well, so it is not loaded where there is no proxy.
    const { request } = await import('node:http');
    return (target, callback) => {
      const isSecure = target.protocol === 'https:';
      const place = `${target.hostname}:${target.port || (isSecure ? 443 : 80)}`;
      const headers = { host: place, ...credentials };
      const opening = request({ ...address, method: 'CONNECT', path: place, headers, agent: false });
      const timer = setTimeout(
        () => opening.destroy(Object.assign(new Error('No tunnel in time.'), { code: 'ETIMEDOUT' })),
        timeoutMs,
      );
      opening
        .once('close', () => clearTimeout(timer))
        .once('error', (error) => {
          const code = 'code' in error ? String(error.code) : error.name;
          callback(failure('No tunnel through the proxy.', code, error), null);
        })
        .once('connect', ({ statusCode }, socket) => {
          clearTimeout(timer);
          if (statusCode === 200) {
            if (isSecure) connect({ ...target, httpSocket: socket }, callback);
            else callback(null, socket);
            return;
          }
          socket.destroy();
          callback(failure(`The proxy answered ${statusCode} to CONNECT ${place}.`, `HTTP_${statusCode}`), null);
        })
        .end();
    };
  };
}

// --- internal ---

/** A failure of the proxy, not of the SRI. */
function failure(message: string, code: string, cause?: Error): Error {
  return Object.assign(new Error(message, { cause }), { code: `PROXY_${code}` });
}
