import { countFailedAuthentication } from '../gate/rate-limit.js';
import { Refusal, unauthorized } from '../platform/errors/refusal.js';
import type { Answer } from '../platform/http/answer.js';
import type { Exchange } from '../platform/http/exchange.js';
import { isFromThisMachine } from '../platform/http/own-machine.js';
import { type PublicCall, type PublicRoute, routeHandler } from '../platform/http/route.js';
import { equalsSecret } from '../platform/secrets/equals-secret.js';

/**
 * The server's metrics. A client with `METRICS_TOKEN` may read them. Without a configured token, programs on the same
 * machine may; for all others the route does not exist.
 */
export const METRICS_ROUTE: PublicRoute = {
  method: 'GET',
  path: '/metrics',
  access: 'public',
  limit: null,
  handler: routeHandler({
    answer: async ({ exchange }: PublicCall): Promise<Answer> => {
      await requireReader(exchange);
      const { metrics } = exchange.services;
      return { status: 200, body: { kind: 'content', type: metrics.contentType, content: await metrics.text() } };
    },
  }),
};

// --- internal ---

/** @throws Refusal UNAUTHORIZED without the token; NOT_FOUND from another machine if no token is configured. */
async function requireReader(exchange: Exchange): Promise<void> {
  const { metricsTokens } = exchange.services.config;
  if (metricsTokens.length === 0) {
    if (!isFromThisMachine(exchange)) throw new Refusal('NOT_FOUND');
    return;
  }
  const given = exchange.bearer ?? '';
  const matches = metricsTokens.filter((token) => equalsSecret(token, given));
  if (matches.length > 0) return;
  if (given !== '') await countFailedAuthentication(exchange);
  throw unauthorized();
}
