import { type Clock, createUuidSource, type Logger, type Random, type Transport } from 'sri-core';
import { composeEngine } from './compose-engine.js';
import type { Config } from './config.js';
import { composeMail } from './mail/compose-mail.js';
import { readMailTemplates } from './mail/mail-templates.js';
import type { MailTransport } from './mail/mail-transport.js';
import { type OutboxWorkerParts, sendDueMails } from './mail/outbox-worker.js';
import { createBackground } from './scheduler/background.js';
import { createLoop } from './scheduler/loop.js';
import { cleaningTask, keyUsageTask, mailTask } from './scheduler/tasks.js';
import type { ServerUrls, Services } from './services.js';
import type { OpenedDatabase } from './store/open-database.js';
import { createStoredIssuers } from './tenancy/issuer-source.js';
import { KeyUsage } from './tenancy/key-usage.js';
import { createLimits } from './tenancy/limits.js';
import type { MasterKeys } from './tenancy/master-keys.js';
import type { RegistrationParts } from './tenancy/registration.js';
import { createVault } from './tenancy/vault.js';

/** What a server is put together from. */
export interface Parts {
  readonly config: Config;
  readonly urls: ServerUrls;
  readonly opened: OpenedDatabase;
  readonly masterKeys: MasterKeys;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** How to reach the SRI, for each of its worlds. */
  readonly transport: Readonly<Record<'sandbox' | 'production', Transport>>;
  /** Default: SMTP where it is configured, else files in the data directory. */
  readonly mail?: MailTransport;
}

/** A server without its socket: what answers requests, and what works in the background. */
export interface ComposedServer {
  readonly services: Services;
  /** Starts sending documents and mails. */
  start(): void;
  /** Does everything that is due, once. For tests. @returns how many attempts were made. */
  tick(): Promise<number>;
  /** Sends new requests elsewhere through `/readyz`, takes no new job or mail, and waits for those that are running. */
  drain(): Promise<void>;
  /** Drains, waits for what goes on after its request, and stores what was counted. The database stays open. */
  stop(): Promise<void>;
}

/** Puts a server together. Nothing runs until it is started. */
export function composeServer(parts: Parts): ComposedServer {
  const { config, opened, clock, random, logger, urls } = parts;
  const { database } = opened;
  const newId = createUuidSource(random);
  const vault = createVault(parts.masterKeys, random);
  const issuers = createStoredIssuers(database, vault);
  const keyUsage = new KeyUsage(database, clock, logger);
  const limits = createLimits(database, clock);
  const background = createBackground(clock, logger);
  const transport = parts.mail ?? composeMail(config, urls.baseUrl);
  const engine = composeEngine({ ...parts, storage: opened.storage, issuers });
  const { leaseMs, mailToBuyers } = config;
  const outbox: OutboxWorkerParts = {
    database,
    vault,
    engine,
    transport,
    templates: readMailTemplates(config.mailTemplates),
    mailToBuyers,
    clock,
    logger,
    newId,
    leaseMs,
    baseUrl: urls.baseUrl,
  };
  const mailLoop = createLoop(mailTask(outbox), clock, logger);
  const loops = [
    mailLoop,
    createLoop(keyUsageTask(keyUsage), clock, logger),
    createLoop(cleaningTask(issuers, limits), clock, logger),
  ];
  engine.on('authorized', () => mailLoop.wake());
  let draining = false;
  async function drain(): Promise<void> {
    draining = true;
    await Promise.all([engine.stop(), ...loops.map((loop) => loop.stop())]);
  }
  const { verificationTtlMs, apiKeyBrand } = config;
  const keysAreListed = config.onboarding === 'public';
  const wakeMail = () => mailLoop.wake();
  const registration: RegistrationParts = {
    database,
    vault,
    clock,
    random,
    newId,
    verificationTtlMs,
    apiKeyBrand,
    keysAreListed,
    wakeMail,
  };
  const services: Services = {
    config,
    urls,
    clock,
    logger,
    database,
    vault,
    engine,
    registration,
    issuers: { database, vault, clock, newId, forgetKeys: issuers.forget },
    outbox,
    keyUsage,
    limits,
    background,
    newRequestId: () => newId(clock.now()).replaceAll('-', ''),
    checkDatabase: () => opened.check(),
    isDraining: () => draining,
  };

  return {
    services,
    start() {
      engine.start();
      for (const loop of loops) loop.start();
    },
    async tick() {
      const attempts = (await engine.tick()) + (await sendDueMails(outbox));
      await keyUsage.flush();
      return attempts;
    },
    drain,
    async stop() {
      await drain();
      await background.idle();
      await keyUsage.flush();
      issuers.clear();
      transport.close();
    },
  };
}
