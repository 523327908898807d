import { createUuidSource, silentLogger, systemRandom } from 'sri-core';
import { createKeyedReads } from 'sri-storage-adapters';
import { readConfig } from '../config/config.js';
import { answerRoute } from '../gate/pipeline.js';
import type { Route } from '../gate/route.js';
import { readIssuers } from '../issuers/rows.js';
import { KeyUsage } from '../keys/key-usage.js';
import { createKnownKeys } from '../keys/known-keys.js';
import { watchWrites } from '../platform/database/watched-database.js';
import { Refusal, type RefusalDetails } from '../platform/errors/refusal.js';
import { createCallerSlots } from '../platform/http/caller-slots.js';
import { Exchange } from '../platform/http/exchange.js';
import type { Services } from '../platform/http/services.js';
import { createLimits } from '../platform/limits/limits.js';
import type { TestStore } from './test-store.js';

/** The outcome of a request. */
export interface Asked {
  /** The handler's answer; null when the request was rejected. */
  readonly answered: unknown;
  /** The refusal's code and what accompanies it; null when the request was answered. */
  readonly refused: ({ readonly code: string } & RefusalDetails) | null;
  /** The request, with the notes made while it ran. */
  readonly exchange: Exchange;
}

/** Sends requests to a test's own routes, on a server that has accounts, keys and limits but no routes. */
export interface RouteAsker {
  ask(route: Route, headers?: Readonly<Record<string, string>>, address?: string): Promise<Asked>;
  readonly keyUsage: KeyUsage;
}

/** @param settings of the server, by their names. */
export function createRouteAsker(store: TestStore, settings: Readonly<Record<string, string>> = {}): RouteAsker {
  const { clock } = store;
  const knownKeys = createKnownKeys(store.database);
  const database = watchWrites(store.database, knownKeys.forget);
  const newId = createUuidSource(systemRandom);
  const keyUsage = new KeyUsage(store.database, clock, silentLogger);
  const parts = {
    config: readConfig({ DATA_DIR: '/nonexistent', ...settings }),
    clock,
    logger: silentLogger,
    database,
    knownKeys,
    keyUsage,
    issuerReads: createKeyedReads((ids) => database.read((tables) => readIssuers(tables, ids))),
    limits: createLimits(store.database, clock),
    callerSlots: createCallerSlots(),
    newRequestId: () => newId(clock.now()),
  } satisfies Partial<Services>;
  // The checks before a route need no other services.
  const services = parts as unknown as Services;
  return {
    keyUsage,
    async ask(route, headers = {}, address = '190.1.2.3') {
      const request = new Request(`http://localhost${route.path}`, { method: route.method, headers: asBytes(headers) });
      const incoming = { request, path: route.path, search: '', params: {}, socketAddress: address };
      const exchange = new Exchange(incoming, services);
      try {
        const { body } = await answerRoute(route, exchange);
        return { answered: body.kind === 'json' ? body.value : body.kind, refused: null, exchange };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { answered: null, refused: { code: error.code, ...error.details }, exchange };
      }
    },
  };
}

// --- internal ---

/** Header values as they travel: UTF-8 seen as single bytes. */
function asBytes(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
  return Object.fromEntries(entries);
}
