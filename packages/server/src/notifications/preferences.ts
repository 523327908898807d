import { invalid, type RuleFailure, ruleFailure } from '../platform/errors/refusal.js';
import { flag, named, oneOf, type Shown } from '../platform/schema-words.js';
import {
  CHANNELS,
  channelsOf,
  isNotificationType,
  NOTIFICATION_TYPES,
  type NotificationType,
} from './notification-types.js';

/** Whether a type is enabled on a channel. */
export const preferenceSchema = named('NotificationPreference', 'Whether a type reaches people on a channel.', {
  type: oneOf(Object.keys(NOTIFICATION_TYPES) as NotificationType[], 'The type.'),
  channel: oneOf(CHANNELS, 'The channel.'),
  enabled: flag('Whether it does.'),
});

/** Whether a type is enabled on a channel. */
export type Preference = Shown<typeof preferenceSchema>;

/** Every pair, as set or by default; types that are not always listed only once they are set. */
export function completePreferences(set: readonly Preference[]): readonly Preference[] {
  const enabled = new Map(set.map((preference) => [nameOf(preference), preference.enabled]));
  return (Object.keys(NOTIFICATION_TYPES) as NotificationType[]).flatMap((type) =>
    channelsOf(type)
      .map((channel) => ({ type, channel, enabled: enabled.get(nameOf({ type, channel })) ?? true }))
      .filter((preference) => NOTIFICATION_TYPES[type].listed || enabled.has(nameOf(preference))),
  );
}

/**
 * Reads the list of pairs to change. Of a repeated pair the last entry wins.
 *
 * @throws Refusal VALIDATION_FAILED with every wrong entry; then none applies.
 */
export function parsePreferences(body: unknown): readonly Preference[] {
  if (!Array.isArray(body)) throw invalid([ruleFailure('body', 'array')]);
  if (body.length > MOST_PREFERENCES) throw invalid([ruleFailure('body', 'maxItems', { max: MOST_PREFERENCES })]);
  const failures = body.flatMap((entry, index) => checkEntry(entry, `[${index}]`));
  if (failures.length > 0) throw invalid(failures);
  const read = (body as readonly Preference[]).map(({ type, channel, enabled }) => ({ type, channel, enabled }));
  return [...new Map(read.map((preference) => [nameOf(preference), preference])).values()];
}

// --- internal ---

const MOST_PREFERENCES = 200;

function nameOf({ type, channel }: Pick<Preference, 'type' | 'channel'>): string {
  return `${type} ${channel}`;
}

function checkEntry(entry: unknown, place: string): RuleFailure[] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return [ruleFailure(place, 'object')];
  const { type, channel, enabled } = entry as Readonly<Record<string, unknown>>;
  const failures: RuleFailure[] = [];
  const own = isNotificationType(type) ? channelsOf(type) : CHANNELS;
  if (!isNotificationType(type)) {
    failures.push(ruleFailure(`${place}.type`, 'choice', { allowed: settableTypes().join(', ') }));
  } else if (own.length === 0) failures.push(ruleFailure(`${place}.type`, 'mandatoryNotification'));
  const channels = own.length > 0 ? own : CHANNELS;
  if (!channels.some((known) => known === channel)) {
    failures.push(ruleFailure(`${place}.channel`, 'choice', { allowed: channels.join(', ') }));
  }
  if (typeof enabled !== 'boolean') failures.push(ruleFailure(`${place}.enabled`, 'type', { expected: 'boolean' }));
  return failures;
}

function settableTypes(): NotificationType[] {
  return (Object.keys(NOTIFICATION_TYPES) as NotificationType[]).filter((type) => channelsOf(type).length > 0);
}
