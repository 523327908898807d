import type { Transitions } from '../transitions.js';

/** How an API key stands. */
export const API_KEY_STATUSES = ['ACTIVE', 'REVOKED'] as const;

/** How an API key stands. */
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/** Which status may follow which. A key that was revoked may be known to others, so it never works again. */
export const API_KEY_TRANSITIONS: Transitions<ApiKeyStatus> = {
  ACTIVE: ['REVOKED'],
  REVOKED: [],
};
