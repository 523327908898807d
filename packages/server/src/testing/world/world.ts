import { createHash } from 'node:crypto';
import type { StoredDocument } from 'sri-core';
import { live } from './clients.js';
import { CALM, drawMood, type FaultName } from './faults.js';
import { Ledger } from './ledger.js';
import { createOutside, type Outside } from './outside.js';
import { type DocumentCalls, type Process, SignatureFailed, type Struck, type Weather } from './process.js';
import { machine } from './simulated-machine.js';

/** The parts of a kind of world: its processes, its storage, and the actions of people other than issuing. */
export interface WorldPlan {
  /** The secrets of webhooks, by the receiver's address. */
  readonly secrets: ReadonlyMap<string, string>;
  /** The documents that each issuer may have. */
  readonly quotas: ReadonlyMap<string, number>;
  /** Whether it fails all the time. */
  readonly isHarsh: boolean;
  /** Opens the storage, before the simulated time begins: a file takes real time. */
  open(deps: WorldDeps): Promise<OpenedWorld>;
}

/** The parts common to all kinds of world. */
export interface WorldDeps {
  readonly ledger: Ledger;
  readonly outside: Outside;
  readonly weather: Weather;
  readonly log: (line: string) => void;
  /** A living process. */
  readonly process: () => Promise<Process>;
}

/** A world's processes and storage. */
export interface OpenedWorld {
  /** Starts a process. */
  begin(name: string): Process;
  readonly issuing: readonly {
    readonly issuerId: string;
    readonly quota: number;
    environment(): string;
    callsOf(process: Process): DocumentCalls;
  }[];
  /** Another action of people between two documents. */
  meanwhile(): Promise<void>;
  /** The waiting work other than that of documents. */
  waiting(): Promise<readonly { readonly id: string; readonly dueAt: number }[]>;
  /** The rules that the storage breaks. */
  check(): Promise<readonly string[]>;
  find(issuerId: string, accessKey: string): Promise<StoredDocument | null>;
  close(): Promise<void>;
}

/** The outcome of a world. */
export interface WorldOutcome {
  readonly seed: number;
  readonly lives: number;
  readonly events: number;
  /** SHA-256 of its story. */
  readonly story: string;
  readonly violations: readonly string[];
  /** The number of times each fault struck a document in each state, as `state, fault`. */
  readonly struck: ReadonlyMap<string, number>;
}

/**
 * Plays one world. All its events follow from its seed.
 *
 * @param lives documents that its people issue. @param onLine gets every line of its story.
 */
