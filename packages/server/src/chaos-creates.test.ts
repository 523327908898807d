import { describeFaults } from './testing/chaos/fault-suite.js';
import { killAtCreateSteps } from './testing/chaos/kill-at-create-steps.js';
import {
  killOneOfTwoWhileCreating,
  killWhileCreating,
  killWhileCreatingEveryType,
} from './testing/chaos/kill-while-creating.js';
import { databaseKinds } from './testing/test-databases.js';

describeFaults('servers that are killed while documents are created', await databaseKinds(), [
  {
    fault: killAtCreateSteps,
    shows: '[R224] [R226] leave nothing of a create before its commit, and all of it after',
    runs: 3,
  },
  {
    fault: killWhileCreating,
    shows: '[R221] [R224] [R226] give no number twice, skip none but by the moves of the counter, and lose nothing',
    runs: 2,
  },
  {
    fault: killWhileCreatingEveryType,
    shows: '[R221] [R224] [R226] nor in the counter of any document type, with every type in use at once',
    runs: 1,
  },
  { fault: killOneOfTwoWhileCreating, shows: '[R221] [R224] [R226] nor do two of which one is', runs: 1 },
]);
