import { silentLogger, type Transport } from 'sri-core';
import { createApp } from '../../app.js';
import { type ComposedServer, composeServer } from '../../compose.js';
import type { Config } from '../../config/config.js';
import type { OpenedDatabase } from '../../open-database.js';
import type { ServerDatabase } from '../../platform/database/tables.js';
import type { Threads } from '../../platform/threads/threads.js';
import type { Ledger } from './ledger.js';
import type { Outside } from './outside.js';
import { type DocumentCalls, Process, ProcessGone, type Reply, SEEDED, type Weather } from './process.js';

/** The shared parts of the servers of a world. */
export interface ServerProcessDeps {
  readonly opened: OpenedDatabase;
  readonly config: Config;
  readonly ledger: Ledger;
  readonly outside: Outside;
  readonly weather: Weather;
}

/** One process of the server. */
export class ServerProcess extends Process {
  readonly #server: ComposedServer;
  readonly #app: ReturnType<typeof createApp>;

  constructor(name: string, { opened, config, ledger, outside, weather }: ServerProcessDeps) {
    super(name, weather);
    const url = 'http://localhost';
    const sri = outside.sri(name);
    const transport: Transport = (request) => this.calling('SRI', () => sri(request));
    this.#server = composeServer({
      config,
      urls: { baseUrl: url, appUrl: url, docsUrl: `${url}/docs` },
      opened: {
        ...opened,
        storage: this.reaching(ledger.watch(opened.storage, name)),
        database: this.#reachingDatabase(opened.database),
      },
      masterKeys: config.masterKeys as NonNullable<Config['masterKeys']>,
      clock: this.clock,
      random: SEEDED,
      logger: silentLogger,
      transport: { sandbox: transport, production: transport },
      mail: { send: (mail) => this.calling('mail', () => outside.mail.send(mail)), close: () => {} },
      webhookSender: { send: (attempt) => this.calling('webhook', () => outside.receivers.send(attempt)) },
      threads: THREADS,
    });
    this.#app = createApp(this.#server.services);
    this.#server.start();
  }

  protected override stop(patience: AbortSignal): Promise<void> {
    return this.#server.drain(patience);
  }

  /** Sends a request. @throws ProcessGone */
  async request(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const isJson = body !== undefined && !(body instanceof FormData);
    const init = {
      method,
      headers: { ...headers, ...(isJson ? { 'content-type': 'application/json' } : {}) },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as FormData) }),
    };
    return this.answering(async () => {
      const answer = await this.#app.request(path, init, { clientAddress: '190.1.2.3' });
      return { status: answer.status, body: await answer.json() };
    });
  }

  /** The calls of an account. */
  calls(headers: Readonly<Record<string, string>>): DocumentCalls {
    const ask = async (method: string, path: string, body?: unknown, more = {}): Promise<Reply> => {
      try {
        return toReply(await this.request(method, `/v1/documents${path}`, { ...headers, ...more }, body));
      } catch (error) {
        if (error instanceof ProcessGone) return { code: 'AGAIN' };
        throw error;
      }
    };
    return {
      create: (body, order) => ask('POST', '', body, { 'idempotency-key': order }),
      send: (accessKey) => ask('POST', `/${accessKey}/send`, {}),
      find: (accessKey) => ask('GET', `/${accessKey}`),
      rebuild: (accessKey, body, resequence) =>
        ask('POST', `/${accessKey}/rebuild`, { ...body, ...(resequence ? { resequence } : {}) }),
      annul: (accessKey) => ask('POST', `/${accessKey}/void`, { confirmedSriVoid: true, reason: 'Error en los datos' }),
      authorize: (accessKey) => ask('GET', `/${accessKey}/authorize`),
      retry: (accessKey) => ask('POST', `/${accessKey}/send/retry`, {}),
    };
  }

  #reachingDatabase(database: ServerDatabase): ServerDatabase {
    return {
      ...database,
      read: (work) =>
        this.calling('read', async () => {
          this.mayFail('read fails', this.struck('read'));
          return database.read(work);
        }),
      transaction: (work) =>
        this.calling('transaction', () =>
          database.transaction(async (tables) => {
            const result = await work(tables);
            this.mayFail('commit fails', this.struck('transaction'));
            return result;
          }),
        ),
      changeDocument: (change, also) => {
        const { accessKey } = change.document;
        return this.calling(
          'changeDocument',
          () =>
            database.changeDocument(change, async (tables) => {
              await also(tables);
              this.mayFail('commit fails', this.struck('changeDocument', accessKey));
            }),
          accessKey,
        );
      },
    };
  }
}

// --- internal ---

/** Stand-ins for the threads. One empty PDF replaces every RIDE, since worlds do not test the contents of mails. */
const THREADS: Threads = {
  printRide: async () => Buffer.from('%PDF-1.4'),
  readFigures: async (xmls) => xmls.map(() => null),
  checkLogo: async (bytes) => bytes,
  close: async () => {},
};

function toReply({ status, body }: { readonly status: number; readonly body: unknown }): Reply {
  if (status >= 500) return { code: 'AGAIN' };
  const { document, error, code } = body as {
    document?: { accessKey: string; status: string };
    error?: string;
    code?: string;
  };
  if (status < 300 && document) return { code: 'OK', accessKey: document.accessKey, status: document.status };
  return { code: code ?? error ?? String(status) };
}
