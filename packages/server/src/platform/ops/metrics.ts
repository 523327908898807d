import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Occupancies } from 'sri-core';
import { describeProcess } from './process-metrics.js';

/** The result and the duration of a call to another server. */
export interface EndedCall<Outcome extends string = string> {
  readonly outcome: Outcome;
  readonly ms: number;
}

/** The counters of a server's events. Labels take few values each, and no value of a stranger's choice. */
export interface Metrics {
  /** @param route the route's template, never the path of the request. */
  countRequest(request: { readonly method: string; readonly route: string; readonly status: number }, ms: number): void;
  countDocument(document: { readonly type: string; readonly status: string; readonly environment: string }): void;
  /** A call to the SRI over the network. */
  countSriCall(call: EndedCall & { readonly operation: string; readonly environment: string }): void;
  /** The answer of an attempt, as recorded. */
  countAttempt(attempt: { readonly operation: string; readonly outcome: string }): void;
  countWebhook(call: EndedCall): void;
  countMail(call: EndedCall): void;
  /** The registry for figures that are looked up. */
  readonly registry: Registry;
  /** Shows how full bounded queues, buffers and caches are. */
  watchLimits(occupancies: Occupancies): void;
  /** Registers a lookup for each time the metrics are read. */
  onRead(look: () => Promise<void>): void;
  /** All metrics in the text format of Prometheus. Simultaneous readers share one collection. */
  text(): Promise<string>;
  /** The media type of `text`. */
  readonly contentType: string;
  /** Stops measuring the process. */
  close(): void;
}

/** Creates the metrics of one server, in a separate registry. The documentation lists the names; they do not change. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'sri_http_request_duration_seconds',
    help: 'Time to answer a request, by route template and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 15, 30],
    registers,
  });
  const documents = new Counter({
    name: 'sri_documents_total',
    help: 'Documents that reached a status in this process, by document type and environment.',
    labelNames: ['type', 'status', 'environment'],
    registers,
  });
  const sriCalls = new Histogram({
    name: 'sri_call_duration_seconds',
    help: 'Calls to the SRI, by operation, environment and outcome.',
    labelNames: ['operation', 'environment', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60],
    registers,
  });
  const attempts = new Counter({
    name: 'sri_attempts_total',
    help: 'Attempts to have documents received or authorized, by what the SRI made of them.',
    labelNames: ['operation', 'outcome'],
    registers,
  });
  const webhooks = new Histogram({
    name: 'sri_webhook_attempt_duration_seconds',
    help: 'Attempts to deliver webhooks, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    registers,
  });
  const mails = new Histogram({
    name: 'sri_mail_attempt_duration_seconds',
    help: 'Attempts to hand over mails, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30],
    registers,
  });
  const process = describeProcess(registry);
  const limitUsed = addGauge(registry, {
    name: 'sri_limit_used',
    help: 'How much of a bounded queue, buffer or cache of this process is in use.',
    labels: ['limit'],
  });
  const limitMax = addGauge(registry, {
    name: 'sri_limit_max',
    help: 'The most that a bounded queue, buffer or cache of this process holds.',
    labels: ['limit'],
  });
  const looks: (() => Promise<void>)[] = [];
  let reading: Promise<string> | null = null;

  async function read(): Promise<string> {
    await Promise.all(looks.map((look) => look()));
    return registry.metrics();
  }

  return {
    countRequest: ({ method, route, status }, ms) =>
      requests.observe({ method: METHODS.has(method) ? method : 'OTHER', route, status }, ms / 1000),
    countDocument: (labels) => documents.inc(labels),
    countSriCall: ({ ms, ...labels }) => sriCalls.observe(labels, ms / 1000),
    countAttempt: (labels) => attempts.inc(labels),
    countWebhook: ({ ms, outcome }) => webhooks.observe({ outcome }, ms / 1000),
    countMail: ({ ms, outcome }) => mails.observe({ outcome }, ms / 1000),
    registry,
    watchLimits(occupancies) {
      looks.push(async () => {
        for (const [name, read] of Object.entries(occupancies)) {
          const { used, limit } = read();
          limitUsed.set({ limit: name }, used);
          limitMax.set({ limit: name }, limit);
        }
      });
    },
    onRead: (look) => void looks.push(look),
    text() {
      reading ??= read().finally(() => {
        reading = null;
      });
      return reading;
    },
    contentType: registry.contentType,
    close: () => process.close(),
  };
}

/** A gauge that is set each time the metrics are read. */
export function addGauge<Label extends string = never>(
  registry: Registry,
  { name, help, labels = [] }: { readonly name: string; readonly help: string; readonly labels?: readonly Label[] },
): Gauge<Label> {
  return new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
}

// --- internal ---

/** Methods come from strangers, so all unknown methods share one name. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);
