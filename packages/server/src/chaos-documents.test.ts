import { describeFaults } from './testing/chaos/fault-suite.js';
import { killAtDocumentSteps, killOneOfTwo } from './testing/chaos/kill-at-document-steps.js';
import { killWhileDelivering } from './testing/chaos/kill-while-delivering.js';
import { databaseKinds } from './testing/test-databases.js';

describeFaults('killed servers during the processing of documents', await databaseKinds(), [
  {
    fault: killAtDocumentSteps,
    shows: 'a killed server still sends, authorizes, mails and notifies each document once',
    runs: 2,
  },
  { fault: killOneOfTwo, shows: 'other servers take over the work of a killed server', runs: 1 },
  {
    fault: killWhileDelivering,
    shows: '[R361] [R367] a killed server delivers to every endpoint at least once, under one id',
    runs: 1,
  },
]);
