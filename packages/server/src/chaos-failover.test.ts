import { failover, failoverBehindPgbouncer } from './testing/chaos/failover.js';
import { describeFaults } from './testing/chaos/fault-suite.js';
import { databaseKinds } from './testing/test-databases.js';

describeFaults('the loss of the machine of PostgreSQL', await databaseKinds(), [
  {
    fault: failover,
    shows: 'three servers follow PostgreSQL to its synchronous standby, and lose nothing acknowledged',
    runs: 1,
  },
  {
    fault: failoverBehindPgbouncer,
    shows: 'three servers follow PostgreSQL behind PgBouncer in transaction mode, and lose nothing acknowledged',
    runs: 1,
  },
]);
