import { describeFaults } from './testing/chaos/fault-suite.js';
import { killWhileExporting } from './testing/chaos/kill-while-exporting.js';
import { databaseKinds } from './testing/test-databases.js';

describeFaults('killed servers during exports', await databaseKinds(), [
  {
    fault: killWhileExporting,
    shows: 'a killed export changes no document, and the next export has every document once',
    runs: 10,
  },
]);
