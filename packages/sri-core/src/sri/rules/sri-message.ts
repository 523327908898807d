import type { SriMessage } from '../../storage.js';
import { describeSriCode } from '../codes.js';

/** A message with the SRI's wording for its code. */
export function sriMessage(code: string, additionalInfo: string | null = null): SriMessage {
  const known = describeSriCode(code);
  return {
    identifier: code,
    message: known?.sriText ?? 'ERROR',
    additionalInfo,
    type: known?.kind === 'warning' ? 'ADVERTENCIA' : 'ERROR',
  };
}
