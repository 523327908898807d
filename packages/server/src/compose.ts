import {
  type Clock,
  createUuidSource,
  type Logger,
  type Occupancy,
  P12_THREADS,
  type Random,
  type Transport,
} from 'sri-core';
import { createKeyedReads } from 'sri-storage-adapters';
import { areOwnersSuspended } from './accounts/rows.js';
import { generateDueAgreements } from './agreements/generate-agreements.js';
import { agreementsTask } from './agreements/jobs.js';
import { type AgreementDeps, publishShippedAgreements } from './agreements/publish-agreements.js';
import { advanceDueAccounts } from './billing/advance-due-accounts.js';
import { announcePrices } from './billing/announce-prices.js';
import { billingMails } from './billing/billing-mail.js';
import type { BillingDeps } from './billing/change-billing.js';
import { currentUsage } from './billing/document-quota.js';
import { billingTask, priceTask } from './billing/jobs.js';
import { listPublishedPrices } from './billing/price-rows.js';
import { composeEngine } from './compose-engine.js';
import type { Config } from './config/config.js';
import { createFirstToken } from './console/first-link.js';
import { documentMails } from './documents/document-mail.js';
import { createExportSlots } from './documents/index.js';
import { createStoredIssuers } from './issuers/issuer-source.js';
import { certificateTask } from './issuers/jobs.js';
import { findOwner } from './issuers/owner-rows.js';
import { readIssuers } from './issuers/rows.js';
import { keyUsageTask } from './keys/jobs.js';
import { KeyUsage } from './keys/key-usage.js';
import { createKnownKeys } from './keys/known-keys.js';
import { composeMail } from './mail/compose-mail.js';
import { mailTask } from './mail/jobs.js';
import { readMailTemplates } from './mail/mail-templates.js';
import { longestSendMs, type MailTransport } from './mail/mail-transport.js';
import { createMailWorker, MAIL_SLOTS, sendDueMails } from './mail/mail-worker.js';
import { MAIL_RETRY_DELAYS_MS } from './mail/outbox-mail.js';
import type { OutboxWorkerDeps } from './mail/outbox-worker.js';
import { notificationsTask } from './notifications/jobs.js';
import { onboardingMails } from './onboarding/onboarding-mails.js';
import { redirectHosts } from './onboarding/redirect-url.js';
import type { RegistrationDeps } from './onboarding/register.js';
import type { OpenedDatabase } from './open-database.js';
import { giveOwnPlan } from './operator/change-plan.js';
import { createOperatorMail } from './operator/operator-mail.js';
import {
  countDocuments,
  measureMail,
  measureSender,
  measureTransport,
  type RunningCalls,
} from './ops/measured-ports.js';
import { describeState } from './ops/state-metrics.js';
import type { ServerDatabase } from './platform/database/tables.js';
import { watchWrites } from './platform/database/watched-database.js';
import { BODY_LIMITS, createBodyBudget } from './platform/http/body-budget.js';
import { createCallerSlots } from './platform/http/caller-slots.js';
import type { ServerUrls, Services } from './platform/http/services.js';
import { createStaticContents } from './platform/http/static-content.js';
import { createBackground } from './platform/jobs/background.js';
import { createFairQueue } from './platform/jobs/fair-queue.js';
import type { LongestTimes } from './platform/jobs/job-rows.js';
import { type LeasingDeps, leasedTask } from './platform/jobs/leased-task.js';
import { createLoop, type Task } from './platform/jobs/loop.js';
import type { SlotLimits } from './platform/jobs/slots.js';
import { limitsTask } from './platform/limits/jobs.js';
import { createLimits } from './platform/limits/limits.js';
import { createMetrics } from './platform/ops/metrics.js';
import { shareCheck } from './platform/ops/shared-check.js';
import { createWatchdog } from './platform/ops/watchdog.js';
import { watchAttempts } from './platform/ops/watched-attempts.js';
import type { MasterKeys } from './platform/secrets/master-keys.js';
import { requireMasterKeys } from './platform/secrets/sealing.js';
import { createVault } from './platform/secrets/vault.js';
import { createThreads, type Threads, WORK_THREADS } from './platform/threads/threads.js';
import { cleaningTask, storedLimitsTask, strayTimesTask } from './tasks.js';
import type { WebhookDeps } from './webhooks/administer-endpoints.js';
import { createDeliveryWorker } from './webhooks/delivery-worker.js';
import { deliveryTask } from './webhooks/jobs.js';
import { createWebhookSender, type WebhookSender } from './webhooks/webhook-sender.js';

