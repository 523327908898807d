import { describe, expect, it } from 'vitest';
import { type Bench, createBench, invoiceBody, SCOPE, sent } from '../testing/engine-bench.js';

const NAMES = ['created', 'received', 'returned', 'authorized', 'notAuthorized', 'voided'] as const;
const TO_BE_SENT = [
  'CREATED null → SIGNED {"accessKey":"KEY","sequential":"000000001"}',
  'STATUS_CHANGED SIGNED → PENDING_SEND',
];

interface Story {
  readonly name: string;
  readonly buyer?: string;
  /** After the document was sent and every due job ran. */
  readonly afterwards?: (bench: Bench, accessKey: string) => Promise<unknown>;
  /** The events after queueing: kind, move and detail. */
  readonly history: readonly string[];
  readonly reported: readonly string[];
}

const STORIES: readonly Story[] = [
  {
    name: 'authorized, and annulled later',
    afterwards: ({ engine }, key) => engine.void(SCOPE, key, { confirmedSriVoid: true, reason: 'Otro comprador' }),
    history: [
      'SENT PENDING_SEND → RECEIVED {"sriStatus":"RECIBIDA"}',
      'STATUS_CHANGED RECEIVED → AUTHORIZED {"authorizationNumber":"KEY"}',
      'VOIDED AUTHORIZED → VOIDED {"reason":"Otro comprador"}',
    ],
    reported: ['created SIGNED', 'received RECEIVED', 'authorized AUTHORIZED', 'voided VOIDED'],
  },
  {
    name: 'returned, and rebuilt',
    buyer: 'SRI-RETURNED-35',
    afterwards: ({ engine }, key) => engine.rebuild(SCOPE, key, { body: invoiceBody() }),
    history: ['SENT PENDING_SEND → RETURNED {"sriStatus":"DEVUELTA"}', 'REBUILT RETURNED → SIGNED'],
    reported: ['created SIGNED', 'returned RETURNED'],
  },
  {
    name: 'not authorized, and rebuilt with another key',
    buyer: 'SRI-REFUSED-39',
    afterwards: ({ engine }, key) => engine.rebuild(SCOPE, key, { redate: true }),
    history: [
      'SENT PENDING_SEND → RECEIVED {"sriStatus":"RECIBIDA"}',
      'STATUS_CHANGED RECEIVED → NOT_AUTHORIZED',
      'REBUILT NOT_AUTHORIZED → SIGNED',
    ],
    reported: ['created SIGNED', 'received RECEIVED', 'notAuthorized NOT_AUTHORIZED'],
  },
  {
    name: 'without an answer, and found at the SRI later',
    buyer: 'SRI-LOST-ATTEMPT',
    afterwards: async (bench) => {
      await bench.clock.advance(300_000);
      await bench.engine.tick();
    },
    history: [
      'ERROR null → null {"operation":"SEND"}',
      'SENT PENDING_SEND → RECEIVED {"sriStatus":"AUTORIZADO"}',
      'STATUS_CHANGED RECEIVED → AUTHORIZED {"authorizationNumber":"KEY"}',
    ],
    reported: ['created SIGNED', 'received AUTHORIZED', 'authorized AUTHORIZED'],
  },
  {
    name: 'received, while queries get no answer',
    buyer: 'SRI-AUTH-HTTP-503',
    history: [
      'SENT PENDING_SEND → RECEIVED {"sriStatus":"RECIBIDA"}',
      'ERROR null → null {"operation":"AUTHORIZE","message":"The SRI answered HTTP 503."}',
    ],
    reported: ['created SIGNED', 'received RECEIVED'],
  },
];

describe('the history of a document', () => {
  it.each(STORIES)(
    'the history of a document and its events for subscribers agree: $name',
    async ({ buyer, afterwards, history, reported }) => {
      const bench = await createBench();
      const { engine, clock } = bench;
      const heard: string[] = [];
      const entries: unknown[] = [];
      for (const name of NAMES) engine.on(name, ({ document }) => heard.push(`${name} ${document.status}`));
      engine.on('event', ({ event }) => entries.push(event));

      const document = await sent({ engine }, invoiceBody(buyer));
      await bench.during(engine.tick());
      await clock.advance(3_000);
      await bench.during(engine.tick());
      await afterwards?.(bench, document.accessKey);

      const events = await engine.events(SCOPE, document.accessKey);
      expect(events.map(inOneLine)).toEqual([...TO_BE_SENT, ...history]);
      expect(heard).toEqual(reported);
      expect(entries).toEqual(events);
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    },
  );
});

// --- internal ---

function inOneLine(event: Awaited<ReturnType<Bench['engine']['events']>>[number]): string {
  const { eventType, fromStatus, toStatus, detail } = event;
  // The network names the lost answer.
  const { message, ...rest } = detail ?? {};
  const shown = /HTTP/.test(String(message)) ? detail : rest;
  const move = `${eventType} ${fromStatus} → ${toStatus}`;
  return detail ? `${move} ${JSON.stringify(shown).replace(/\d{49}/, 'KEY')}` : move;
}
