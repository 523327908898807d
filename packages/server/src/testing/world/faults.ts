import type { SeededRandom } from '../chaos/seeded-random.js';

/** The documents of a world. */
export const LIVES_A_WORLD = 400;

/** One in this many worlds has whole servers; the others have the library alone, which takes a sixth of the time. */
export const SERVERS_EVERY = 32;

/** All faults of a world. */
export const FAULTS = [
  // A process ends, before or after a call to something outside it.
  'crash before a call',
  'crash after a call',
  // A process stands still for longer than its leases.
  'freeze',
  // An operator stops a process.
  'process stops',
  // The database.
  'read fails',
  'commit fails',
  // A key.
  'signature fails',
  // A process's own clock.
  'clock ahead',
  'clock behind',
  // The way to the SRI, a mail server or a receiver.
  'unreachable',
  'answer lost',
  'answer late',
  'request late',
  'error answered',
  // Actions of people at the same time.
  'keys exchanged',
  'account promoted',
] as const;

/** Faults of the way to the SRI, a mail server or a receiver. */
export const NETWORK_FAULTS = ['unreachable', 'error answered', 'answer lost', 'answer late', 'request late'] as const;

export type FaultName = (typeof FAULTS)[number];

/** The probabilities of faults in a world. */
export interface Mood {
  /** Of each call of a process to something outside it. */
  readonly crash: number;
  readonly freeze: number;
  readonly database: number;
  readonly clock: number;
  /** Of each request to the SRI, a mail server or a receiver. */
  readonly network: number;
  /** The longest ordinary delay of a call, in milliseconds. */
  readonly slowestMs: number;
}

/** Nothing fails. */
export const CALM: Mood = { crash: 0, freeze: 0, database: 0, clock: 0, network: 0, slowestMs: 1 };

/**
 * The mood of a world: some are calm, and some fail all the time.
 *
 * @param clocksDiffer whether the clocks of its processes may differ. @param isHarsh whether it fails all the time.
 */
export function drawMood(random: SeededRandom, clocksDiffer: boolean, isHarsh: boolean): Mood {
  const harshness = isHarsh ? 3 : random.pick([0, 0.3, 1, 1, 3]);
  return {
    crash: (harshness * random.below(10)) / 5_000,
    freeze: (harshness * random.below(10)) / 10_000,
    database: (harshness * random.below(10)) / 2_000,
    clock: clocksDiffer ? (harshness * random.below(10)) / 10_000 : 0,
    network: (harshness * random.below(10)) / 100,
    slowestMs: random.pick([1, 5, 40]),
  };
}

/** The states of a document: its status, with its job. */
export const STATES = [
  'SIGNED',
  'PENDING_SEND SEND PENDING',
  'PENDING_SEND SEND FAILED',
  'RECEIVED AUTHORIZE PENDING',
  'RECEIVED AUTHORIZE FAILED',
  'RETURNED',
  'NOT_AUTHORIZED',
  'AUTHORIZED',
  'VOIDED',
] as const;

/** Why a fault cannot strike a document in that state, unless a process was frozen for long; null if it can. */
export function whyNever(state: (typeof STATES)[number], fault: FaultName): string | null {
  if (NETWORK_FAULTS.some((each) => each === fault)) {
    return ASKED.has(state) ? null : 'the SRI is neither sent nor asked anything about it';
  }
  if (fault === 'commit fails' && state === 'VOIDED') return 'nothing follows an annulment';
  return null;
}

// --- internal ---

/** The states in which the SRI is called. */
const ASKED: ReadonlySet<string> = new Set([
  'PENDING_SEND SEND PENDING',
  'RECEIVED AUTHORIZE PENDING',
  'RECEIVED AUTHORIZE FAILED',
]);
