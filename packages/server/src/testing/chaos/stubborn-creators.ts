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
  /** 201 when this request made it, 200 when an earlier one had whose answer was lost. */
  readonly status: number;
}

/** Clients that create documents without end, and retry each one until they get an answer. */
export interface StubbornCreators {
  /** In the order in which the answers came. */
  readonly acknowledged: readonly AcknowledgedDocument[];
  /** Acknowledged documents, each counted once. */
  readonly documents: number;
  /** Requests without an answer, or with 503. */
  readonly lost: number;
  /** Waits until it is so. @throws as `stop` does, as soon as that is known. */
  until(condition: () => boolean): Promise<void>;
  /** Lets each finish the document it is at. @throws when any was answered what it should not be. */
  stop(): Promise<void>;
}

/** Who asks whom for what. */
export interface Creation {
  readonly tenant: TestTenant;
  /** Where the next request goes. */
  readonly pick: () => RequestTarget;
  /** The body of a creator's document of that idempotency key. */
  readonly bodyFor: (creator: number, idempotencyKey: string) => AnyBody;
}

/**
 * Starts them. A request whose answer was lost is repeated with the same idempotency key, and every fifth document is
 * asked for twice at once to begin with.
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
      const told = await Promise.all(twice ? [post(), post()] : [post()]);
      if (new Set(told.map(({ accessKey }) => accessKey)).size !== 1) throw new Error(`${key} gave two documents.`);
      acknowledged.push(...told);
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

/** Null when the connection broke before the whole answer was there. */
async function request(target: RequestTarget, init: RequestInit): Promise<WholeAnswer | null> {
  try {
    const response = await target.request('/v1/documents', { ...init, signal: AbortSignal.timeout(20_000) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return null;
  }
}
