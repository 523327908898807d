import { crowdedSockets } from './crowded-sockets.js';
import { diskFull } from './disk-full.js';
import { failingDisk } from './failing-disk.js';
import type { Fault } from './fault.js';
import { killAtCreateSteps } from './kill-at-create-steps.js';
import { killAtDocumentSteps, killOneOfThree, killOneOfTwo } from './kill-at-document-steps.js';
import { killInMigrations } from './kill-in-migrations.js';
import { killOneOfTwoWhileCreating, killWhileCreating, killWhileCreatingEveryType } from './kill-while-creating.js';
import { killWhileDelivering } from './kill-while-delivering.js';
import { killWhileExporting } from './kill-while-exporting.js';
import { lockedDatabase } from './locked-database.js';
import { OUTSIDE_FAULTS } from './outside-faults.js';
import { restartBetweenRetries } from './restart-between-retries.js';
import { statements } from './statements.js';

/** Every fault of `npm run chaos`, in the order in which they run. */
export const FAULTS: readonly Fault[] = [
  killAtCreateSteps,
  killAtDocumentSteps,
  killOneOfTwo,
  killOneOfThree,
  killWhileCreating,
  killOneOfTwoWhileCreating,
  killWhileCreatingEveryType,
  killWhileDelivering,
  killWhileExporting,
  killInMigrations,
  restartBetweenRetries,
  lockedDatabase,
  diskFull,
  failingDisk,
  crowdedSockets,
  statements,
  ...OUTSIDE_FAULTS,
];
