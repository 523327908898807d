import { parseAccessKey } from '../access-key.js';
import { DOCUMENT_TYPES, DOCUMENTS } from '../documents/registry.js';
import { formatDecimal, MONEY_SCALE, parseDecimal, sum } from '../money.js';
import { formatDocumentNumber } from '../sequential.js';
import type { Scope, StoredDocument } from '../storage.js';
import { requireDocument } from './change.js';
import type { LifecycleContext } from './context.js';

/** The credited amount of a document. */
export interface CreditBalance {
  readonly original: StoredDocument;
  /** The sum of the authorized credit notes; decimal text with two decimals. */
  readonly creditedTotal: string;
  /** The rest of the document; negative when more was credited, which the SRI does not prevent. */
  readonly remaining: string;
  /** Authorized credit notes only, newest created first. A voided one releases its amount. */
  readonly creditNotes: readonly StoredDocument[];
}

/**
 * Adds up the credit notes of a document. A guard, not a lock: notes under way do not count.
 *
 * @param issuerIds the issuers to search; another issue point may credit the document.
 * @throws DocumentNotFoundError
 */
export async function creditBalance(
  context: LifecycleContext,
  scope: Scope,
  accessKey: string,
  issuerIds: readonly string[],
): Promise<CreditBalance> {
  const original = await requireDocument(context, scope, accessKey);
  const { ruc, branchCode, issuePointCode } = parseAccessKey(original.accessKey);
  const modified = {
    environment: scope.environment,
    documentType: original.documentType,
    number: formatDocumentNumber(branchCode, issuePointCode, original.sequential),
  };
  const found = await context.storage.documentsThatModify(issuerIds, modified, { types: CREDITS });
  // Two taxpayers may have documents with the same number.
  const creditNotes = found.filter((note) => parseAccessKey(note.accessKey).ruc === ruc);
  const credited = sum(creditNotes.map(({ total }) => parseDecimal(total, MONEY_SCALE)));
  const remaining = parseDecimal(original.total, MONEY_SCALE) - credited;
  return {
    original,
    creditedTotal: formatDecimal(credited, MONEY_SCALE),
    remaining: formatDecimal(remaining, MONEY_SCALE),
    creditNotes,
  };
}

// --- internal ---

/** The types that subtract from the issuer's sales. */
const CREDITS = DOCUMENT_TYPES.filter((code) => DOCUMENTS[code].effect === 'credit');
