import { channelsOf, NOTIFICATION_TYPES, type NotificationType } from '../../notifications/notification-types.js';
import { alsoTried, exactly, type FieldKind, flag, part } from './field-kinds.js';
import type { WholeBody } from './whole-bodies.js';

const SIMPLE = { type: 'DOCUMENT_AUTHORIZED', channel: 'IN_APP', enabled: true };
const BY_MAIL = { type: 'PAYMENT_VERIFIED', channel: 'EMAIL', enabled: false };

/** Preferences that can be set: of a type with one channel, and of a type with both. */
export const SET_PREFERENCES = [SIMPLE, BY_MAIL] as const;

/** Every field of an entry, and an entry itself. */
export const PREFERENCE_FIELDS: Readonly<Record<string, FieldKind>> = {
  '[0]': alsoTried(part(), { 'an entry in a list': [SIMPLE], 'an entry as text': JSON.stringify(SIMPLE) }),
  '[0].type': alsoTried(
    exactly(
      (Object.keys(NOTIFICATION_TYPES) as NotificationType[]).filter((type) => channelsOf(type).includes('IN_APP')),
    ),
    { 'a mandatory type': 'PRICE_CHANGE_ANNOUNCED', 'the type of a test': 'TEST', 'small letters': 'cert_expired' },
  ),
  '[0].channel': alsoTried(exactly(['IN_APP']), { 'a channel the type has not': 'EMAIL', webhooks: 'WEBHOOK' }),
  '[0].enabled': flag(),
  '[1].channel': alsoTried(exactly(['EMAIL', 'IN_APP']), { webhooks: 'WEBHOOK', 'small letters': 'email' }),
  '[1].enabled': flag(),
};

/** Lists whose entries are invalid together, or that have one invalid entry among many. */
export function preferenceLists(): readonly WholeBody[] {
  const times = (count: number, value: unknown) => Array.from({ length: count }, () => value);
  const reserved = ['SRI_SUBMISSION_FAILED', 'EMAIL_DELIVERY_FAILED', 'QUOTA_WARNING'];
  const lists: readonly (readonly [string, unknown, string | null])[] = [
    ['nothing to change', [], null],
    ['a pair twice, the last one other', [SIMPLE, { ...SIMPLE, enabled: false }, SIMPLE], null],
    ['unknown fields', [{ ...SIMPLE, tenantId: 'x', zz: [1] }], null],
    ['200 entries', times(200, SIMPLE), null],
    ['201 entries', times(201, SIMPLE), 'body'],
    ['3 000 entries that are nothing', times(3_000, null), 'body'],
    ['200 entries that are nothing', times(200, null), ''],
    [
      'the last of 200 wrong',
      [...times(199, { ...SIMPLE, enabled: false }), { ...SIMPLE, enabled: 1 }],
      '[199].enabled',
    ],
    ['an entry with nothing in it', [BY_MAIL, {}], '[1]'],
    ['a list of lists', [[SIMPLE]], '[0]'],
    ['entries by their names', { 0: SIMPLE, length: 1 }, 'body'],
    ['one entry without a list', SIMPLE, 'body'],
    ['a list in an object', { preferences: [SIMPLE] }, 'body'],
    ['a mandatory type by mail', [{ ...BY_MAIL, type: 'PRICE_CHANGE_ANNOUNCED' }], '[0].type'],
    ...reserved.map((type) => [`${type} by mail`, [SIMPLE, { ...BY_MAIL, type }], '[1].channel'] as const),
  ];
  return lists.map(([name, body, field]) => ({ name, json: JSON.stringify(body), field }));
}
