import type { Transitions } from '../platform/transitions.js';

/** The status of an API key. */
export const API_KEY_STATUSES = ['ACTIVE', 'SET_ASIDE', 'REVOKED'] as const;

/** The status of an API key. */
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
