import { Type } from '@sinclair/typebox';
import { WRITE_FAULTS, type WriteFault, WritesRefusedError } from '../platform/database/write-probe.js';
import { json } from '../platform/http/answer.js';
import type { Exchange } from '../platform/http/exchange.js';
import { type PublicCall, type PublicRoute, publicly, routeHandler } from '../platform/http/route.js';
import { withinTime } from '../platform/ops/within-time.js';
import { packageVersion } from '../platform/package-folder.js';
import { flag, maybe, oneOf, part, text, whole } from '../platform/schema-words.js';

const status = oneOf(['ok', 'error'], 'Whether all is well.');
const sriState = oneOf(['held', 'recovering'], 'Calls are held, or share a limit until the backlog is done.');
const healthSchema = Type.Object({
  status,
  uptime: whole('Seconds since the start.', 3600, { minimum: 0 }),
  version: text('The version of the server.', '0.1.0'),
});
const readinessSchema = Type.Object({
  status,
  reason: maybe(oneOf(WRITE_FAULTS, 'Why what is written would not be kept; only then.')),
  checks: part('What was checked.', {
    database: flag('Whether the database answers, and keeps what is written.'),
    masterKey: flag('Whether every master key that is needed is there.'),
    background: flag('Whether everything that works in the background goes on.'),
    draining: flag('Whether the server is stopping.', false),
  }),
  sri: maybe(
    part('Environments whose SRI fails for every document, or comes back from that; absent while all is well.', {
      sandbox: maybe(sriState),
      production: maybe(sriState),
    }),
  ),
});

/** Routes for the operator. They are not part of the versioned interface. */
export const OPERATION_ROUTES: readonly PublicRoute[] = [
  probe(
    '/healthz',
    routeHandler({
      operation: {
        id: 'checkLiveness',
        summary: 'Answers while the process lives.',
        answers: { 200: Type.Object({ status: oneOf(['ok'], 'It lives.') }) },
      },
      answer: async () => json(200, { status: 'ok' }),
    }),
  ),
  probe(
    '/health',
    routeHandler({
      operation: {
        id: 'checkHealth',
        summary: 'Tells whether the database answers.',
        answers: { 200: healthSchema, 503: healthSchema },
      },
      answer: async ({ exchange }: PublicCall) => {
        const works = await passes(exchange, 'database', () => exchange.services.checkDatabase());
        const uptime = Math.floor(process.uptime());
        return json(works ? 200 : 503, { status: works ? 'ok' : 'error', uptime, version: packageVersion() });
      },
    }),
  ),
  probe(
    '/readyz',
    routeHandler({
      operation: {
        id: 'checkReadiness',
        summary: 'Tells whether requests can be served.',
        answers: { 200: readinessSchema, 503: readinessSchema },
      },
      answer: async ({ exchange }: PublicCall) => {
        const { services } = exchange;
        const stuck = services.watchdog.all().flatMap(({ name, isStuck }) => (isStuck ? [name] : []));
        if (stuck.length > 0) exchange.logger.error({ check: 'background', stuck }, 'a check failed');
        const why: { reason?: WriteFault } = {};
        const [answers, keeps, masterKey, hosts] = await Promise.all([
          passes(exchange, 'database', () => services.checkDatabase()),
          passes(exchange, 'writes', () =>
            services.checkWrites().catch((error: unknown) => {
              if (error instanceof WritesRefusedError) why.reason = error.reason;
              throw error;
            }),
          ),
          passes(exchange, 'master key', () => services.checkMasterKeys()),
          disturbedHosts(exchange),
        ]);
        const database = answers && keeps;
        const checks = { database, masterKey, background: stuck.length === 0, draining: services.isDraining() };
        const ready = checks.database && checks.masterKey && checks.background && !checks.draining;
        // Documents are created and queued, whatever the SRI does: that is no reason to send requests elsewhere.
        const sri = checks.database ? hosts : {};
        return json(ready ? 200 : 503, { status: ready ? 'ok' : 'error', ...why, checks, ...sri });
      },
    }),
  ),
];

// --- internal ---

function probe(path: string, handler: PublicRoute['handler']): PublicRoute {
  return publicly('GET', path, handler, { limit: 'probes', slots: 'apart' });
}

/** The caller wants a quick answer, above all when the database does not answer. */
const CHECK_MS = 1_500;

/** The state of the SRI in `/readyz`; nothing while it works. */
async function disturbedHosts({ services }: Exchange) {
  const standings = await withinTime(CHECK_MS, services.sriStanding()).catch(() => []);
  const disturbed = standings.filter(({ limit }) => limit !== null);
  if (disturbed.length === 0) return {};
  const reported = disturbed.map(({ environment, held }) => [environment, held.length > 0 ? 'held' : 'recovering']);
  return { sri: Object.fromEntries(reported) };
}

async function passes(exchange: Exchange, check: string, run: () => Promise<void>): Promise<boolean> {
  try {
    await withinTime(CHECK_MS, run());
    return true;
  } catch (error) {
    exchange.logger.error({ check, error: error instanceof Error ? error.message : 'unknown' }, 'a check failed');
    return false;
  }
}
