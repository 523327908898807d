import { availableParallelism } from 'node:os';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { CertificateInvalidError } from '../errors.js';
import type { ContainerAnswer, ContainerRequest } from './p12-container.js';

/** The thread's name in its workerData, so that importing its file elsewhere has no effect; and its ready message. */
export const P12_THREAD = 'sri-core: p12';

/** The number of containers opened at once. At least one core stays free. */
export const P12_THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));

/**
 * Opens a container in a separate thread, a few containers at a time and the rest in order. An idle thread stays for some
 * seconds (a start costs ten times an opening) and does not keep the process alive.
 *
 * @param timeoutMs how long the thread may work on this container before it is terminated.
 * @throws CertificateInvalidError when the container exceeds the time or memory limit; Error when no thread starts.
 */
export async function openInThread(request: ContainerRequest, timeoutMs: number): Promise<ContainerAnswer> {
  if (busy < P12_THREADS) busy += 1;
  // A finished container hands over its slot, so that a new one cannot jump the queue.
  else await new Promise<void>((resolve) => waiting.push(resolve));
  let thread: P12Thread | undefined;
  try {
    warm = warm.filter(({ ended }) => !ended);
    thread = warm.pop() ?? startThread();
    return await thread.open(request, timeoutMs);
  } finally {
    if (thread) warm.push(thread);
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  }
}

// --- internal ---

let busy = 0;
const waiting: (() => void)[] = [];
/** Idle threads. Threads that have exited are skipped. */
let warm: P12Thread[] = [];

/** The start of a thread is no fault of the container, and may take long on a busy machine. */
const START_LIMIT_MS = 30_000;
const IDLE_LIMIT_MS = 10_000;

/** A container has at most 256 KiB, so a tenth of this is enough for a regular one. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/** One thread, from its start to its end. */
class P12Thread {
  ended = false;
  #ready = false;
  #timer: NodeJS.Timeout | undefined;
  #request: { readonly timeoutMs: number; readonly settle: PromiseWithResolvers<ContainerAnswer> } | null = null;
  readonly #worker: Worker;

  constructor() {
    this.#worker = startWorker();
    this.#worker.on('message', (message: ContainerAnswer | typeof P12_THREAD) => this.#hear(message));
    this.#worker.on('error', (error) => this.#end(toThreadError(error)));
    this.#worker.on('exit', () => this.#end(new Error('The thread that opens certificates was ended.')));
  }

  open(request: ContainerRequest, timeoutMs: number): Promise<ContainerAnswer> {
    const settle = Promise.withResolvers<ContainerAnswer>();
    this.#request = { timeoutMs, settle };
    this.#limit(this.#ready ? timeoutMs : START_LIMIT_MS);
    this.#worker.postMessage(request);
    return settle.promise;
  }

  #hear(message: ContainerAnswer | typeof P12_THREAD): void {
    if (message === P12_THREAD) {
      this.#ready = true;
      if (this.#request) this.#limit(this.#request.timeoutMs);
      return;
    }
    const request = this.#request;
    this.#request = null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(new Error('idle')), IDLE_LIMIT_MS).unref();
    // While it works, its time limit keeps the process alive.
    this.#worker.unref();
    request?.settle.resolve(message);
  }

  /** Time in which other processes kept this one from working does not count, up to `START_LIMIT_MS`. */
  #limit(ms: number): void {
    const [begun, usedBefore] = [performance.now(), process.cpuUsage()];
    const check = () => {
      const { user, system } = process.cpuUsage(usedBefore);
      const left = ms - (user + system) / 1000;
      if (left > 0 && performance.now() - begun < START_LIMIT_MS) this.#timer = setTimeout(check, left);
      else this.#end(new CertificateInvalidError('The container took too long to open.'));
    };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(check, ms);
  }

  #end(reason: Error): void {
    this.ended = true;
    clearTimeout(this.#timer);
    this.#request?.settle.reject(reason);
    void this.#worker.terminate();
  }
}

/** @throws Error when the machine or the process cannot start another thread. */
function startThread(): P12Thread {
  try {
    return new P12Thread();
  } catch (error) {
    throw toThreadError(error);
  }
}

function startWorker(): Worker {
  // The thread needs neither the environment variables nor the process's flags.
  const workerData = { thread: P12_THREAD };
  const options: WorkerOptions = { workerData, resourceLimits: RESOURCE_LIMITS, env: {}, execArgv: [] };
  if (import.meta.url.endsWith('.ts')) {
    const source = new URL(import.meta.url.replace('p12-thread', 'p12-worker'));
    return new Worker(source, { ...options, execArgv: ['--import', FIND_SOURCES] });
  }
  // Written so that webpack and Turbopack recognize it, and carry that file.
  return new Worker(new URL('./p12-worker.js', import.meta.url), options);
}

/** Tests run on the sources, where Node must resolve `./x.js` to `./x.ts`. */
const FIND_SOURCES = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) => next(
  context.parentURL?.endsWith('.ts') && name.startsWith('.') ? name.replace(/js$/, 'ts') : name, context) });`;

const NOT_STARTED =
  'The thread that opens certificates could not be started. A bundler has to leave sri-core out of its bundle; ' +
  'Yarn needs nodeLinker: node-modules.';

function toThreadError(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new CertificateInvalidError('The container asks for more memory than is allowed to open it.');
  }
  return new Error(NOT_STARTED, { cause: error });
}
