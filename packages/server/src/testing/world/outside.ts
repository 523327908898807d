import type { Transport } from 'sri-core';
import { createSimulator, SimulatedNetworkError, type Simulator } from 'sri-core/simulator';
import { verifyWebhook } from 'sri-core/webhooks';
import type { MailTransport, WrittenMail } from '../../mail/mail-transport.js';
import type { WebhookSender } from '../../webhooks/webhook-sender.js';
import { NETWORK_FAULTS } from './faults.js';
import type { Ledger } from './ledger.js';
import type { Weather } from './process.js';
import { machine } from './simulated-machine.js';

/** The external systems: the SRI, a mail server and the receivers of webhooks. */
export interface Outside {
  /** The transport of a process to the SRI. */
  sri(process: string): Transport;
  readonly simulator: Simulator;
  readonly mail: MailTransport;
  readonly receivers: WebhookSender;
  /** The number of times each mail was accepted, by its id. */
  readonly mails: ReadonlyMap<string, number>;
  /** The deliveries of each rise of a notification, as `notification id, count`. */
  readonly delivered: ReadonlyMap<string, ReadonlySet<string>>;
}

export function createOutside(parts: {
  readonly ledger: Ledger;
  readonly secrets: ReadonlyMap<string, string>;
  readonly weather: Weather;
}): Outside {
  const { ledger, secrets } = parts;
  const { mood, strike } = parts.weather;
  const mails = new Map<string, number>();
  const delivered = new Map<string, Set<string>>();
  const simulator = createSimulator({
    clock: { now: () => new Date(machine.now()), sleep: (ms) => machine.pause(ms) },
    checkSignature: false,
    capacity: 1_000_000,
    onSettled({ operation, accessKey, sha256 }) {
      if (operation === 'reception' && accessKey !== null && sha256 !== null) ledger.submitted(accessKey, sha256);
    },
  });

  /** A request over a network that loses, delays and reorders. */
  async function over<T>(
    to: string,
    accessKey: string | undefined,
    work: () => Promise<T>,
    refuse: () => T,
  ): Promise<T> {
    const { random } = machine;
    await machine.pause(random.below(mood().slowestMs + 1));
    if (!random.chance(mood().network)) {
      const result = await work();
      await machine.pause(random.below(mood().slowestMs + 1));
      return result;
    }
    const fault = random.pick(NETWORK_FAULTS);
    strike(fault, { process: to, call: to, ...(accessKey === undefined ? {} : { accessKey }) });
    const longMs = random.below(10_000);
    switch (fault) {
      case 'unreachable':
        throw new SimulatedNetworkError('ECONNREFUSED');
      case 'error answered':
        return refuse();
      case 'answer lost':
        await work();
        throw new SimulatedNetworkError('ECONNRESET');
      case 'answer late': {
        const result = await work();
        await machine.pause(longMs);
        return result;
      }
      case 'request late':
        await machine.pause(longMs);
        return work();
    }
  }

  return {
    simulator,
    mails,
    delivered,
    sri: (process) => async (request) => {
      const text = await request.text();
      const isSubmission = request.url.endsWith('RecepcionComprobantesOffline');
      const accessKey = isSubmission ? submittedKey(text) : /\d{49}/.exec(text)?.[0];
      if (accessKey !== undefined) ledger.calls(process, isSubmission ? 'submission' : 'question', accessKey);
      const { url, headers } = request;
      return over(
        'SRI',
        accessKey,
        () => simulator.handle(new Request(url, { method: 'POST', headers, body: text })),
        () => new Response('Service Unavailable', { status: 503 }),
      );
    },
    mail: {
      send: (mail: WrittenMail) =>
        over(
          'mail',
          undefined,
          async () => {
            mails.set(mail.id, (mails.get(mail.id) ?? 0) + 1);
          },
          () => {
            throw new Error('The simulated mail server refuses.');
          },
        ),
      close() {},
    },
    receivers: {
      send: ({ url, headers, body }) =>
        over<Awaited<ReturnType<WebhookSender['send']>>>(
          'webhook',
          undefined,
          async () => {
            const secret = secrets.get(url) ?? '';
            const now = new Date(machine.now());
            const { deliveryId, data } = verifyWebhook({ rawBody: body, headers, secret, now, toleranceMs: 3_600_000 });
            const { id, metadata } = data as { id: string; metadata: { count?: number } | null };
            const what = `${id}, ${metadata?.count ?? 1}`;
            const ids = delivered.get(what) ?? new Set();
            delivered.set(what, ids.add(deliveryId));
            if (ids.size > 1) ledger.violate('a rise of a notification has one delivery', what);
            return { acknowledged: true, status: 200, fault: null };
          },
          () => ({ acknowledged: false, status: 500, fault: null }),
        ).catch(() => ({ acknowledged: false, status: null, fault: 'CONNECT' })),
    },
  };
}

// --- internal ---

function submittedKey(envelope: string): string | undefined {
  const base64 = /<xml>([^<]+)<\/xml>/.exec(envelope)?.[1] ?? '';
  return /<claveAcceso>(\d{49})</.exec(Buffer.from(base64, 'base64').toString('latin1'))?.[1];
}
