import { mkdir } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import BetterSqlite from 'better-sqlite3';
import { toNodeHandler } from 'h3';
import { Client } from 'pg';
import { type EngineIssuer, silentLogger, systemClock, systemRandom } from 'sri-core';
import { createSimulator } from 'sri-core/simulator';
import { createApp } from '../app.js';
import { composeServer } from '../compose.js';
import { readConfig } from '../config.js';
import { readMasterKeyFile } from '../store/master-key-file.js';
import { openDatabase } from '../store/open-database.js';
import { CRASH_HEADER, CREATE_STEPS, type CreateStep } from './create-steps.js';

/**
 * A server, started as `startChildServer` does, that is gone at the step a request names in a header: it kills itself
 * with SIGKILL there. What the server is made of is untouched; its ports are watched. Nothing works in the background,
 * so that the statements it sends are those of its requests.
 */
let armed: CreateStep['at'] | null = null;

function reach(moment: CreateStep['at']['moment'], statement = ''): void {
  if (armed?.moment !== moment) return;
  if ('statement' in armed && !armed.statement.test(statement)) return;
  process.kill(process.pid, 'SIGKILL');
}

watchSqlite();
watchPostgres();
const config = readConfig(process.env);
await mkdir(config.dataDir, { recursive: true });
const { masterKeys } = await readMasterKeyFile(config.dataDir);
const { handle: simulated } = createSimulator({ clock: systemClock });
const url = 'http://localhost';
const { services } = composeServer({
  config,
  urls: { baseUrl: url, appUrl: url, docsUrl: `${url}/docs` },
  opened: await openDatabase(config, systemClock),
  masterKeys,
  clock: systemClock,
  random: systemRandom,
  logger: silentLogger,
  transport: { sandbox: simulated, production: simulated },
});
const openIssuer = async (...of: Parameters<typeof services.openIssuer>) => watched(await services.openIssuer(...of));
const handle = toNodeHandler(createApp({ ...services, openIssuer })) as RequestListener;

const server = createServer((request, response) => {
  armed = CREATE_STEPS.find((step) => step.name === request.headers[CRASH_HEADER])?.at ?? null;
  const writeHead = response.writeHead;
  response.writeHead = (...head: unknown[]) => {
    reach('answering');
    return Reflect.apply(writeHead, response, head);
  };
  handle(request, response);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

// --- internal ---

function watched(issuer: EngineIssuer): EngineIssuer {
  const { signer } = issuer;
  return {
    ...issuer,
    signer: {
      certificate: signer.certificate,
      async sign(...data) {
        const signature = await signer.sign(...data);
        reach('signed');
        return signature;
      },
    },
  };
}

function watchSqlite(): void {
  const statements: object = Object.getPrototypeOf(new BetterSqlite(':memory:').prepare('select 1'));
  const sourceOf = (self: unknown) => String(Reflect.get(self as object, 'source'));
  for (const method of ['run', 'all', 'get', 'iterate']) watchCalls(statements, method, sourceOf);
  watchCalls(BetterSqlite.prototype, 'exec', (_self, [text]) => String(text));
}

function watchPostgres(): void {
  watchCalls(Client.prototype, 'query', (_self, [query]) =>
    String(typeof query === 'string' ? query : (query as { text?: string }).text),
  );
}

/** Has the steps before and after a method's calls reached; `textOf` tells the statement of a call. */
function watchCalls(of: object, method: string, textOf: (self: unknown, parameters: unknown[]) => string): void {
  const original = Reflect.get(of, method) as (...parameters: unknown[]) => unknown;
  function call(this: unknown, ...parameters: unknown[]): unknown {
    const text = textOf(this, parameters);
    reach('before', text);
    const result = Reflect.apply(original, this, parameters);
    const after = <T>(value: T): T => {
      reach('after', text);
      return value;
    };
    return result instanceof Promise ? result.then(after) : after(result);
  }
  Reflect.set(of, method, call);
}
