import type { Transitions } from '../platform/transitions.js';

/** How an API key stands. */
export const API_KEY_STATUSES = ['ACTIVE', 'SET_ASIDE', 'REVOKED'] as const;

/** How an API key stands. */
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/**
 * Which status may follow which. A key that was revoked may be known to others, so it never works again. A recovery
 * sets keys aside: undoing it lets them work again, and the verification of the address revokes them.
 */
export const API_KEY_TRANSITIONS: Transitions<ApiKeyStatus> = {
  ACTIVE: ['SET_ASIDE', 'REVOKED'],
  SET_ASIDE: ['ACTIVE', 'REVOKED'],
  REVOKED: [],
};
