import type { Engine, Environment, Transport } from 'sri-core';
import type { MailTransport } from '../mail/mail-transport.js';
import type { Metrics } from '../platform/ops/metrics.js';
import type { SendingResult, WebhookSender } from '../webhooks/webhook-sender.js';

// The ports through which a server reaches others, with each call measured. Their behaviour is unchanged.

/** The calls to the SRI under way, in both environments. */
export interface RunningCalls {
  count: number;
}

/**
 * Counts calls to the SRI. An HTTP answer of any status is one call; its content is counted as an attempt of the
 * document.
 */
export function measureTransport(
  send: Transport,
  environment: Environment,
  metrics: Metrics,
  running: RunningCalls,
): Transport {
  return async (request) => {
    const operation = /Autorizacion/i.test(request.url) ? 'authorization' : 'reception';
    const startedAt = performance.now();
    const end = (outcome: string) =>
      metrics.countSriCall({ operation, environment, outcome, ms: performance.now() - startedAt });
    running.count += 1;
    try {
      const response = await send(request);
      end(statusClass(response.status));
      return response;
    } catch (error) {
      end(isTimeout(error) || request.signal.aborted ? 'timeout' : 'unreachable');
      throw error;
    } finally {
      running.count -= 1;
    }
  };
}

/** Counts mails by whether they were handed over. */
export function measureMail(transport: MailTransport, metrics: Metrics): MailTransport {
  return {
    async send(mail, signal) {
      const startedAt = performance.now();
      try {
        await transport.send(mail, signal);
        metrics.countMail({ outcome: 'sent', ms: performance.now() - startedAt });
      } catch (error) {
        metrics.countMail({ outcome: 'failed', ms: performance.now() - startedAt });
        throw error;
      }
    },
    close: () => transport.close(),
  };
}

/** Counts webhooks by their receivers' answers, or by the reason that none came. */
export function measureSender(sender: WebhookSender, metrics: Metrics): WebhookSender {
  return {
    async send(attempt) {
      const startedAt = performance.now();
      const result = await sender.send(attempt);
      metrics.countWebhook({ outcome: outcomeOf(result), ms: performance.now() - startedAt });
      return result;
    },
  };
}

/** Counts documents as they reach a status. */
export function countDocuments(engine: Engine, metrics: Metrics): void {
  engine.on('event', ({ document, event }) => {
    if (event.toStatus === null || event.toStatus === event.fromStatus) return;
    const { documentType: type, environment } = document;
    metrics.countDocument({ type, status: event.toStatus, environment });
  });
}

// --- internal ---

function statusClass(status: number): string {
  return `http_${Math.floor(status / 100)}xx`;
}

function outcomeOf({ acknowledged, status, fault }: SendingResult): string {
  if (acknowledged) return 'acknowledged';
  return status === null ? fault.toLowerCase() : statusClass(status);
}

function isTimeout(error: unknown): boolean {
  const names = [error, error instanceof Error ? error.cause : null].map((one) =>
    one instanceof Error ? `${one.name} ${'code' in one ? String(one.code) : ''}` : '',
  );
  return names.some((name) => /Timeout|TIMEDOUT|TIMEOUT/.test(name));
}
