import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../access-key.js';
import { systemClock } from '../clock.js';
import { systemRandom } from '../random.js';
import { describeFailedAttempt } from './failed-attempt.js';
import { NotConnectedError, toUnavailable } from './network-failure.js';
import { createSriClient } from './soap-client.js';

const KEY = '0511202601179125123700110020030000004176041823711' as AccessKey;
const fixtures = fileURLToPath(new URL('../../fixtures/sri/', import.meta.url));

/** The reasons why a submission and a query with this answer fail; none for a call that succeeds. */
async function failures(bytes: Uint8Array | string, status = 200): Promise<string[]> {
  const transport = async () => new Response(Buffer.from(bytes), { status, headers: { 'content-type': 'text/xml' } });
  const client = createSriClient({ transport, clock: systemClock, random: systemRandom });
  const ends = await Promise.allSettled([client.submit('sandbox', KEY, '<x/>'), client.authorization('sandbox', KEY)]);
  return ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as Error).message] : []));
}

describe('why an attempt failed', () => {
  it('describes every unusable answer in Spanish words', async () => {
    const texts = await Promise.all(readdirSync(fixtures).map((file) => failures(readFileSync(fixtures + file))));
    const known = new Set(texts.flat());
    expect(known.size).toBeGreaterThan(8);
    for (const text of known) {
      // A SOAP fault is in the words of the SRI.
      const [said = ''] = describeFailedAttempt(text, 'es').split(' Fallo SOAP: ');
      expect(said).toMatch(/^(El|La) /);
      expect(said).not.toMatch(/\b(the|with|is|has|missing)\b/i);
    }
  });

  it('a description keeps the status and the words of the SRI, and a text of another program', async () => {
    const fault =
      '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultstring>The $1 {} end.</faultstring></s:Fault></s:Body></s:Envelope>';
    const [text = ''] = await failures(fault, 503);
    expect(describeFailedAttempt(text, 'es')).toBe('El SRI respondió HTTP 503. Fallo SOAP: The $1 {} end.');
    expect(describeFailedAttempt(text, 'en')).toBe(text);
    expect(describeFailedAttempt('A text of another program.', 'es')).toBe('A text of another program.');
  });

  it.each([
    [
      new NotConnectedError(Object.assign(new Error(), { code: 'ECONNREFUSED' })),
      'No se pudo llegar al SRI (ECONNREFUSED).',
    ],
    [
      new NotConnectedError(Object.assign(new Error(), { code: 'ETIMEDOUT' })),
      'No se logró a tiempo la conexión con el SRI (ETIMEDOUT).',
    ],
    [new DOMException('', 'TimeoutError'), 'El SRI no respondió a tiempo (TimeoutError).'],
    [
      Object.assign(new Error(), { code: 'ECONNRESET' }),
      'La conexión con el SRI se cortó antes de su respuesta (ECONNRESET).',
    ],
  ])('describes a call without an answer: %s', (error, expected) => {
    expect(describeFailedAttempt(toUnavailable(error).message, 'es')).toBe(expected);
  });
});
