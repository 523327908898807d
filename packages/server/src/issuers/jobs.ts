import type { Clock, Logger } from 'sri-core';
import type { PublishingDeps } from '../notifications/index.js';
import type { ServerDatabase } from '../platform/database/tables.js';
import type { Task } from '../platform/jobs/loop.js';
import { noticeCertificates } from './notify-of-certificates.js';

/** Notifies accounts of certificates that end soon. A repeat notifies nothing new, so every process may run it. */
export function certificateTask(database: ServerDatabase, parts: PublishingDeps, clock: Clock, logger: Logger): Task {
  return {
    name: 'certificates',
    intervalMs: 3_600_000,
    run: (signal) => noticeCertificates({ database, publishing: parts, logger }, clock.now(), signal),
  };
}
