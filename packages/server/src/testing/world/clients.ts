import { parseAccessKey } from 'sri-core';
import type { Ledger } from './ledger.js';
import type { DocumentCalls, InvoiceBody, Reply } from './process.js';
import { machine } from './simulated-machine.js';

/** Whose documents a client issues. */
export interface Issuing {
  readonly issuerId: string;
  /** Documents that the plan allows; the server rejects the next one. */
  readonly quota: number;
  /** The calls to some living process, with the keys of this moment. */
  calls(): Promise<DocumentCalls>;
  /**
   * The environment of this moment, whose documents are found in no other; `moving` on the way to another one, `gone` for an
   * account whose people lost their key.
   */
  environment(): string;
}

/** One document, from its creation to what people make of the verdict. */
export async function live(
  order: string,
  { issuerId, quota, calls, environment }: Issuing,
  { ledger, tell }: { readonly ledger: Ledger; readonly tell: (line: string) => void },
): Promise<void> {
  const { random } = machine;

  /** Asks until there is an answer that is not a failure of the service. */
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

  const body = invoice(random.chance(0.2) ? random.pick(MAGIC) : null, order);
  const created = await until((to) => to.create(body, order));
  if (created.accessKey === undefined) {
    tell(`${order} rejected ${created.code}`);
    const isFull = created.code === 'QUOTA_EXCEEDED' && ledger.hasCreated(issuerId, quota);
    if (!isFull && created.code !== 'GONE') ledger.violate('a valid document is created', created.code);
    return;
  }
  const { accessKey } = created;
  const of = parseAccessKey(accessKey).environment;
  ledger.promise(accessKey, issuerId);
  tell(`${order} created ${accessKey}`);
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

  /** Looks at the document, and does what its status suggests, or something else. */
  async function lookAfter(): Promise<void> {
    const found = await until((to) => to.find(accessKey));
    if (found.accessKey === undefined) {
      if (of === environment()) ledger.violate('a created document is found', `${accessKey}: ${found.code}`);
      return;
    }
    tell(`${order} found ${found.status}`);
    const action = random.chance(0.2) ? random.pick(ACTIONS) : SENSIBLE[found.status];
    if (action === undefined || (action === 'annul' && random.chance(0.8))) return;
    const done = await until((to) => {
      if (action !== 'rebuild') return to[action](accessKey);
      return to.rebuild(accessKey, invoice(null, order), random.chance(0.3));
    });
    tell(`${order} ${action} ${done.code}`);
    if (action === 'rebuild') await until((to) => to.send(done.accessKey ?? accessKey));
  }
}

// --- internal ---

/** People ask again after so long without an answer. */
const PATIENCE_MS = 30_000;

/** The codes of the library and of the interface. */
const ILLEGAL = new Set(['INVALID_STATE_TRANSITION', 'BAD_REQUEST']);

/** What people do with a document, sensible or not. */
const ACTIONS = ['send', 'rebuild', 'annul', 'authorize', 'retry'] as const;

/** What its status suggests. */
const SENSIBLE: Readonly<Record<string, (typeof ACTIONS)[number]>> = {
  AUTHORIZED: 'annul',
  RETURNED: 'rebuild',
  PENDING_SEND: 'retry',
  RECEIVED: 'retry',
  NOT_AUTHORIZED: 'rebuild',
};

/** Buyers whose documents the simulated SRI treats otherwise. */
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

function invoice(buyer: string | null, order: string): InvoiceBody {
  return {
    documentType: '01',
    buyer: {
      ...(buyer === null ? { idType: '05', id: '1710034065' } : { idType: '06', id: buyer }),
      name: `Compra ${order}`,
      email: 'comprador@ejemplo.ec',
    },
    items: [
      {
        mainCode: 'A1',
        description: 'Servicio',
        quantity: '1',
        unitPrice: '10.00',
        taxes: [{ code: '2', rateCode: '4', rate: '15', taxableBase: '10.00', taxAmount: '1.50' }],
      },
    ],
    payments: [{ method: '01', total: '11.50' }],
  };
}