/** The parts of a server. */
export interface ServerDeps {
  readonly config: Config;
  readonly urls: ServerUrls;
  readonly opened: OpenedDatabase;
  readonly masterKeys: MasterKeys;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The connection to the SRI, for each environment. */
  readonly transport: Readonly<Record<'sandbox' | 'production', Transport>>;
  /** Sends webhooks to their receivers. Default: over the network, with the machine's own root certificates. */
  readonly webhookSender?: WebhookSender;
  /** Default: SMTP where it is configured, else files in the data directory. */
  readonly mail?: MailTransport;
  /** Default: threads of this process. */
  readonly threads?: Threads;
}

/** A server without its socket: the request handler and the background work. */
export interface ComposedServer {
  readonly services: Services;
  /** Stores the data of the first request. Several processes may do so at once. */
  prepare(): Promise<void>;
  /** Starts sending documents and mails. */
  start(): void;
  /** Does all due work once. For tests. @returns the number of attempts. */
  tick(): Promise<number>;
  /**
   * Makes `/readyz` fail so that new requests go elsewhere, takes no new job or mail, and waits for the running ones.
   * @param patience once aborted, calls without an answer are cancelled and given back: to the SRI, mails and webhooks.
   * Given back means due at once, with no attempt used.
   */
  drain(patience?: AbortSignal): Promise<void>;
  /** Drains, waits for work that outlives its request, and stores counts. The database stays open. */
  stop(): Promise<void>;
}

