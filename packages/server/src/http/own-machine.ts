import { toPlainAddress } from './client-address.js';
import type { Exchange } from './exchange.js';

/**
 * Whether a program on the server's own machine asks. A proxy there speaks for others, so that what it hands on comes from
 * elsewhere, whatever `TRUST_PROXY` says.
 */
export function isFromThisMachine(exchange: Pick<Exchange, 'header' | 'socketAddress'>): boolean {
  const isHandedOn = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some(
    (name) => exchange.header(name) !== null,
  );
  const address = toPlainAddress(exchange.socketAddress ?? '') ?? '';
  return !isHandedOn && (address === '::1' || /^127\./.test(address));
}
