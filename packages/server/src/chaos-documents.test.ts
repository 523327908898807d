import { describeFaults } from './testing/chaos/fault-suite.js';
import { killAtDocumentSteps, killOneOfTwo } from './testing/chaos/kill-at-document-steps.js';
import { killWhileDelivering } from './testing/chaos/kill-while-delivering.js';
import { databaseKinds } from './testing/test-databases.js';

describeFaults('servers that are killed while documents are being processed', await databaseKinds(), [
  { fault: killAtDocumentSteps, shows: 'send, authorize, mail and tell each of them once all the same', runs: 2 },
  { fault: killOneOfTwo, shows: 'are taken over from by others', runs: 1 },
  {
    fault: killWhileDelivering,
    shows: '[R361] [R367] tell every endpoint at least once, under one id',
    runs: 1,
  },
]);
