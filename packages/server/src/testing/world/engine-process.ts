import {
  createEngine,
  type Engine,
  type EngineIssuer,
  type Storage,
  StorageUnavailableError,
  type StoredDocument,
} from 'sri-core';
import type { Ledger } from './ledger.js';
import type { Outside } from './outside.js';
import {
  type DocumentCalls,
  Process,
  ProcessGone,
  type Reply,
  SEEDED,
  SignatureFailed,
  type Weather,
} from './process.js';
import { machine } from './simulated-machine.js';

/** The shared parts of a world's engines. */
export interface EngineProcessDeps {
  readonly storage: Storage;
  readonly issuers: readonly EngineIssuer[];
  /** Attempts at one submission. */
  readonly maxAttempts: number;
  readonly ledger: Ledger;
  readonly outside: Outside;
  readonly weather: Weather;
}

/** One process with the library alone, as an application embeds it. */
export class EngineProcess extends Process {
  readonly #engine: Engine;
  readonly #ledger: Ledger;

  constructor(name: string, { storage, issuers, maxAttempts, ledger, outside, weather }: EngineProcessDeps) {
    super(name, weather);
    this.#ledger = ledger;
    const sri = outside.sri(name);
    this.#engine = createEngine({
      storage: this.reaching(ledger.watch(storage, name)),
      issuers,
      transport: (request) => this.calling('SRI', () => sri(request)),
      clock: this.clock,
      random: SEEDED,
      schedule: { ...SCHEDULE, maxAttempts },
    });
    this.#engine.start();
  }

  protected override stop(patience: AbortSignal): Promise<void> {
    return this.#engine.stop(patience);
  }

  /** The calls about an issuer's documents. */
  calls(issuerId: string): DocumentCalls {
    const engine = this.#engine;
    const scope = { issuerId, environment: 'sandbox' } as const;
    const ask = async (work: () => Promise<StoredDocument>): Promise<Reply> => {
      try {
        const { accessKey, status } = await this.answering(work);
        return { code: 'OK', accessKey, status };
      } catch (error) {
        if (AGAIN.some((kind) => error instanceof kind)) return { code: 'AGAIN' };
        if (error instanceof Error && 'code' in error) return { code: String(error.code) };
        this.#ledger.violate('a call fails with an error of the library', String(error));
        return { code: 'UNTYPED' };
      }
    };
    return {
      create: (body, idempotencyKey) =>
        ask(async () => {
          const isOneCall = machine.random.chance(ONE_CALL_SHARE);
          const issue = () => engine.issue(scope, body as never, { idempotencyKey, timeoutMs: ONE_CALL_MS });
          return (await (isOneCall ? issue() : engine.create(scope, body as never, { idempotencyKey }))).document;
        }),
      send: (accessKey) => ask(() => engine.send(scope, accessKey)),
      find: (accessKey) => ask(() => engine.get(scope, accessKey)),
      rebuild: (accessKey, body, resequence) =>
        ask(async () => (await engine.rebuild(scope, accessKey, { body: body as never, resequence })).document),
      annul: (accessKey) =>
        ask(() => engine.void(scope, accessKey, { confirmedSriVoid: true, reason: 'Error en los datos' })),
      authorize: (accessKey) => ask(async () => (await engine.authorize(scope, accessKey)).document),
      retry: (accessKey) => ask(() => engine.retry(scope, accessKey)),
    };
  }
}

// --- internal ---

/** The creates that also send and wait, and how long they wait. */
const ONE_CALL_SHARE = 0.3;
const ONE_CALL_MS = 1_000;

/** Errors after which an application retries. */
const AGAIN = [ProcessGone, SignatureFailed, StorageUnavailableError];

/** Short times, so that a world needs few events. */
const SCHEDULE = {
  retryIntervalMs: 3_000,
  lateCheckIntervalMs: 20_000,
  firstAuthorizationDelayMs: 200,
  putOffMs: 3_000,
  concurrency: 64,
  leaseMs: 4_000,
  timeoutMs: 2_000,
  pollMs: 1_000,
};
