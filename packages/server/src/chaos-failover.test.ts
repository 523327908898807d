import { failover, failoverBehindPgbouncer } from './testing/chaos/failover.js';
import { describeFaults } from './testing/chaos/fault-suite.js';
import { databaseKinds } from './testing/test-databases.js';

describeFaults('a PostgreSQL whose machine is lost', await databaseKinds(), [
  {
    fault: failover,
    shows: 'is followed by three servers to its synchronous standby, with nothing acknowledged lost',
    runs: 1,
  },
  { fault: failoverBehindPgbouncer, shows: 'is replaced behind PgBouncer in transaction mode just so', runs: 1 },
]);
