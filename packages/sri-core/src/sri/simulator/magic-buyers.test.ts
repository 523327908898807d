import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../random.js';
import { sampleFactura } from '../../testing/sample-comprobante.js';
import { createTestClock } from '../../testing/test-clock.js';
import { createSriClient } from '../soap-client.js';
import { MAGIC_BUYERS } from './magic-buyers.js';
import { createSimulator } from './simulator.js';

/** The outcome of a magic buyer: the attempts to submit until one is answered, and the authorization after that. */
type Expected = {
  readonly buyer: (typeof MAGIC_BUYERS)[number]['id'];
  /** Outcome of each attempt in order; `HTTP_*` without an answer. */
  readonly attempts: readonly string[];
  /** Status and codes some moments after the last attempt, and two minutes later. */
  readonly soon: string | null;
  readonly later?: string;
};

const EXPECTED: readonly Expected[] = [
  { buyer: 'SRI-RETURNED-35', attempts: ['returned 35', 'returned 35'], soon: 'SIN_RESPUESTA' },
  { buyer: 'SRI-RETURNED-45', attempts: ['returned 45', 'returned 45'], soon: 'SIN_RESPUESTA' },
  { buyer: 'SRI-RETURNED-50', attempts: ['returned 50'], soon: 'SIN_RESPUESTA' },
  { buyer: 'SRI-RETURNED-65', attempts: ['returned 65'], soon: 'SIN_RESPUESTA' },
  { buyer: 'SRI-REGISTERED-43', attempts: ['received 43', 'received 43'], soon: 'AUTORIZADO 60' },
  { buyer: 'SRI-FOREIGN-43', attempts: ['received 43', 'received 43'], soon: 'AUTORIZADO 60' },
  { buyer: 'SRI-IN-PROCESS-70', attempts: ['received 70'], soon: 'AUTORIZADO 60' },
  { buyer: 'SRI-REFUSED-39', attempts: ['received', 'received'], soon: 'NO_AUTORIZADO 39' },
  { buyer: 'SRI-REFUSED-52', attempts: ['received'], soon: 'NO_AUTORIZADO 52' },
  { buyer: 'SRI-REFUSED-37', attempts: ['received'], soon: 'NO_AUTORIZADO 37' },
  { buyer: 'SRI-WARNING-59', attempts: ['received'], soon: 'AUTORIZADO 59 60' },
  { buyer: 'SRI-SLOW', attempts: ['received', 'received 70'], soon: 'EN_PROCESO', later: 'AUTORIZADO 60' },
  { buyer: 'SRI-NEVER', attempts: ['received'], soon: 'EN_PROCESO', later: 'EN_PROCESO' },
  { buyer: 'SRI-HTTP-500', attempts: Array(6).fill('HTTP_500'), soon: 'SIN_RESPUESTA' },
  { buyer: 'SRI-HTTP-503', attempts: Array(6).fill('HTTP_503'), soon: 'SIN_RESPUESTA' },
  { buyer: 'SRI-FAULT', attempts: ['HTTP_500', 'HTTP_500'], soon: 'SIN_RESPUESTA' },
  { buyer: 'SRI-TIMEOUT', attempts: ['HTTP_504', 'HTTP_504'], soon: 'SIN_RESPUESTA' },
  { buyer: 'SRI-UNREACHABLE', attempts: ['HTTP_503', 'HTTP_503'], soon: 'SIN_RESPUESTA' },
  { buyer: 'SRI-FLAKY-2', attempts: ['HTTP_503', 'HTTP_503', 'received'], soon: 'AUTORIZADO 60' },
  { buyer: 'SRI-LOST-ANSWER', attempts: ['received 43'], soon: 'AUTORIZADO 60' },
  { buyer: 'SRI-LOST-ATTEMPT', attempts: ['HTTP_503', 'received 43'], soon: 'AUTORIZADO 60' },
  { buyer: 'SRI-AUTH-HTTP-503', attempts: ['received'], soon: 'HTTP_503', later: 'HTTP_503' },
];

