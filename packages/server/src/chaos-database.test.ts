import { diskFull } from './testing/chaos/disk-full.js';
import { describeFaults } from './testing/chaos/fault-suite.js';
import { killInMigrations } from './testing/chaos/kill-in-migrations.js';
import { databaseKinds } from './testing/test-databases.js';

describeFaults('a failing database', await databaseKinds(), [
  {
    fault: killInMigrations,
    shows: 'the next start completes the migrations of a killed server',
    runs: 1,
  },
  { fault: diskFull, shows: 'a database on a full disk stays whole, and continues once there is room', runs: 1 },
]);
