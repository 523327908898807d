export { type Severity, toNotificationBody } from './notification.js';
export { writeNotification } from './notification-texts.js';
export { type NotificationType, WEBHOOK_EVENT_TYPES } from './notification-types.js';
export {
  type Draft,
  type PublicationDecision,
  type PublishedNotification,
  type PublishingDeps,
  publish,
  publishInTurn,
} from './publish.js';
export {
  countSince,
  dismissNotifications,
  findNewest,
  listPreferences,
  lockNotifications,
  type StoredNotification,
} from './rows.js';