/** Builds a server. Nothing runs until it is started. */
export function composeServer(deps: ServerDeps): ComposedServer {
  const { config, opened, clock, random, logger, urls } = deps;
  const { database: stored } = opened;
  const knownKeys = createKnownKeys(stored);
  const database = watchWrites(stored, knownKeys.forget);
  const newId = createUuidSource(random);
  const metrics = createMetrics();
  const watchdog = createWatchdog();
  const vault = createVault(deps.masterKeys, random);
  const issuers = createStoredIssuers(database, vault);
  // The frequent writes of key usage and limits change nothing in the cached keys.
  const keyUsage = new KeyUsage(stored, clock, logger);
  const limits = createLimits(stored, clock);
  const background = createBackground(clock, logger);
  const transport = measureMail(deps.mail ?? composeMail(config, urls.baseUrl), metrics);
  // Called before each submission, and hundreds of an issuer's submissions start at a time.
  const suspensions = createKeyedReads((ids) => database.read((tables) => areOwnersSuspended(tables, ids)));
  const threads =
    deps.threads ?? createThreads((error) => logger.error({ error: error.name }, 'a thread without work ended'));
  const threadQueue = createFairQueue(THREAD_QUEUE, clock);
  const sriCalls: RunningCalls = { count: 0 };
  const engine = composeEngine({
    ...deps,
    printRide: threads.printRide,
    storage: watchAttempts(opened.storage, { metrics, logger, onLook: watchdog.expect('documents', ENGINE_LOOKS_MS) }),
    transport: {
      sandbox: measureTransport(deps.transport.sandbox, 'sandbox', metrics, sriCalls),
      production: measureTransport(deps.transport.production, 'production', metrics, sriCalls),
    },
    issuers,
    ownerOf: async (issuerId) => (await database.read((tables) => findOwner(tables, issuerId)))?.tenantId ?? issuerId,
    maySend: async ({ issuerId }) => !(await suspensions.ask(issuerId)),
  });
  const { leaseMs, mailToBuyers, sandboxMail, sandboxMailsPerDay, plans } = config;
  const stopping = new AbortController();
  const outbox: OutboxWorkerDeps = {
    database,
    engine,
    transport,
    writers: {
      ...onboardingMails({ vault, baseUrl: urls.baseUrl }),
      ...documentMails({
        engine,
        database,
        printQueue: threadQueue,
        templates: readMailTemplates(config.mailTemplates),
      }),
      ...billingMails(),
    },
    rules: { mailToBuyers, sandboxMail, sandboxMailsPerDay, plans },
    clock,
    logger,
    newId,
    leaseMs: Math.max(config.leaseMs, longestSendMs(config.smtpTimeoutMs) + MAIL_WRITING_MS),
    stopping: stopping.signal,
  };
  const agreements: AgreementDeps = {
    database,
    clock,
    newId,
    agreementsEnabled: config.agreements,
    readOnly: config.readOnly,
  };
  const mails = createMailWorker(outbox, () => mailLoop.wake());
  const loopOf = (task: Task) => createLoop(watchdog.watch(task), clock, logger);
  const mailLoop = loopOf(mailTask(mails));
  const deliveries = createDeliveryWorker(
    {
      database,
      vault,
      sender: measureSender(
        deps.webhookSender ??
          createWebhookSender({ timeoutMs: config.webhookTimeoutMs, allowInsecure: config.webhookAllowInsecure }),
        metrics,
      ),
      clock,
      logger,
      // An attempt that outlives its lease is only made twice, and its record is rejected.
      leaseMs: Math.max(leaseMs, 2 * config.webhookTimeoutMs),
      delaysMs: config.webhookDelaysMs,
      headerPrefix: config.webhookHeaderPrefix?.toLowerCase() ?? null,
      userAgent: `${config.apiKeyBrand}-webhooks`,
      limits: WEBHOOK_SLOTS,
      stopping: stopping.signal,
    },
    () => deliveryLoop.wake(),
  );
  const deliveryLoop = loopOf(deliveryTask(deliveries));
  const billing: BillingDeps = {
    database,
    clock,
    random,
    newId,
    plans: config.plans,
    ivaRate: config.ivaRate,
    bankTransfer: config.bankTransfer,
    publishing: opened.publishing,
    listPrices: listPublishedPrices,
    wake: () => {
      mails.queued();
      deliveries.queued();
    },
  };
  // Once for all processes on the database.
  const leasing: LeasingDeps = { database, clock, leaseMs };
  const strays = strayTimesTask(database, clock, {
    MAIL: longestTimes(MAIL_RETRY_DELAYS_MS, outbox.leaseMs),
    WEBHOOK: longestTimes(config.webhookDelaysMs, Math.max(leaseMs, 2 * config.webhookTimeoutMs)),
  });
  const strayTimes = loopOf(strays);
  const createSharedLoop = (make: (held: ServerDatabase) => Task) => loopOf(leasedTask(leasing, make));
  const loops = [
    mailLoop,
    deliveryLoop,
    loopOf(keyUsageTask(keyUsage)),
    loopOf(cleaningTask(issuers, limits)),
    loopOf(limitsTask(limits)),
    strayTimes,
    createSharedLoop((held) => storedLimitsTask(held, clock)),
    createSharedLoop((held) => notificationsTask(held, clock)),
    createSharedLoop((held) => certificateTask(held, opened.publishing, clock, logger)),
    createSharedLoop((held) => agreementsTask({ ...agreements, database: held }, logger)),
    createSharedLoop((held) => billingTask({ ...billing, database: held }, logger)),
    createSharedLoop((held) => priceTask({ ...billing, database: held }, clock, logger)),
  ];
  countDocuments(engine, metrics);
  describeState(metrics, {
    database,
    clock,
    watchdog,
    sriStanding: () => engine.sriStanding(),
    connections: opened.connections,
  });
  const operatorMail = createOperatorMail({
    address: config.operatorEmail,
    transport,
    limits,
    background,
    clock,
    newId,
    baseUrl: urls.baseUrl,
  });
  engine.on('sriHeld', (outage) => {
    logger.error(outage, 'the SRI fails for every document: calls are held');
    operatorMail.sriHeld(outage);
  });
  engine.on('sriRecovered', (outage) => {
    logger.info({ ...outage, since: outage.since.toISOString() }, 'the SRI answers again: calls go on');
    operatorMail.sriRecovered(outage);
  });
  for (const verdict of ['authorized', 'returned', 'notAuthorized'] as const) {
    engine.on(verdict, ({ document }) => {
      mails.queued(document.updatedAt);
      deliveries.queued(document.updatedAt);
    });
  }
  let draining = false;
  async function drain(patience?: AbortSignal): Promise<void> {
    draining = true;
    patience?.addEventListener('abort', () => stopping.abort(), { once: true });
    if (patience?.aborted) stopping.abort();
    await Promise.all([engine.stop(patience), ...loops.map((loop) => loop.stop())]);
    await Promise.all([deliveries.idle(), mails.idle()]);
  }
  const { verificationTtlMs, apiKeyBrand } = config;
  const keysAreListed = config.onboarding === 'public' || config.use === 'own';
  const wakeMail = () => mails.queued();
  const p12Queue = createFairQueue(P12_QUEUE, clock);
  const checkLogo = (caller: string, bytes: Uint8Array) => threadQueue.run(caller, () => threads.checkLogo(bytes));
  const registration: RegistrationDeps = {
    database,
    p12Queue,
    checkLogo,
    vault,
    clock,
    random,
    newId,
    verificationTtlMs,
    redirects: {
      production: config.production,
      hosts: redirectHosts([urls.baseUrl, urls.appUrl], config.verificationRedirectHosts),
    },
    apiKeyBrand,
    firstPlan: config.use === 'own' ? 'OWN' : 'FREE',
    keysAreListed,
    wakeMail,
  };
  const webhooks: WebhookDeps = {
    database,
    vault,
    clock,
    random,
    newId,
    maxEndpoints: ({ tenant }) => config.plans[tenant.subscriptionTier].maxWebhookEndpoints,
    wakeDeliveries: () => deliveries.queued(),
  };
  const bodyBudget = createBodyBudget(BODY_LIMITS);
  const callerSlots = createCallerSlots();
  const exportSlots = createExportSlots();
  const largeBodies = createFairQueue(LARGE_BODIES, clock);
  metrics.watchLimits({
    body_bytes: bodyBudget.occupancy,
    large_bodies: largeBodies.occupancy,
    requests_of_a_caller: () => callerSlots.occupancy('usual'),
    creates_of_a_caller: () => callerSlots.occupancy('issuing'),
    uploads_of_a_caller: () => callerSlots.occupancy('uploading'),
    certificates: p12Queue.occupancy,
    prints: threadQueue.occupancy,
    exports: exportSlots.occupancy,
    calls: () => ({ used: sriCalls.count, limit: config.sriConcurrency }),
    webhooks: () => ({ used: deliveries.running(), limit: WEBHOOK_SLOTS.concurrencyWithSlow }),
    mails: () => ({ used: mails.running(), limit: MAIL_SLOTS }),
    keys: knownKeys.occupancy,
    ...issuers.occupancies,
    ...limits.occupancies,
    ...opened.occupancies,
    ...engine.occupancies,
    remembered_callers: () => fullest([p12Queue, threadQueue, largeBodies].map(({ callers }) => callers())),
  });
  const services: Services = {
    config,
    urls,
    clock,
    logger,
    database,
    newId,
    vault,
    engine,
    registration,
    issuers: { database, vault, clock, newId, p12Queue, checkLogo, plans: config.plans, forgetKeys: issuers.forget },
    keys: { database, clock, random, newId, apiKeyBrand, plans: config.plans, keyUsage },
    agreements,
    promotion: { ...agreements, random, apiKeyBrand, billing },
    readUsage: (tenant) => database.read((tables) => currentUsage(tables, plans, tenant, clock.now())),
    openIssuer: issuers.open,
    outbox,
    billing,
    webhooks,
    keyUsage,
    knownKeys,
    firstToken: createFirstToken(random),
    issuerReads: createKeyedReads((ids) => database.read((tables) => readIssuers(tables, ids))),
    limits,
    bodyBudget,
    staticContents: createStaticContents(),
    callerSlots,
    printQueue: threadQueue,
    printRide: (caller, input) => threadQueue.run(caller, () => threads.printRide(input)),
    printPatiently: (caller, input) => threadQueue.runPatiently(caller, () => threads.printRide(input)),
    readFigures: (caller, xmls) => threadQueue.runPatiently(caller, () => threads.readFigures(xmls)),
    exportSlots,
    largeBodies,
    background,
    metrics,
    watchdog,
    newRequestId: () => newId(clock.now()).replaceAll('-', ''),
    sriStanding: shareCheck(() => engine.sriStanding()),
    checkDatabase: shareCheck(() => opened.check()),
    checkWrites: shareCheck(() => opened.checkWrites()),
    checkMasterKeys: shareCheck(() => opened.readAside((tables) => requireMasterKeys(tables, vault))),
    isDraining: () => draining,
  };

  return {
    services,
    async prepare() {
      await publishShippedAgreements(agreements);
      if (config.use === 'own') await giveOwnPlan(agreements);
    },
    start() {
      watchdog.start();
      engine.start();
      for (const loop of loops) loop.start();
    },
    async tick() {
      await strays.run(stopping.signal);
      await advanceDueAccounts(billing, logger);
      await announcePrices(billing, logger, clock.now());
      const attempts = (await engine.tick()) + (await sendDueMails(outbox)) + (await deliveries.start());
      await deliveries.idle();
      await generateDueAgreements(agreements, logger);
      await keyUsage.flush();
      return attempts;
    },
    drain,
    async stop() {
      try {
        await drain();
        await background.idle();
        await keyUsage.flush();
        // This is the last chance to report uses to other processes. A failure does not prevent the stop.
        await limits.share().catch(() => {});
      } finally {
        issuers.clear();
        transport.close();
        await threads.close();
        metrics.close();
      }
    },
  };
}

