import { ecuadorDate, prepareDocument } from 'sri-core';
import type { Exchange } from '../platform/http/exchange.js';

/**
 * Validates a creation body without its issuer. Throws if it is invalid.
 *
 * @throws ValidationError
 */
export function requireValidBody({ services }: Exchange, body: unknown): void {
  const { config, clock } = services;
  prepareDocument(body, {
    issuer: SOMEBODY,
    today: ecuadorDate(clock.now()),
    strict: config.documentStrict,
    requireAmounts: true,
  });
}

// --- internal ---

const SOMEBODY = {
  ruc: '9999999999001',
  businessName: '-',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: false,
};
