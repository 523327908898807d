import type { Clock } from '../clock.js';
import { ENVIRONMENTS, type Environment } from '../environment.js';
import { SriUnavailableError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Random } from '../random.js';
import type { IssuingCalls } from '../sri/soap-client.js';
import type { Job, JobOperation, Storage } from '../storage.js';
import type { EngineEvents } from './engine-events.js';
import type { Schedule } from './schedule.js';
import {
  admit,
  afterAnswer,
  afterCount,
  afterDrain,
  afterFault,
  afterUnusedProbe,
  freeSlots,
  type HostState,
  isUndisturbed,
  LONGEST_PROBE_DELAY_MS,
  UNDISTURBED,
} from './sri-outage.js';

/** The standing of the SRI's host in one environment, for all processes on the storage. */
export interface SriStanding {
  readonly environment: Environment;
  /** The kinds of calls that are held because they failed for every document. Empty in normal operation. */
  readonly held: readonly {
    readonly operation: JobOperation;
    readonly since: Date;
    /** Message of the last failure. */
    readonly reason: string;
    /** When the next probe call runs. */
    readonly probeAt: Date;
  }[];
  /** The limit of concurrent calls of all processes while the backlog lasts; null in normal operation. */
  readonly limit: number | null;
}

/** Whether a queued call may run. */
export type CallPass =
  | { readonly kind: 'go'; readonly leave: () => Promise<void> }
  | { readonly kind: 'wait'; readonly until: Date };

/** Tracks the SRI's hosts, so that an outage counts once and not once per document. */
export interface SriHosts {
  /** Wraps the client; its answers and failures are recorded. */
  watch(sri: IssuingCalls): IssuingCalls;
  /** Admits a queued call, or returns when to ask again. */
  admit(environment: Environment, job: Pick<Job, 'operation' | 'unconfirmed'>): Promise<CallPass>;
  /** When a failed call is due again during a hold, without using up an attempt; null without a hold. */
  heldUntil(environment: Environment, operation: JobOperation): Date | null;
  /** Whether a call was just deferred because all slots were taken. */
  isCrowded(): boolean;
  /** The jobs that may run besides those under way, while calls are deferred; otherwise infinity. */
  room(): number;
  /** Renews the slots of long calls. */
  keep(): Promise<void>;
  /** Records that there was less work than free slots. */
  drained(): Promise<void>;
  standing(): Promise<readonly SriStanding[]>;
}

/** The dependencies of the hosts. */
export interface SriHostsDeps {
  readonly storage: Pick<Storage, 'readHostState' | 'changeHostState'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly schedule: Schedule;
  /** The id of this process on the storage. */
  readonly holder: string;
  /** Called for each change that this process makes. */
  readonly onChange: (environment: Environment, before: HostState, after: HostState) => void;
}

/** Emits the events of a change of a host's state. */
export function announceHosts(
  emit: <Name extends keyof EngineEvents>(name: Name, detail: EngineEvents[Name]) => void,
  environment: Environment,
  before: HostState,
  after: HostState,
): void {
  for (const operation of OPERATIONS) {
    const [was, is] = [before.held[operation], after.held[operation]];
    if (is && !was) emit('sriHeld', { environment, operation, reason: is.reason });
    if (was && !is) emit('sriRecovered', { environment, operation, since: new Date(was.since) });
  }
}

