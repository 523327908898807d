export { type Severity, toNotificationBody } from './notification.js';
export { writeNotification } from './notification-texts.js';
export { type NotificationType, WEBHOOK_EVENT_TYPES } from './notification-types.js';
export {
  type Decision,
  type Draft,
  type PublishingDeps,
  publish,
  publishInTurn,
  type ToldNotification,
} from './publish.js';
export {
  countSince,
  dismissNotifications,
  findNewest,
  listPreferences,
  lockNotifications,
  type StoredNotification,
} from './rows.js';
