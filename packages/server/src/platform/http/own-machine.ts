import { toPlainAddress } from './client-address.js';
import type { Exchange } from './exchange.js';

/**
 * Whether a program on the server's own machine asks, and asks for this machine by name: a page from elsewhere may have its
 * own name lead here. A proxy there speaks for others, so that what it hands on comes from elsewhere, whatever
 * `TRUST_PROXY` says.
 */
export function isFromThisMachine(exchange: Pick<Exchange, 'header' | 'socketAddress'>): boolean {
  const isHandedOn = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some(
    (name) => exchange.header(name) !== null,
  );
  const isOwnName = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(exchange.header('host') ?? '');
  const address = toPlainAddress(exchange.socketAddress ?? '') ?? '';
  return !isHandedOn && isOwnName && (address === '::1' || /^127\./.test(address));
}
