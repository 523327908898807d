import type { DocumentEvent, SriAdvice, SriMessage, SriResponse } from './api.js';

/** Why the SRI refused a document. */
export interface SriRefusal {
  /** The messages of the newest answer with their advice, without warnings: those refuse nothing. */
  readonly reasons: readonly (SriMessage & { readonly advice: SriAdvice | undefined })[];
  /** What the history notes beside the last status, as when the SRI holds another document under the key; or null. */
  readonly note: string | null;
}

/** Reads a refusal from a document's `sriResponses` and `events`. Older answers may be about a file since corrected. */
export function readRefusal([answer]: readonly SriResponse[], events: readonly DocumentEvent[]): SriRefusal {
  const messages = answer?.messages ?? [];
  const at = events.findLast(({ toStatus }) => toStatus !== null)?.createdAt;
  const noted = events.find(({ eventType, createdAt }) => eventType === 'ERROR' && createdAt === at);
  return {
    reasons: messages
      .map((message, place) => ({ ...message, advice: answer?.advice?.[place] }))
      .filter(({ advice }) => advice?.who !== 'NOBODY'),
    note: typeof noted?.message === 'string' ? noted.message : null,
  };
}
