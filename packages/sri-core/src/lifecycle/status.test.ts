import { describe, expect, it } from 'vitest';
import { DOCUMENT_STATUSES, nextStatus, type Trigger } from './status.js';

const TRIGGERS: readonly Trigger[] = [
  'queue',
  'received',
  'returned',
  'authorized',
  'notAuthorized',
  'rebuild',
  'void',
];

describe('document status', () => {
  it('the document status changes only as the life cycle allows', () => {
    const moves = DOCUMENT_STATUSES.flatMap((from) =>
      TRIGGERS.flatMap((trigger) => {
        const to = nextStatus(from, trigger);
        return to ? [`${from} ${trigger} ${to}`] : [];
      }),
    );
    expect(moves).toEqual([
      'SIGNED queue PENDING_SEND',
      'SIGNED rebuild SIGNED',
      'PENDING_SEND received RECEIVED',
      'PENDING_SEND returned RETURNED',
      'RECEIVED returned RETURNED',
      'RECEIVED authorized AUTHORIZED',
      'RECEIVED notAuthorized NOT_AUTHORIZED',
      'RETURNED rebuild SIGNED',
      'AUTHORIZED void VOIDED',
      'NOT_AUTHORIZED rebuild SIGNED',
    ]);
  });
});
