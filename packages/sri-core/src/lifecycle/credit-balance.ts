import { parseAccessKey } from '../access-key.js';
import { DOCUMENT_TYPES, DOCUMENTS } from '../documents/registry.js';
import { formatDecimal, MONEY_SCALE, parseDecimal, sum } from '../money.js';
import { formatDocumentNumber } from '../sequential.js';
import type { Scope, StoredDocument } from '../storage.js';
import { requireDocument } from './change.js';
import type { LifecycleContext } from './context.js';

/** How much of a document has been credited. */
export interface CreditBalance {
  readonly original: StoredDocument;
  /** What the authorized credit notes add up to; decimal text with two decimals. */
  readonly creditedTotal: string;
  /** What is left of the document; negative when more was credited, which the SRI does not prevent. */
  readonly remaining: string;
  /** Authorized ones only, newest created first. A voided one gives its amount back. */
  readonly creditNotes: readonly StoredDocument[];
}

/**
 * Adds up the credit notes of a document. A guard and no lock: notes that are still on their way do not count.
 *
 * @param issuerIds where credit notes are looked for; a document may be credited from another issue point.
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
  // Two taxpayers may have documents of one number.
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

/** The types that take from what the issuer has sold. */
const CREDITS = DOCUMENT_TYPES.filter((code) => DOCUMENTS[code].effect === 'credit');
