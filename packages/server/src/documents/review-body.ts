import { ecuadorDate } from 'sri-core';
import type { Exchange } from '../platform/http/exchange.js';
import { prepareWithoutIssuer } from './prepare-without-issuer.js';

/**
 * Validates a creation body without its issuer. Throws if it is invalid.
 *
 * @throws ValidationError
 */
export function requireValidBody({ services }: Exchange, body: unknown): void {
  const { config, clock } = services;
  prepareWithoutIssuer(body, {
    today: ecuadorDate(clock.now()),
    strict: config.documentStrict,
    requireAmounts: true,
  });
}
