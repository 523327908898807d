import { describeFailure, ecuadorDate, prepareDocument, ValidationError } from 'sri-core';
import { say } from 'sri-core/cli';
import type { BatchEntry } from './batch-entry.js';

/** What is wrong with an entry before the server is asked, in one line; null when nothing is seen. */
export function findFault({ errors, body }: BatchEntry, language: 'es' | 'en'): string | null {
  if (errors.length > 0) return errors.map(({ field, message }) => `${field}: ${say(message, language)}`).join(' ');
  try {
    prepareDocument(body, { issuer: SOMEBODY, today: ecuadorDate(new Date()), strict: false });
    return null;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.failures.map((failure) => `${failure.field}: ${describeFailure(failure, language)}`).join(' ');
  }
}

// --- internal ---

/** What the issuer says of itself decides nothing that is looked at here. */
const SOMEBODY = {
  ruc: '9999999999001',
  businessName: '-',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: false,
};
