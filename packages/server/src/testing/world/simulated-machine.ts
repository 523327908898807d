import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { createSeededRandom, type SeededRandom } from '../chaos/seeded-random.js';

/** A Saturday morning in Ecuador: the time at which every world begins. */
export const WORLD_BEGINS = new Date('2026-11-21T15:00:00.000Z');

/**
 * The machine of a simulated world. Its timers, monotonic clock, randomness and signatures follow from a seed. It is
 * loaded before other modules, since these keep their imports of Node. Before `begin` only its randomness is simulated.
 */
export const machine = {
  /** Time since the epoch, in milliseconds. */
  now: () => now,

  /** Time since the world began, in milliseconds. */
  elapsed: () => now - WORLD_BEGINS.getTime(),

  /** Starts a simulated time with nothing in it. */
  begin(seed: number): void {
    random = createSeededRandom(seed);
    now = WORLD_BEGINS.getTime();
    pending = [];
    immediates = [];
    events = 0;
    isSimulated = true;
  },

  /** Ends the simulated time. Work that still waits never continues. */
  end(): void {
    isSimulated = false;
    machine.onSignature = () => {};
    pending = [];
    immediates = [];
  },

  /** Called before each signature; an error that it throws fails that signature. */
  onSignature: (() => {}) as () => void,

  /** The seeded randomness of the running world. */
  get random(): SeededRandom {
    return random;
  },

  /** Events that have run. */
  get events(): number {
    return events;
  },

  /** Runs `work` after that time. The seed orders works of one moment. */
  after(ms: number, work: () => void): Waiting {
    const waiting: Waiting = { at: now + Math.max(0, ms), order: random.below(2 ** 30), work };
    push(waiting);
    return waiting;
  },

  /** Resolves after that time. */
  pause: (ms: number) => new Promise<void>((resolve) => void machine.after(ms, resolve)),

  /** Advances the time until the work is done. @throws Error if nothing is left that could end its wait. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    for (;;) {
      await turn();
      if (isDone) return work;
      if (immediates.length > 0) {
        const due = immediates;
        immediates = [];
        for (const { work: run } of due) run();
        continue;
      }
      const next = pop();
      if (!next) throw new Error('The world waits for something that never comes.');
      now = Math.max(now, next.at);
      events += 1;
      next.work();
    }
  },
};

/** Work that waits for its time. */
export interface Waiting {
  readonly at: number;
  readonly order: number;
  work: () => void;
}

// --- internal ---

let random = createSeededRandom(0);
let now = WORLD_BEGINS.getTime();
let events = 0;
let isSimulated = false;
/** A heap: the earliest is the first. */
let pending: Waiting[] = [];
let immediates: { work: () => void }[] = [];

const real = {
  setTimeout: timers.setTimeout,
  clearTimeout: timers.clearTimeout,
  setInterval: timers.setInterval,
  clearInterval: timers.clearInterval,
  setImmediate: timers.setImmediate,
  clearImmediate: timers.clearImmediate,
  pause: timersPromises.setTimeout,
  turn: timersPromises.setImmediate,
  performanceNow: performance.now.bind(performance),
  dateNow: Date.now,
  sign: crypto.sign,
};

/** Lets every ready promise continue. */
const turn = () => new Promise<void>((resolve) => void real.setImmediate(resolve));

const none = () => {};

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(waiting: Waiting): void {
  let index = pending.length;
  pending.push(waiting);
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = pending[parent] as Waiting;
    if (!isBefore(waiting, above)) break;
    pending[index] = above;
    index = parent;
  }
  pending[index] = waiting;
}

function pop(): Waiting | undefined {
  const first = pending[0];
  const last = pending.pop();
  if (!first || !last || pending.length === 0) return first;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= pending.length) break;
    const right = pending[child + 1];
    if (right && isBefore(right, pending[child] as Waiting)) child += 1;
    const below = pending[child] as Waiting;
    if (!isBefore(below, last)) break;
    pending[index] = below;
    index = child;
  }
  pending[index] = last;
  return first;
}

/** The handle of a simulated timer, with the methods that callers use. */
class Handle {
  waiting: { work: () => void } = { work: none };
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  [Symbol.dispose](): void {
    this.waiting.work = none;
  }
}

