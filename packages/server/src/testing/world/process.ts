import { type Clock, type Random, type Storage, StorageUnavailableError } from 'sri-core';
import type { AnyBody } from '../type-bodies.js';
import type { FaultName, Mood } from './faults.js';
import { machine } from './simulated-machine.js';

/** The faults around a process, and their record. */
export interface Weather {
  readonly mood: () => Mood;
  /** Records a fault, and what it struck. */
  readonly strike: (fault: FaultName, struck: Struck) => void;
}

/** The target of a fault: a process in a call, and the document of that call, if any. */
export interface Struck {
  readonly process: string;
  readonly call: string;
  readonly accessKey?: string;
}

/** The calls of people to a process about documents. */
export interface DocumentCalls {
  create(body: AnyBody, order: string): Promise<Reply>;
  send(accessKey: string): Promise<Reply>;
  find(accessKey: string): Promise<Reply>;
  rebuild(accessKey: string, body: AnyBody, resequence: boolean): Promise<Reply>;
  annul(accessKey: string): Promise<Reply>;
  authorize(accessKey: string): Promise<Reply>;
  retry(accessKey: string): Promise<Reply>;
}

/** A document, or the code of an error; `AGAIN` if the service failed and the call may be repeated. */
export type Reply =
  | { readonly code: 'OK'; readonly accessKey: string; readonly status: string }
  | { readonly code: string; readonly accessKey?: undefined };

/** The connection to a process breaks before its answer. */
export class ProcessGone extends Error {}

/** The key of an issuer does not sign. */
export class SignatureFailed extends Error {}

/** A process of a world. It can freeze or end at any external call. */
export class Process {
  readonly name: string;
  readonly clock: Clock;
  readonly #weather: Weather;
  readonly #gone = Promise.withResolvers<never>();
  #isAlive = true;
  #frozenUntil = 0;
  #skewMs = 0;

  constructor(name: string, weather: Weather) {
    this.name = name;
    this.#weather = weather;
    this.#gone.promise.catch(() => {});
    this.clock = {
      now: () => new Date(machine.now() + this.#skewMs),
      sleep: (ms, signal) => this.#sleep(ms, signal),
    };
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Ends the process where it stands. */
  crash(): void {
    this.#isAlive = false;
    this.#gone.reject(new ProcessGone());
  }

  /** Stops the process as on an operator's signal, within the time that an operator waits. */
  async leave(): Promise<void> {
    if (!this.#isAlive) return;
    this.#weather.strike('process stops', this.struck('stop'));
    const patience = new AbortController();
    machine.after(LONGEST_STOP_MS / 2, () => patience.abort());
    await Promise.race([this.stop(patience.signal), machine.pause(LONGEST_STOP_MS)]);
    this.crash();
  }

  /** Accepts no new work, and finishes the running work until the patience ends. */
  protected async stop(_patience: AbortSignal): Promise<void> {}

  /** The answer of the process. @throws ProcessGone when the process ends first. */
  answering<T>(answer: () => Promise<T>): Promise<T> {
    return this.#isAlive ? Promise.race([answer(), this.#gone.promise]) : this.#gone.promise;
  }

  /** An external call. The process may end or freeze before and after it. */
  async calling<T>(call: string, work: () => Promise<T>, accessKey?: string): Promise<T> {
    const struck = this.struck(call, accessKey);
    await this.#pass(struck, 'crash before a call');
    const result = await work();
    await this.#pass(struck, 'crash after a call');
    return result;
  }

  struck(call: string, accessKey?: string): Struck {
    return { process: this.name, call, ...(accessKey === undefined ? {} : { accessKey }) };
  }

  /** @throws StorageUnavailableError, before anything is done. */
  mayFail(fault: FaultName, struck: Struck): void {
    const { mood, strike } = this.#weather;
    if (this.#isAlive && !machine.random.chance(mood().database)) return;
    if (this.#isAlive) strike(fault, struck);
    throw new StorageUnavailableError('The simulated database fails.');
  }

  /** The same storage, with this process's faults. */
  reaching(storage: Storage): Storage {
    const reached: Record<string, unknown> = {};
    for (const [call, original] of Object.entries(storage)) {
      if (typeof original !== 'function') continue;
      const fault = WRITES.has(call) ? 'commit fails' : 'read fails';
      reached[call] = (...values: unknown[]) => {
        const accessKey = keyAmong(values);
        const work = async () => {
          this.mayFail(fault, this.struck(call, accessKey));
          return Reflect.apply(original, storage, values);
        };
        return this.calling(call, work, accessKey);
      };
    }
    return reached as unknown as Storage;
  }

  /** Never continues in a process that has ended. */
  async #pass(struck: Struck, crash: FaultName): Promise<void> {
    const { mood, strike } = this.#weather;
    const { crash: crashes, freeze, clock, slowestMs } = mood();
    const { random } = machine;
    if (this.#isAlive && random.chance(crashes)) {
      strike(crash, struck);
      this.crash();
    }
    if (random.chance(freeze)) {
      strike('freeze', struck);
      this.#frozenUntil = machine.now() + 1_000 + random.below(12_000);
    }
    if (random.chance(clock)) {
      const isAhead = random.chance(0.5);
      strike(isAhead ? 'clock ahead' : 'clock behind', struck);
      this.#skewMs = (isAhead ? 1 : -1) * random.below(20_000);
    }
    if (random.chance(0.3)) await machine.pause(random.below(slowestMs + 1));
    while (this.#isAlive && this.#frozenUntil > machine.now()) await machine.pause(this.#frozenUntil - machine.now());
    if (!this.#isAlive) await new Promise<never>(() => {});
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        waiting.work = () => {};
        reject(signal?.reason);
      };
      const wake = () => {
        if (!this.#isAlive) return;
        const frozenMs = this.#frozenUntil - machine.now();
        if (frozenMs > 0) {
          waiting = machine.after(frozenMs, wake);
          return;
        }
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      let waiting = machine.after(ms, wake);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }
}

/** The randomness of every process. */
export const SEEDED: Random = {
  bytes: (count) => Uint8Array.from({ length: count }, () => machine.random.below(256)),
};

// --- internal ---

const LONGEST_STOP_MS = 6_000;

const WRITES = new Set([
  'storeDocuments',
  'storeUnderLock',
  'changeDocument',
  'changeAndClaim',
  'changeUnderLock',
  'claimJobs',
]);

/** The document of a storage call: its second parameter, or that of the change or claim that it gets. */
function keyAmong([first, second]: readonly unknown[]): string | undefined {
  if (typeof second === 'string' && second.length === 49) return second;
  if (first === null || typeof first !== 'object') return undefined;
  if ('accessKey' in first && typeof first.accessKey === 'string') return first.accessKey;
  if ('document' in first) return keyAmong([first.document]);
  return undefined;
}
