import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentType } from 'sri-core';
import type { RequestTarget, ShownDocument, TestTenant } from '../test-tenant.js';
import type { AnyBody } from '../type-bodies.js';

/** A document as acknowledged to its creator. */
export interface AcknowledgedDocument {
  readonly idempotencyKey: string;
  readonly documentType: DocumentType;
  readonly accessKey: string;
  readonly sequential: number;
  /** 201 if this request created it; 200 if an earlier request did, whose answer was lost. */
  readonly status: number;
}

/** Clients that create documents until stopped, and retry each one until they get an answer. */
export interface StubbornCreators {
  /** The answers in the order of arrival. */
  readonly acknowledged: readonly AcknowledgedDocument[];
  /** Acknowledged documents, each counted once. */
  readonly documents: number;
  /** Requests without an answer, or with 503. */
  readonly lost: number;
  /** Waits until the condition is true. @throws as `stop`, at once. */
  until(condition: () => boolean): Promise<void>;
  /** Lets each client finish its current document. @throws if a client got an unexpected answer. */
  stop(): Promise<void>;
}

/** The parameters of a create. */
export interface Creation {
  readonly tenant: TestTenant;
  /** Picks the target of the next request. */
  readonly pick: () => RequestTarget;
  /** The body of a creator's document for an idempotency key. */
  readonly bodyFor: (creator: number, idempotencyKey: string) => AnyBody;
}

/**
 * Starts the clients. They repeat a request whose answer was lost with the same idempotency key. For every fifth
 * document they send two requests at once.
 */
export function startCreators(count: number, creation: Creation): StubbornCreators {
  const acknowledged: AcknowledgedDocument[] = [];
  let documents = 0;
  let lost = 0;
  let stopping = false;

  const onLost = () => {
    lost += 1;
  };

  async function work(creator: number): Promise<void> {
    for (let number = 1; !stopping; number += 1) {
      const key = `creator ${creator}, order ${number}`;
      const body = creation.bodyFor(creator, key);
      const post = () => createStubbornly(key, body, creation, onLost);
      const twice = number % 5 === creator % 5;
      const answers = await Promise.all(twice ? [post(), post()] : [post()]);
      if (new Set(answers.map(({ accessKey }) => accessKey)).size !== 1) throw new Error(`${key} gave two documents.`);
      acknowledged.push(...answers);
      documents += 1;
    }
  }

  const working = Promise.all(Array.from({ length: count }, (_, index) => work(index)));
  working.catch(() => {
    stopping = true;
  });
  return {
    acknowledged,
    get documents() {
      return documents;
    },
    get lost() {
      return lost;
    },
    async until(condition) {
      while (!condition()) {
        if (stopping) await working;
        await sleep(1);
      }
    },
    async stop() {
      stopping = true;
      await working;
    },
  };
}

/** Creates the document of that idempotency key; retries until it gets an answer. */
export async function createStubbornly(
  idempotencyKey: string,
  body: AnyBody,
  { tenant, pick }: Pick<Creation, 'tenant' | 'pick'>,
  onLost: () => void = () => {},
): Promise<AcknowledgedDocument> {
  const headers = { ...tenant.headers, 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  const sent = JSON.stringify({ ...body, order: idempotencyKey });
  for (;;) {
    const answer = await request(pick(), { method: 'POST', headers, body: sent });
    if (!answer || answer.status === 503) {
      onLost();
      await sleep(100 + 200 * Math.random());
      continue;
    }
    const replayed = answer.headers.get('idempotent-replayed') === 'true';
    if (answer.status !== (replayed ? 200 : 201)) throw new Error(`It answered ${answer.status}: ${answer.text}`);
    const { accessKey, sequential } = (JSON.parse(answer.text) as { document: ShownDocument }).document;
    const { documentType } = body;
    return { idempotencyKey, documentType, accessKey, sequential: Number(sequential), status: answer.status };
  }
}

// --- internal ---

interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Null if the connection broke before the end of the answer. */
async function request(target: RequestTarget, init: RequestInit): Promise<WholeAnswer | null> {
  try {
    const response = await target.request('/v1/documents', { ...init, signal: AbortSignal.timeout(20_000) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return null;
  }
}
