import { ecuadorDate, type IsoDate } from 'sri-core';
import type { Exchange } from '../platform/http/exchange.js';
import { prepareWithoutIssuer } from './prepare-without-issuer.js';

/**
 * Validates a creation body without its issuer. Throws if it is invalid.
 *
 * @param day of issue; default today.
 * @throws ValidationError
 */
export function requireValidBody({ services }: Exchange, body: unknown, day?: IsoDate): void {
  const { config, clock } = services;
  prepareWithoutIssuer(body, {
    today: day ?? ecuadorDate(clock.now()),
    strict: config.documentStrict,
    requireAmounts: true,
  });
}
