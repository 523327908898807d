import { findListFaults } from 'sri-storage-adapters';
import { BILLING_INVARIANTS } from './billing.js';
import { DOCUMENT_INVARIANTS } from './documents.js';
import type { Invariant, InvariantDeps, Violation } from './invariant.js';
import { MESSAGE_INVARIANTS } from './messages.js';
import { NUMBER_INVARIANTS } from './numbers.js';
import { ORPHAN_INVARIANTS } from './orphans.js';
import { SECRET_INVARIANTS } from './secrets.js';
import { SIGNATURE_INVARIANTS } from './signatures.js';

/** All invariants of stored data, family by family. */
export const INVARIANTS: readonly Invariant[] = [
  ...NUMBER_INVARIANTS,
  ...DOCUMENT_INVARIANTS,
  ...MESSAGE_INVARIANTS,
  {
    // The counts of lists match the documents that they list.
    name: 'lists-count-the-documents',
    find: ({ database }, limit) => database.read((tables) => findListFaults(tables, limit)),
  },
  ...ORPHAN_INVARIANTS,
  ...BILLING_INVARIANTS,
  ...SECRET_INVARIANTS,
  ...SIGNATURE_INVARIANTS,
];

/** How much to report. */
export interface InvariantOptions {
  /** Rows to report for each invariant; one more row says that there are others. Default 20. */
  readonly mostOfEach?: number;
  /** Called before each check. */
  readonly onInvariant?: (name: string) => void;
}

/**
 * Searches a database for states that should not be possible, whatever happened to its servers. Writes nothing, holds a
 * page of rows in memory at a time, and may run while servers work.
 * @returns the findings; empty if there are none.
 * @throws StorageUnavailableError
 */
export async function checkInvariants(
  parts: InvariantDeps,
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
