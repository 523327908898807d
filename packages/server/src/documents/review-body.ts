import { ecuadorDate, prepareDocument, ValidationError } from 'sri-core';
import type { Exchange } from '../platform/http/exchange.js';

/**
 * Judges a creation body by what holds whoever the issuer is; a body that is fine says nothing.
 *
 * @throws ValidationError
 */
export function requireValidBody({ services }: Exchange, body: unknown): void {
  const { config, clock } = services;
  try {
    prepareDocument(body, {
      issuer: SOMEBODY,
      today: ecuadorDate(clock.now()),
      strict: config.documentStrict,
      requireAmounts: true,
    });
  } catch (error) {
    if (error instanceof ValidationError) throw error;
  }
}

// --- internal ---

const SOMEBODY = {
  ruc: '9999999999001',
  businessName: '-',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: false,
};
