import { describeFaults } from './testing/chaos/fault-suite.js';
import { killWhileExporting } from './testing/chaos/kill-while-exporting.js';
import { databaseKinds } from './testing/test-databases.js';

describeFaults('servers that are killed while they export', await databaseKinds(), [
  { fault: killWhileExporting, shows: 'change no document, and export every one once afterwards', runs: 10 },
]);