/** The hosts as one process sees them. All processes share what each records. */
export function createSriHosts(parts: SriHostsDeps): SriHosts {
  const { storage, clock, random, logger, schedule, holder } = parts;
  const { leaseMs, retryIntervalMs } = schedule;
  const most = schedule.concurrency;
  /** Up to four calls for the document, after as many for its authorization query. */
  const longestCallMs = 10 * schedule.timeoutMs;
  const settleMs = retryIntervalMs + LONGEST_PROBE_DELAY_MS;
  const known = new Map<Environment, Known>();
  const inUse = { sandbox: 0, production: 0 };
  let entering: Promise<unknown> = Promise.resolve();
  let crowded: { readonly environment: Environment; readonly at: number } | null = null;
  const nowMs = () => clock.now().getTime();
  const stateOf = (environment: Environment) => known.get(environment)?.state ?? UNDISTURBED;

  /** The environment whose slots were all taken a moment ago. */
  function crowdedIn(): Environment | null {
    return crowded && Math.abs(nowMs() - crowded.at) < schedule.pollMs ? crowded.environment : null;
  }

  function jitter(ms: number): number {
    return Math.floor((Buffer.from(random.bytes(2)).readUInt16BE() / 65_536) * ms);
  }

  async function read(environment: Environment): Promise<Known> {
    const found = await storage.readHostState(environment);
    const fresh = {
      state: found ? (JSON.parse(found.state) as HostState) : UNDISTURBED,
      revision: found?.revision ?? 0,
      readAt: nowMs(),
    };
    known.set(environment, fresh);
    return fresh;
  }

  /** The cached state if it is fresh, else the stored one. */
  async function recent(environment: Environment): Promise<Known> {
    const last = known.get(environment);
    const ageMs = last ? nowMs() - last.readAt : Number.NaN;
    return last && ageMs >= 0 && ageMs < REFRESH_MS ? last : read(environment);
  }

  /** Changes the state by compare-and-set. On a storage failure the next call tries again. */
  async function change(environment: Environment, decide: (state: HostState) => HostState): Promise<void> {
    try {
      let isDone = await tryChange(environment, await recent(environment), decide);
      for (let round = 1; round < ROUNDS && !isDone; round += 1) {
        isDone = await tryChange(environment, await read(environment), decide);
      }
    } catch (error) {
      logger.warn({ environment, error: String(error) }, 'how the SRI stands could not be noted');
    }
  }

  /** @returns false when another process changed the state first. */
  async function tryChange(
    environment: Environment,
    { state, revision }: Known,
    decide: (state: HostState) => HostState,
  ): Promise<boolean> {
    const next = decide(state);
    const isNew = next !== state;
    const isStored = !isNew || (await storage.changeHostState(environment, { state: JSON.stringify(next), revision }));
    if (isNew && isStored) {
      known.set(environment, { state: next, revision: revision + 1, readAt: nowMs() });
      parts.onChange(environment, state, next);
    }
    return isStored;
  }

  async function answered(environment: Environment, operation: JobOperation): Promise<void> {
    const decide = (state: HostState) => afterAnswer(state, { operation, now: nowMs() }, most);
    if (decide(stateOf(environment)) !== stateOf(environment)) await change(environment, decide);
  }

  async function failed(environment: Environment, operation: JobOperation, accessKey: string, error: unknown) {
    if (!(error instanceof SriUnavailableError)) return;
    const reason = error.message;
    await change(environment, (state) => afterFault(state, { operation, accessKey, reason, now: nowMs() }, most));
  }

  function noting<T>(call: Promise<T>, environment: Environment, operation: JobOperation, accessKey: string) {
    return call.then(
      async (answer) => {
        await answered(environment, operation);
        return answer;
      },
      async (error: unknown) => {
        await failed(environment, operation, accessKey, error);
        throw error;
      },
    );
  }

  /** Admits a job with all its calls, or returns when to ask again. */
  async function enter(environment: Environment, operations: readonly JobOperation[]): Promise<CallPass> {
    let until: number | null = null;
    let admitted = UNDISTURBED;
    await change(environment, (current) => {
      until = null;
      const now = nowMs();
      let next = current;
      for (const operation of operations) {
        const admission = admit(next, { operation, holder, inUse: inUse[environment], now, leaseMs, longestCallMs });
        if (admission.kind === 'go') next = admission.state;
        else if (admission.kind === 'held') until = admission.until + jitter(retryIntervalMs);
        else {
          crowded = { environment, at: now };
          until = now + CROWDED_MS + jitter(CROWDED_SPREAD_MS);
        }
        if (until !== null) return current;
      }
      admitted = next;
      return next;
    });
    if (until !== null) return { kind: 'wait', until: new Date(until) };
    inUse[environment] += 1;
    const probes = operations.flatMap((operation) => {
      const hold = admitted.held[operation];
      return hold ? [{ operation, lostAt: hold.probeAt }] : [];
    });
    const leave = async () => {
      inUse[environment] -= 1;
      for (const probe of probes) {
        await change(environment, (state) => afterUnusedProbe(state, { ...probe, now: nowMs() }));
      }
    };
    return { kind: 'go', leave };
  }

  /** In sequence: each admission counts the slots taken before it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = entering.then(work, work);
    entering = done;
    return done;
  }

  return {
    // Not async: an async frame would keep the text until the SRI answers.
    watch: (sri) => ({
      submit: (environment, accessKey, ...rest) =>
        noting(sri.submit(environment, accessKey, ...rest), environment, 'SEND', accessKey),
      authorization: (environment, accessKey, ...rest) =>
        noting(sri.authorization(environment, accessKey, ...rest), environment, 'AUTHORIZE', accessKey),
    }),
    async admit(environment, { operation, unconfirmed }) {
      // A document that may have arrived is queried before it is sent.
      const operations: readonly JobOperation[] =
        unconfirmed && operation === 'SEND' ? ['AUTHORIZE', 'SEND'] : [operation];
      return inTurn(() => enter(environment, operations));
    },
    heldUntil(environment, operation) {
      const hold = stateOf(environment).held[operation];
      return hold ? new Date(Math.min(hold.probeAt, nowMs() + hold.delayMs)) : null;
    },
    isCrowded: () => crowdedIn() !== null,
    room() {
      const environment = crowdedIn();
      if (environment === null) return Number.POSITIVE_INFINITY;
      const call = { holder, inUse: inUse[environment], now: nowMs(), leaseMs };
      return Math.max(0, freeSlots(stateOf(environment), call));
    },
    async keep() {
      for (const environment of ENVIRONMENTS) {
        if (inUse[environment] === 0 || stateOf(environment).limit === null) continue;
        await inTurn(() =>
          change(environment, (state) =>
            afterCount(state, { holder, inUse: inUse[environment], now: nowMs(), leaseMs }),
          ),
        );
      }
    },
    async drained() {
      for (const environment of ENVIRONMENTS) {
        if (isUndisturbed(stateOf(environment))) continue;
        await inTurn(() =>
          change(environment, (state) => {
            const now = nowMs();
            const counted = afterCount(state, { holder, inUse: inUse[environment], now, leaseMs });
            return afterDrain(counted, { now, settleMs });
          }),
        );
      }
    },
    async standing() {
      const states = await Promise.all(
        ENVIRONMENTS.map(async (environment) => [environment, await read(environment)] as const),
      );
      return states.map(([environment, { state }]) => ({
        environment,
        held: OPERATIONS.flatMap((operation) => {
          const hold = state.held[operation];
          if (!hold) return [];
          return [{ operation, since: new Date(hold.since), reason: hold.reason, probeAt: new Date(hold.probeAt) }];
        }),
        limit: state.limit,
      }));
    },
  };
}

// --- internal ---

interface Known {
  readonly state: HostState;
  readonly revision: number;
  readonly readAt: number;
}

const OPERATIONS = ['SEND', 'AUTHORIZE'] as const satisfies readonly JobOperation[];

/** How long the cached state of a host is used. */
const REFRESH_MS = 1_000;

/** Each lost round means that another process changed the state. */
const ROUNDS = 20;

/** The delay of a call without a slot, plus up to as much again. */
const CROWDED_MS = 1_000;
const CROWDED_SPREAD_MS = 4_000;
