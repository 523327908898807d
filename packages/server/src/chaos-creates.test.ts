import { describeFaults } from './testing/chaos/fault-suite.js';
import { killAtCreateSteps } from './testing/chaos/kill-at-create-steps.js';
import {
  killOneOfTwoWhileCreating,
  killWhileCreating,
  killWhileCreatingEveryType,
} from './testing/chaos/kill-while-creating.js';
import { databaseKinds } from './testing/test-databases.js';

describeFaults('killed servers during creates', await databaseKinds(), [
  {
    fault: killAtCreateSteps,
    shows: '[R224] [R226] a killed server leaves nothing of a create before its commit, and all of it after',
    runs: 3,
  },
  {
    fault: killWhileCreating,
    shows:
      '[R221] [R224] [R226] a killed server repeats no number, skips one only by a move of its counter, and loses no document',
    runs: 2,
  },
  {
    fault: killWhileCreatingEveryType,
    shows:
      '[R221] [R224] [R226] a killed server repeats and skips no number of any type, with all types in use at once',
    runs: 1,
  },
  {
    fault: killOneOfTwoWhileCreating,
    shows: '[R221] [R224] [R226] two servers repeat and skip no number while one of them is killed',
    runs: 1,
  },
]);
