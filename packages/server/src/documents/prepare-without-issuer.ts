import { type PrepareContext, type PreparedDocument, prepareDocument } from 'sri-core';

/**
 * Prepares a creation body whose issuer is not known. What depends on the issuer alone is not checked.
 *
 * @throws ValidationError
 */
export function prepareWithoutIssuer(body: unknown, context: Omit<PrepareContext, 'issuer'>): PreparedDocument {
  return prepareDocument(body, { ...context, issuer: SOMEBODY });
}

// --- internal ---

const SOMEBODY = {
  ruc: '9999999999001',
  businessName: '-',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: false,
};
