import { findListFaults } from 'sri-storage-adapters';
import type { Invariant } from './invariant.js';

/** The counts of lists match the documents that they list. */
export const LIST_INVARIANTS: readonly Invariant[] = [
  {
    name: 'lists-count-the-documents',
    find: ({ database }, limit) => database.read((tables) => findListFaults(tables, limit)),
  },
];
