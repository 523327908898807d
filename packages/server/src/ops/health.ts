import { Type } from '@sinclair/typebox';
import { json } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { defineHandler, type PublicCall, type PublicRoute } from '../http/route.js';
import { flag, oneOf, part, whole } from '../schemas.js';
import { withinTime } from './within-time.js';

const status = oneOf(['ok', 'error'], 'Whether all is well.');
const healthSchema = Type.Object({ status, uptime: whole('Seconds since the start.', 3600, { minimum: 0 }) });
const readinessSchema = Type.Object({
  status,
  checks: part('What was checked.', {
    database: flag('Whether the database answers.'),
    masterKey: flag('Whether every master key that is needed is there.'),
    background: flag('Whether everything that works in the background goes on.'),
    draining: flag('Whether the server is stopping.', false),
  }),
});

/** Routes for whoever runs the server. They stand outside the versioned interface. */
export const OPERATION_ROUTES: readonly PublicRoute[] = [
  {
    method: 'GET',
    path: '/healthz',
    access: 'public',
    limit: null,
    handler: defineHandler({
      operation: {
        id: 'checkLiveness',
        summary: 'Answers while the process lives.',
        answers: { 200: Type.Object({ status: oneOf(['ok'], 'It lives.') }) },
      },
      answer: async () => json(200, { status: 'ok' }),
    }),
  },
  {
    method: 'GET',
    path: '/health',
    access: 'public',
    limit: null,
    handler: defineHandler({
      operation: {
        id: 'checkHealth',
        summary: 'Tells whether the database answers.',
        answers: { 200: healthSchema, 503: healthSchema },
      },
      answer: async ({ exchange }: PublicCall) => {
        const works = await passes(exchange, 'database', () => exchange.services.checkDatabase());
        const uptime = Math.floor(process.uptime());
        return json(works ? 200 : 503, { status: works ? 'ok' : 'error', uptime });
      },
    }),
  },
  {
    method: 'GET',
    path: '/readyz',
    access: 'public',
    limit: null,
    handler: defineHandler({
      operation: {
        id: 'checkReadiness',
        summary: 'Tells whether requests can be served.',
        answers: { 200: readinessSchema, 503: readinessSchema },
      },
      answer: async ({ exchange }: PublicCall) => {
        const { services } = exchange;
        const stuck = services.pulses.all().flatMap(({ name, isStuck }) => (isStuck ? [name] : []));
        if (stuck.length > 0) exchange.logger.error({ check: 'background', stuck }, 'a check failed');
        const [database, masterKey] = await Promise.all([
          passes(exchange, 'database', () => services.checkDatabase()),
          passes(exchange, 'master key', () => services.checkMasterKeys()),
        ]);
        const checks = { database, masterKey, background: stuck.length === 0, draining: services.isDraining() };
        const ready = checks.database && checks.masterKey && checks.background && !checks.draining;
        return json(ready ? 200 : 503, { status: ready ? 'ok' : 'error', checks });
      },
    }),
  },
];

// --- internal ---

/** Whoever asks wants to know soon, above all of a database that is silent. */
const CHECK_MS = 1_500;

async function passes(exchange: Exchange, check: string, run: () => Promise<void>): Promise<boolean> {
  try {
    await withinTime(CHECK_MS, run());
    return true;
  } catch (error) {
    exchange.logger.error({ check, error: error instanceof Error ? error.message : 'unknown' }, 'a check failed');
    return false;
  }
}
