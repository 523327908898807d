import { BILLING_INVARIANTS } from './billing.js';
import { DOCUMENT_INVARIANTS } from './documents.js';
import type { Invariant, InvariantParts, Violation } from './invariant.js';
import { LIST_INVARIANTS } from './lists.js';
import { NUMBER_INVARIANTS } from './numbers.js';
import { ORPHAN_INVARIANTS } from './orphans.js';
import { SECRET_INVARIANTS } from './secrets.js';
import { SIGNATURE_INVARIANTS } from './signatures.js';
import { TELLING_INVARIANTS } from './told-to-people.js';

/** Everything that holds of what is stored, family by family. */
export const INVARIANTS: readonly Invariant[] = [
  ...NUMBER_INVARIANTS,
  ...DOCUMENT_INVARIANTS,
  ...TELLING_INVARIANTS,
  ...LIST_INVARIANTS,
  ...ORPHAN_INVARIANTS,
  ...BILLING_INVARIANTS,
  ...SECRET_INVARIANTS,
  ...SIGNATURE_INVARIANTS,
];

/** How much is told. */
export interface InvariantOptions {
  /** Rows that are told of each invariant; that there are more is told as one. Default 20. */
  readonly mostOfEach?: number;
  /** Told before each invariant is looked at. */
  readonly onInvariant?: (name: string) => void;
}

/**
 * Looks for what should not be possible in a database, whatever happened to the servers on it. Writes nothing, holds a
 * page of rows in memory at a time, and may run while servers work.
 *
 * @returns what it found; empty when all is well.
 * @throws StorageUnavailableError
 */
export async function checkInvariants(
  parts: InvariantParts,
  { mostOfEach = 20, onInvariant }: InvariantOptions = {},
): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  for (const { name, find } of INVARIANTS) {
    onInvariant?.(name);
    const broken = await find(parts, mostOfEach + 1);
    violations.push(...broken.slice(0, mostOfEach).map((row) => ({ invariant: name, ...row })));
    if (broken.length > mostOfEach) {
      violations.push({ invariant: name, object: 'others', explanation: 'there are more that break it' });
    }
  }
  return violations;
}