type Work = (...values: unknown[]) => void;

function simulate(name: 'setTimeout' | 'setInterval', work: Work, ms: unknown, values: unknown[]): unknown {
  if (!isSimulated) return Reflect.apply(real[name], undefined, [work, ms, ...values]);
  const handle = new Handle();
  const wait = () => {
    handle.waiting = machine.after(Math.max(1, Number(ms) || 1), () => {
      if (name === 'setInterval') wait();
      work(...values);
    });
  };
  wait();
  return handle;
}

const simulated = {
  setTimeout: (work: Work, ms?: unknown, ...values: unknown[]) => simulate('setTimeout', work, ms, values),
  setInterval: (work: Work, ms?: unknown, ...values: unknown[]) => simulate('setInterval', work, ms, values),
  setImmediate(work: Work, ...values: unknown[]): unknown {
    if (!isSimulated) return Reflect.apply(real.setImmediate, undefined, [work, ...values]);
    const handle = new Handle();
    handle.waiting = { work: () => work(...values) };
    immediates.push(handle.waiting);
    return handle;
  },
};

const clear = (name: 'clearTimeout' | 'clearInterval' | 'clearImmediate') => (handle: unknown) => {
  if (handle instanceof Handle) handle.waiting.work = none;
  else Reflect.apply(real[name], undefined, [handle]);
};

const everywhere = {
  ...simulated,
  clearTimeout: clear('clearTimeout'),
  clearInterval: clear('clearInterval'),
  clearImmediate: clear('clearImmediate'),
};
Object.assign(globalThis, everywhere);
Object.assign(timers, everywhere);
Object.assign(timersPromises, {
  setTimeout: (ms?: number, value?: unknown, options?: object) =>
    isSimulated ? machine.pause(ms ?? 1).then(() => value) : real.pause(ms, value, options),
  setImmediate: (value?: unknown, options?: object) =>
    isSimulated
      ? new Promise((resolve) => void simulated.setImmediate(() => resolve(value)))
      : real.turn(value, options),
});

performance.now = () => (isSimulated ? now : real.performanceNow());
Date.now = () => (isSimulated ? now : real.dateNow());
Math.random = () => random.below(2 ** 30) / 2 ** 30;

function fill<Bytes extends NodeJS.ArrayBufferView>(bytes: Bytes): Bytes {
  const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let index = 0; index < view.length; index += 1) view[index] = random.below(256);
  return bytes;
}

const signatures = new WeakMap<object, Buffer>();

Object.assign(crypto, {
  randomBytes: (size: number) => fill(Buffer.alloc(size)),
  randomFillSync: fill,
  randomUUID() {
    const digits = fill(Buffer.alloc(16)).toString('hex');
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`;
  },
  /**
   * Reuses the first signature of a key, once its signer has verified it, for all later ones: a world tests order, not
   * RSA.
   */
  sign(
    algorithm: string,
    data: Uint8Array,
    key: crypto.KeyObject,
    done?: (error: Error | null, signature?: Buffer) => void,
  ) {
    if (!done) return real.sign(algorithm, data, key);
    const signature = signatures.get(key) ?? real.sign(algorithm, data, key);
    const settle = () => {
      try {
        machine.onSignature();
      } catch (error) {
        return done(error as Error);
      }
      done(null, signature);
      signatures.set(key, signature);
    };
    if (isSimulated) machine.after(random.below(3), settle);
    else real.setImmediate(settle);
  },
});
AbortSignal.timeout = (ms) => {
  const controller = new AbortController();
  void simulated.setTimeout(() => controller.abort(new DOMException('Too late.', 'TimeoutError')), ms);
  return controller.signal;
};
/** Node's own combined signals stay in memory until they abort, together with a process that never continues. */
AbortSignal.any = (signals) => {
  const controller = new AbortController();
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted) {
    controller.abort(aborted.reason);
    return controller.signal;
  }
  const onAbort = ({ target }: Event) => {
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
    controller.abort((target as AbortSignal).reason);
  };
  for (const signal of signals) signal.addEventListener('abort', onAbort);
  return controller.signal;
};
syncBuiltinESMExports();
