import type { Transitions } from '../platform/transitions.js';

/** The status of a proof file: shown to its account, or taken back by it and kept for the operator. */
export const PROOF_STATUSES = ['ACTIVE', 'TAKEN_BACK'] as const;

/** The status of a proof file. */
export type ProofStatus = (typeof PROOF_STATUSES)[number];

/** The transitions of a proof file. A file that was taken back stays so: the account sends it again. */
export const PROOF_TRANSITIONS: Transitions<ProofStatus> = {
  ACTIVE: ['TAKEN_BACK'],
  TAKEN_BACK: [],
};
