import {
  DEFAULT_DOCUMENT_TYPE,
  DOCUMENT_TYPES,
  DOCUMENTS,
  type DocumentType,
  ecuadorDate,
  parseAccessKey,
} from 'sri-core';
import { type AnyBody, bodyOf, toCounterparty } from '../type-bodies.js';
import type { Ledger } from './ledger.js';
import type { DocumentCalls, Reply } from './process.js';
import { machine } from './simulated-machine.js';

/** The issuer of a client's documents. */
export interface Issuing {
  readonly issuerId: string;
  /** Documents that the plan allows; the server rejects the next one. */
  readonly quota: number;
  /** The calls to a living process, with the current keys. */
  calls(): Promise<DocumentCalls>;
  /**
   * The current environment, whose documents no other environment finds; `moving` during a move to another one, `gone`
   * for an account with a lost key.
   */
  environment(): string;
}

/** The life of one document, from its creation to its users' reaction to the verdict. */
export async function live(
  order: string,
  { issuerId, quota, calls, environment }: Issuing,
  { ledger, log }: { readonly ledger: Ledger; readonly log: (line: string) => void },
): Promise<void> {
  const { random } = machine;

  /** Repeats a call until its answer is not a failure of the service. */
  async function until(ask: (to: DocumentCalls) => Promise<Reply>): Promise<Reply> {
    for (;;) {
      if (environment() === 'gone') return { code: 'GONE' };
      const to = await calls();
      const asked = environment();
      const reply = await Promise.race([ask(to), machine.pause(PATIENCE_MS)]);
      const isOutdated = reply?.code === 'UNAUTHORIZED' && (asked === 'moving' || asked !== environment());
      if (reply && reply.code !== 'AGAIN' && !isOutdated) return reply;
      await machine.pause(50 + random.below(500));
    }
  }

  const type = random.chance(0.6) ? DEFAULT_DOCUMENT_TYPE : random.pick(DOCUMENT_TYPES);
  const body = bodyFor(type, random.chance(0.2) ? random.pick(MAGIC) : undefined);
  const created = await until((to) => to.create(body, order));
  if (created.accessKey === undefined) {
    log(`${order} rejected ${created.code}`);
    const isFull = created.code === 'QUOTA_EXCEEDED' && ledger.hasCreated(issuerId, quota);
    if (!isFull && created.code !== 'GONE') ledger.violate('a valid document is created', created.code);
    return;
  }
  const { accessKey } = created;
  const of = parseAccessKey(accessKey).environment;
  ledger.promise(accessKey, issuerId);
  log(`${order} created ${accessKey}`);
  const sent = await until((to) => to.send(accessKey));
  // An earlier request, whose answer was lost, may have queued it; or the account has moved on.
  if (sent.code !== 'OK' && !ILLEGAL.has(sent.code) && of === environment()) {
    ledger.violate('a created document is sent', `${accessKey}: ${sent.code}`);
  }

  await machine.pause(random.below(3_000));
  await lookAfter();
  if (random.chance(0.3)) {
    await machine.pause(random.below(20_000));
    await lookAfter();
  }

  /** Reads the document, and takes the action that its status suggests, or another one. */
  async function lookAfter(): Promise<void> {
    const found = await until((to) => to.find(accessKey));
    if (found.accessKey === undefined) {
      if (of === environment()) ledger.violate('a created document is found', `${accessKey}: ${found.code}`);
      return;
    }
    log(`${order} found ${found.status}`);
    const action = random.chance(0.2) ? random.pick(ACTIONS) : SENSIBLE[found.status];
    if (action === undefined || (action === 'annul' && random.chance(0.8))) return;
    const done = await until((to) => {
      if (action !== 'rebuild') return to[action](accessKey);
      return to.rebuild(accessKey, bodyFor(type), random.chance(0.3));
    });
    log(`${order} ${action} ${done.code}`);
    if (action === 'rebuild') await until((to) => to.send(done.accessKey ?? accessKey));
  }
}

// --- internal ---

/** The time without an answer after which people repeat a call. */
const PATIENCE_MS = 30_000;

/** The codes of the library and of the interface. */
const ILLEGAL = new Set(['INVALID_STATE_TRANSITION', 'BAD_REQUEST']);

/** The actions of people on a document, sensible or not. */
const ACTIONS = ['send', 'rebuild', 'annul', 'authorize', 'retry'] as const;

/** The sensible action by status. */
const SENSIBLE: Readonly<Record<string, (typeof ACTIONS)[number]>> = {
  AUTHORIZED: 'annul',
  RETURNED: 'rebuild',
  PENDING_SEND: 'retry',
  RECEIVED: 'retry',
  NOT_AUTHORIZED: 'rebuild',
};

/** Buyers whose documents the simulated SRI treats in a special way. */
const MAGIC = [
  'SRI-RETURNED-35',
  'SRI-RETURNED-50',
  'SRI-REGISTERED-43',
  'SRI-FOREIGN-43',
  'SRI-IN-PROCESS-70',
  'SRI-REFUSED-52',
  'SRI-WARNING-59',
  'SRI-FLAKY-2',
  'SRI-LOST-ANSWER',
  'SRI-LOST-ATTEMPT',
  'SRI-NEVER',
];

/** The shortest example of each type, so that more documents are played in the same time. */
const SHORTEST = new Map(
  DOCUMENT_TYPES.map((type) => {
    const lengths = DOCUMENTS[type].examples.map((example) => JSON.stringify(example).length);
    return [type, lengths.indexOf(Math.min(...lengths))];
  }),
);

/** A body of the type, of this day. @param counterpartyId one with an effect in the simulated SRI. */
function bodyFor(type: DocumentType, counterpartyId?: string): AnyBody {
  const today = ecuadorDate(new Date(machine.now()));
  return toCounterparty(bodyOf(type, { today, index: SHORTEST.get(type) ?? 0 }), {
    email: 'comprador@ejemplo.ec',
    ...(counterpartyId === undefined ? {} : { id: counterpartyId }),
  });
}
