import { diskFull } from './testing/chaos/disk-full.js';
import { describeFaults } from './testing/chaos/fault-suite.js';
import { killInMigrations } from './testing/chaos/kill-in-migrations.js';
import { databaseKinds } from './testing/test-databases.js';

describeFaults('a failing database', await databaseKinds(), [
  {
    fault: killInMigrations,
    shows: 'is brought to its version by the next start, however the one before ended',
    runs: 1,
  },
  { fault: diskFull, shows: 'is whole when its disk was full, and goes on once there is room', runs: 1 },
]);