// --- internal ---

function fullest(occupancies: readonly Occupancy[]): Occupancy {
  return occupancies.reduce((most, each) => (each.used > most.used ? each : most));
}

/** The longest delays that are scheduled, and the largest clock difference between machines. */
function longestTimes(delaysMs: readonly number[], leaseMs: number): LongestTimes {
  return { dueMs: Math.max(leaseMs, ...delaysMs) + LONGEST_SKEW_MS, leaseMs: leaseMs + LONGEST_SKEW_MS };
}

const LONGEST_SKEW_MS = 10 * 60_000;

/** The part of a mail's lease that is left for rendering its files and storing its outcome. */
const MAIL_WRITING_MS = 30_000;

/** The engine looks for work at least this often, unless long calls take all its places. */
const ENGINE_LOOKS_MS = 60_000;

const WEBHOOK_SLOTS: SlotLimits = { concurrency: 64, concurrencyWithSlow: 512, concurrencyPerLane: 2 };

/** An honest P12 takes milliseconds, any other at most three seconds; a request is cut off after thirty. */
const P12_QUEUE = { concurrency: P12_THREADS, waiting: 48, perCaller: 16, longestWaitMs: 20_000 };

/**
 * A print takes 10 ms for most documents and 200 ms for the longest. While the threads print, one more document is read from
 * the database. All requests of one caller over 200 connections may wait.
 */
const THREAD_QUEUE = { concurrency: WORK_THREADS + 1, waiting: 1024, perCaller: 256, longestWaitMs: 20_000 };

/** The largest body takes some 50 ms of the event loop. The loop then serves others for as long. */
const LARGE_BODIES = { concurrency: 1, waiting: 1024, perCaller: 256, longestWaitMs: 20_000, rest: 1 };