export async function playWorld(
  plan: WorldPlan,
  { seed, lives, onLine }: { readonly seed: number; readonly lives: number; readonly onLine?: (line: string) => void },
): Promise<WorldOutcome> {
  const story = createHash('sha256');
  const struck = new Map<string, number>();
  const ledger = new Ledger(plan.quotas);
  const processes: Process[] = [];
  let mood = CALM;

  function log(line: string): void {
    const entry = `${machine.elapsed()} ${line}`;
    story.update(`${entry}\n`);
    onLine?.(entry);
  }

  function strike(fault: FaultName, { process, call, accessKey }: Struck): void {
    if (fault === 'clock ahead' || fault === 'clock behind') ledger.isSkewed = true;
    // A fault without a document strikes all documents.
    const state = accessKey === undefined ? null : ledger.stateOf(accessKey);
    for (const each of state === null ? (WIDE.has(fault) ? ledger.states() : []) : [state]) {
      const pair = `${each}, ${fault}`;
      struck.set(pair, (struck.get(pair) ?? 0) + 1);
    }
    log(`${fault}: ${process}, ${call}${accessKey === undefined ? '' : `, ${accessKey}`}`);
  }

  async function pickProcess(): Promise<Process> {
    for (;;) {
      const alive = processes.filter(({ isAlive }) => isAlive);
      if (alive.length > 0) return machine.random.pick(alive);
      await machine.pause(50);
    }
  }

  const weather = { mood: () => mood, strike };
  const outside = createOutside({ ledger, weather, secrets: plan.secrets });
  const opened = await plan.open({ ledger, outside, weather, log, process: pickProcess });

  async function play(): Promise<number> {
    const { random } = machine;
    const clocksDiffer = random.chance(0.5);
    mood = drawMood(random, clocksDiffer, plan.isHarsh);
    let left = lives;
    let isOver = false;
    let begun = 0;
    const begin = () => {
      begun += 1;
      log(`P${begun} begins`);
      return opened.begin(`P${begun}`);
    };
    for (let count = 0; count < PROCESSES; count += 1) processes.push(begin());

    async function replaceTheDead(): Promise<void> {
      while (!isOver) {
        await machine.pause(100 + random.below(1_000));
        if (random.chance(0.02)) void random.pick(processes).leave();
        for (const [index, { isAlive }] of processes.entries()) if (!isAlive) processes[index] = begin();
      }
    }

    async function client(name: number): Promise<void> {
      while (left > 0 && ledger.violations.length === 0) {
        left -= 1;
        const { callsOf, ...issuing } = random.pick(opened.issuing);
        const calls = async () => callsOf(await pickProcess());
        await live(`${name}-${left}`, { ...issuing, calls }, { ledger, log });
        if (random.chance(0.02)) mood = drawMood(random, clocksDiffer, plan.isHarsh);
        await opened.meanwhile();
      }
    }

    const replacing = replaceTheDead();
    await Promise.all(Array.from({ length: random.pick([8, 60, 200]) }, (_, name) => client(name)));
    mood = CALM;
    log('nothing fails from now on');
    if (ledger.violations.length === 0) await settle();
    isOver = true;
    await replacing;
    if (ledger.violations.length === 0) await examine();
    for (const violation of ledger.violations) log(`VIOLATION ${violation}`);
    for (const process of processes) process.crash();
    return lives - left;
  }

  /** Waits until all work is done. */
  async function settle(): Promise<void> {
    // A mail that failed several times waits for its next attempt.
    const dueAt = Math.max(...(await opened.waiting()).map((job) => job.dueAt), machine.now());
    const endsAt = Math.min(dueAt, machine.now() + LONGEST_RETRY_MS) + LONGEST_END_MS;
    for (;;) {
      await machine.pause(2_000);
      const waiting = [...ledger.documents()].filter(({ job }) => job.endsWith('PENDING'));
      const others = await opened.waiting();
      if (waiting.length + others.length === 0) return;
      if (machine.now() > endsAt) {
        return ledger.violate(
          'all work comes to its end',
          [...waiting.map(({ accessKey }) => accessKey), ...others.map(({ id }) => id)].slice(0, 5).join(', '),
        );
      }
    }
  }

  /** Compares the stored documents with the promised, committed and authorized ones. */
  async function examine(): Promise<void> {
    ledger.requireDense();
    for (const { accessKey, issuerId, status, job } of ledger.documents()) {
      log(`${accessKey} ${status}`);
      const stored = await opened.find(issuerId, accessKey);
      if (stored?.status !== status) ledger.violate('a commit lasts', `${accessKey}: ${stored?.status}, not ${status}`);
      const atSri = await outside.simulator.find(accessKey);
      const isOurs = atSri?.estado === 'AUTORIZADO' && ledger.isSigned(accessKey, atSri.xml);
      const isAuthorized = status === 'AUTHORIZED' || status === 'VOIDED';
      // The SRI is not asked about a document whose attempts are used up.
      if (isAuthorized !== isOurs && !job.endsWith('FAILED')) {
        ledger.violate('a document is authorized where the SRI says so', `${accessKey}: ${status}, ${atSri?.estado}`);
      }
    }
    for (const [accessKey, issuerId] of ledger.promised) {
      if (!(await opened.find(issuerId, accessKey))) ledger.violate('what was acknowledged lasts', accessKey);
    }
    for (const broken of await opened.check()) ledger.violate('the storage holds its rules', broken);
  }

  machine.begin(seed);
  machine.onSignature = () => {
    if (!machine.random.chance(mood.database)) return;
    strike('signature fails', { process: 'key', call: 'signature' });
    throw new SignatureFailed('The simulated key fails.');
  };
  try {
    const played = await machine.run(play());
    const { violations } = ledger;
    return { seed, lives: played, events: machine.events, story: story.digest('hex'), violations, struck };
  } finally {
    machine.end();
    await opened.close();
  }
}

// --- internal ---

/** Faults of a whole process, or of its people. */
const WIDE: ReadonlySet<FaultName> = new Set([
  'process stops',
  'keys exchanged',
  'account promoted',
  'signature fails',
]);

const PROCESSES = 3;

/** The longest pause between the attempts of a mail that fails as long as a world lasts. */
const LONGEST_RETRY_MS = 15 * 60_000;

/** The longest time for the work of a world once all of it is due. */
const LONGEST_END_MS = 5 * 60_000;
