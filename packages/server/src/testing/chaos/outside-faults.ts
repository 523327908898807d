import { failover, failoverBehindPgbouncer } from './failover.js';
import type { Fault } from './fault.js';
import { lostAnswers } from './lost-answers.js';
import { mailServerMoods } from './mail-server-moods.js';
import { receiverMoods } from './receiver-moods.js';
import { replicasDisturbed } from './replicas-disturbed.js';
import { sriOutage } from './sri-outage.js';

/** Faults outside a server, and between several servers. */
export const OUTSIDE_FAULTS: readonly Fault[] = [
  lostAnswers,
  sriOutage,
  mailServerMoods,
  receiverMoods,
  replicasDisturbed,
  failover,
  failoverBehindPgbouncer,
];