function setUp() {
  const clock = createTestClock('2026-11-05T17:00:00Z');
  const simulator = createSimulator({ clock, checkSignature: false });
  const client = createSriClient({ transport: simulator.handle, clock, random: systemRandom });
  return { clock, simulator, client };
}

/** A summary of an answer: its status and message codes, or the HTTP code. */
async function inAWord(
  clock: { advance(ms: number): Promise<void> },
  call: Promise<{
    readonly outcome: string;
    readonly status: string;
    readonly messages: readonly { readonly identifier: string }[] | null;
  }>,
  by: 'outcome' | 'status',
): Promise<string> {
  const settled = call.then(
    (answer) => [answer[by], ...(answer.messages ?? []).map(({ identifier }) => identifier)].join(' '),
    (error: { readonly httpStatus?: string }) => error.httpStatus ?? String(error),
  );
  let done = false;
  void settled.then(() => {
    done = true;
  });
  for (let turn = 0; turn < 200; turn += 1) {
    await clock.advance(done ? 0 : 1_000);
    if (done) break;
  }
  return settled;
}

describe('magic buyers', () => {
  it.each(EXPECTED)('the buyer $buyer gives $attempts, then $soon', async ({ buyer, attempts, soon, later }) => {
    const { clock, client } = setUp();
    const { xml, accessKey } = sampleFactura({ buyerId: buyer });
    const found: string[] = [];
    for (const _ of attempts) found.push(await inAWord(clock, client.submit('sandbox', accessKey, xml), 'outcome'));
    expect(found).toEqual(attempts);
    const ask = () => inAWord(clock, client.authorization('sandbox', accessKey), 'status');
    if (buyer === 'SRI-SLOW' || buyer === 'SRI-NEVER') await clock.advance(1_000);
    expect(await ask()).toBe(soon);
    await clock.advance(120_000);
    expect(await ask()).toBe(later ?? soon);
  });

  it('the magic buyers are at least twelve, each tested above, each described in both languages', () => {
    expect(EXPECTED.map(({ buyer }) => buyer).toSorted()).toEqual(MAGIC_BUYERS.map(({ id }) => id).toSorted());
    expect(MAGIC_BUYERS.length).toBeGreaterThanOrEqual(12);
    for (const { id, effect } of MAGIC_BUYERS) {
      expect(id).toMatch(/^SRI-[A-Z0-9-]{1,16}$/);
      expect(effect.es).not.toBe('');
      expect(effect.en).not.toBe('');
    }
  });

  it('a magic buyer leaves an invalid document invalid', async () => {
    const { client } = setUp();
    const { xml, accessKey } = sampleFactura({ buyerId: 'SRI-REFUSED-39' });
    const answer = await client.submit(
      'sandbox',
      accessKey,
      xml.replace('<moneda>DOLAR</moneda>', '<moneda></moneda>'),
    );
    expect(answer).toMatchObject({ outcome: 'returned', messages: [{ identifier: '35' }] });
  });

  it('SRI-FOREIGN-43 shows other content under the key', async () => {
    const { client } = setUp();
    const { xml, accessKey } = sampleFactura({ buyerId: 'SRI-FOREIGN-43' });
    const signed = xml.replace(
      '</factura>',
      '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignatureValue Id="a">AbCd==</ds:SignatureValue></ds:Signature></factura>',
    );
    await client.submit('sandbox', accessKey, signed);
    const answer = await client.authorization('sandbox', accessKey);
    const held = answer.outcome === 'authorized' ? answer.comprobante : null;
    expect(held).toContain('<razonSocialComprador>OTRO COMPRADOR<');
    expect(held).toContain('==dCbA<');
    expect(held).toContain(accessKey);
  });

  it('SRI-LOST-ANSWER and SRI-LOST-ATTEMPT keep the document', async () => {
    for (const buyerId of ['SRI-LOST-ANSWER', 'SRI-LOST-ATTEMPT']) {
      const { clock, simulator, client } = setUp();
      const { xml, accessKey } = sampleFactura({ buyerId });
      await inAWord(clock, client.submit('sandbox', accessKey, xml), 'outcome');
      expect(await simulator.find(accessKey)).toEqual({ estado: 'AUTORIZADO', xml });
    }
  });
});
