import { parseAccessKey } from '../access-key.js';
import type { Effect } from '../documents/document-type.js';
import { DOCUMENT_TYPES, DOCUMENTS } from '../documents/registry.js';
import { formatMoney, parseMoney, sum } from '../money.js';
import { formatDocumentNumber } from '../sequential.js';
import type { Scope, StoredDocument } from '../storage.js';
import { requireDocument } from './change.js';
import type { LifecycleContext } from './context.js';

/** What a document amounts to after the notes on it. */
export interface CreditBalance {
  readonly original: StoredDocument;
  /** The sum of the authorized credit notes; decimal text with two decimals. */
  readonly creditedTotal: string;
  /** The sum of the authorized debit notes; decimal text with two decimals. */
  readonly debitedTotal: string;
  /**
   * The total of the document, plus what was debited, minus what was credited. Negative when more was credited, which the
   * SRI does not prevent.
   */
  readonly remaining: string;
  /** Authorized credit notes only, newest created first. A voided one releases its amount. */
  readonly creditNotes: readonly StoredDocument[];
  /** Authorized debit notes only, newest created first. */
  readonly debitNotes: readonly StoredDocument[];
}

/**
 * Adds up the credit notes and debit notes of a document. A guard, not a lock: notes under way do not count.
 *
 * @param issuerIds the issuers to search; another issue point may modify the document.
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
  const found = await context.storage.documentsThatModify(issuerIds, modified, { types: WITH_EFFECT });
  // Two taxpayers may have documents with the same number.
  const notes = found.filter((note) => parseAccessKey(note.accessKey).ruc === ruc);
  const creditNotes = notes.filter(hasEffect('credit'));
  const debitNotes = notes.filter(hasEffect('charge'));
  const [credited, debited] = [totalOf(creditNotes), totalOf(debitNotes)];
  return {
    original,
    creditedTotal: formatMoney(credited),
    debitedTotal: formatMoney(debited),
    remaining: formatMoney(totalOf([original]) + debited - credited),
    creditNotes,
    debitNotes,
  };
}

// --- internal ---

/** The types that change the issuer's sales. Those of them that modify a document are its notes. */
const WITH_EFFECT = DOCUMENT_TYPES.filter((code) => DOCUMENTS[code].effect !== 'none');

function hasEffect(effect: Effect): (document: StoredDocument) => boolean {
  return ({ documentType }) => DOCUMENTS[documentType].effect === effect;
}

function totalOf(documents: readonly StoredDocument[]): bigint {
  return sum(documents.map(({ total }) => parseMoney(total)));
}
