import { failover, failoverBehindPgbouncer } from './failover.js';
import type { Fault } from './fault.js';
import { replicasDisturbed } from './replicas-disturbed.js';

/** Faults outside a server, and between several servers. */
export const OUTSIDE_FAULTS: readonly Fault[] = [replicasDisturbed, failover, failoverBehindPgbouncer];
