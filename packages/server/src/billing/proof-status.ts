import type { Transitions } from '../platform/transitions.js';

/** How a file that proves a transfer stands: shown to its account, or taken back by it and kept for the operator. */
export const PROOF_STATUSES = ['ACTIVE', 'TAKEN_BACK'] as const;

/** How a file that proves a transfer stands. */
export type ProofStatus = (typeof PROOF_STATUSES)[number];

/** Which status may follow which. Evidence does not come back: its account sends it again. */
export const PROOF_TRANSITIONS: Transitions<ProofStatus> = {
  ACTIVE: ['TAKEN_BACK'],
  TAKEN_BACK: [],
};
