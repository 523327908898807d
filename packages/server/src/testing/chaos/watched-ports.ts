import { subscribe } from 'node:diagnostics_channel';
import type { EngineIssuer, Transport } from 'sri-core';
import type { MailTransport } from '../../mail/mail-transport.js';
import type { WebhookSender } from '../../webhooks/webhook-sender.js';
import type { CrashPort } from './crash-step.js';
import { reach } from './reach.js';

/** The same issuer with watched signatures. */
export function watchedIssuer(issuer: EngineIssuer): EngineIssuer {
  const { signer } = issuer;
  return {
    ...issuer,
    signer: {
      certificate: signer.certificate,
      async sign(...data) {
        const signature = await signer.sign(...data);
        at('a signature was made');
        return signature;
      },
    },
  };
}

/** The same transport to the SRI, watched at its start and its end. */
export function watchedSri(transport: Transport): Transport {
  return async (request) => {
    const isSubmission = isReception(request.url);
    at(isSubmission ? 'a submission is about to leave' : 'a question is about to leave');
    const answer = await transport(request);
    at(isSubmission ? 'a submission is answered' : 'a question is answered');
    return answer;
  };
}

/** Watches the SRI's HTTP client between start and end, through Node's diagnostics channels. */
export function watchSockets(): void {
  subscribe('undici:client:sendHeaders', (message) => {
    const { request } = message as { readonly request: { readonly path: string } };
    if (isReception(request.path)) at('a submission has a connection');
  });
  subscribe('undici:request:bodySent', (message) => {
    const { request } = message as { readonly request: { readonly path: string } };
    at(isReception(request.path) ? 'a submission is written' : 'a question is written');
  });
}

/** The same mail transport, watched. */
export function watchedMail(transport: MailTransport): MailTransport {
  return {
    async send(mail) {
      at('a mail is about to leave');
      await transport.send(mail);
      at('a mail is taken');
    },
    close: () => transport.close(),
  };
}

/** The same webhook sender, watched. */
export function watchedWebhooks(sender: WebhookSender): WebhookSender {
  return {
    async send(attempt) {
      at('a webhook is about to leave');
      const result = await sender.send(attempt);
      if (result.acknowledged) at('a webhook is acknowledged');
      return result;
    },
  };
}

// --- internal ---

function at(port: CrashPort): void {
  reach({ moment: 'port', port });
}

function isReception(url: string): boolean {
  return url.includes('RecepcionComprobantes');
}
