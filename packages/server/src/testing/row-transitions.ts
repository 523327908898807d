import type { Transitions } from '../platform/transitions.js';

// Statements change these rows, and their conditions allow no other transition.

/** The status of a proof file: shown to its account, or taken back by it and kept for the operator. */
export const PROOF_STATUSES = ['ACTIVE', 'TAKEN_BACK'] as const;
export type ProofStatus = (typeof PROOF_STATUSES)[number];

/** The transitions of a proof file. A file that was taken back stays so: the account sends it again. */
export const PROOF_TRANSITIONS: Transitions<ProofStatus> = {
  ACTIVE: ['TAKEN_BACK'],
  TAKEN_BACK: [],
};

/** The status of an API key. */
export const API_KEY_STATUSES = ['ACTIVE', 'SET_ASIDE', 'REVOKED'] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/**
 * The transitions of an API key. A revoked key may have leaked, so it never works again. A recovery sets keys aside:
 * undoing it restores them, and the verification of the address revokes them.
 */
export const API_KEY_TRANSITIONS: Transitions<ApiKeyStatus> = {
  ACTIVE: ['SET_ASIDE', 'REVOKED'],
  SET_ASIDE: ['ACTIVE', 'REVOKED'],
  REVOKED: [],
};
