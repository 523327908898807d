import './areas.js';

export { type ComposedServer, composeServer, type ServerDeps } from './compose.js';
export { type Config, readConfig } from './config/config.js';
export type { Destinations } from './config/destinations.js';
export { type EmbeddedServer, embedServer, type WebHandler } from './embed.js';
export type { MailTransport, WrittenMail } from './mail/mail-transport.js';
export { type OpenedDatabase, openDatabase } from './open-database.js';
export { ADMIN_ROUTES } from './operator/routes.js';
export { ConfigError, type ConfigProblem, type Rate } from './platform/config-values.js';
export { PROBLEMS, type ProblemCode, type ProblemReason, REASONS } from './platform/errors/error-catalogue.js';
export type { ServerUrls, Services } from './platform/http/services.js';
export { type MasterKeys, newMasterKey, parseMasterKeys } from './platform/secrets/master-keys.js';
export { type RunningServer, type ServerPorts, type ServerSettings, startServer } from './server.js';
export { ROUTES } from './v1-routes.js';
