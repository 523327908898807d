import { describe, expect, it } from 'vitest';
import { checkDigit } from '../../access-key.js';
import { DOCUMENT_TYPES } from '../../documents/registry.js';
import { systemRandom } from '../../random.js';
import { fetchAuthorized } from '../../received/fetch-authorized.js';
import { checkValidity } from '../../received/validity.js';
import { createTestClock } from '../../testing/test-clock.js';
import { createSriClient } from '../soap-client.js';
import { type MagicKeyState, magicKey } from './magic-keys.js';
import { createSimulator } from './simulator.js';

const clock = createTestClock('2026-11-25T17:00:00Z');
const simulator = createSimulator({ clock });
const sri = createSriClient({ transport: simulator.handle, clock, random: systemRandom });
/** The key with other digits from `at` on, and its check digit. */
const withDigits = (key: string, at: number, digits: string) => {
  const changed = key.slice(0, at) + digits + key.slice(at + digits.length, 48);
  return changed + checkDigit(changed);
};
const keyOf = (state: MagicKeyState, documentType = '01') => magicKey({ state, documentType, issueDate: '05/11/2026' });

describe('magic keys', () => {
  it.each(DOCUMENT_TYPES)(
    'a magic key has an authorized document of type %s, with a real signature',
    async (documentType) => {
      const key = keyOf('authorized', documentType);
      const fetched = await fetchAuthorized(key, { sri });
      expect(fetched).toMatchObject({
        outcome: 'authorized',
        authorization: { number: key, date: '2026-11-05T12:00:00-05:00' },
        comprobante: { documentType, accessKey: key, issueDate: '05/11/2026', issuer: { ruc: '1799999982001' } },
        signature: { valid: true, warnings: [], signer: { ruc: '1799999982001' } },
      });
      expect(await checkValidity(key, { sri })).toMatchObject({ status: 'AUTHORIZED', source: 'consultation' });
    },
  );

  it.each([
    { state: 'authorized', fetched: 'authorized', validity: 'AUTHORIZED' },
    { state: 'annulled', fetched: 'authorized', validity: 'ANNULLED' },
    { state: 'pendingAnnulment', fetched: 'authorized', validity: 'PENDING_ANNULMENT' },
    { state: 'notAuthorized', fetched: 'notAuthorized', validity: 'NOT_AUTHORIZED' },
    { state: 'inProcess', fetched: 'inProcess', validity: 'NOT_FOUND' },
  ] as const)('a magic key has a document that is $state', async ({ state, fetched, validity }) => {
    expect((await fetchAuthorized(keyOf(state), { sri })).outcome).toBe(fetched);
    expect((await checkValidity(keyOf(state), { sri })).status).toBe(validity);
  });

  it.each([
    { name: 'another issuer', key: '2111202601179999999000110010010000000071234567811' },
    { name: 'an unknown type', key: keyOf('authorized', '02') },
    { name: 'a day before the present IVA', key: magicKey({ state: 'authorized', issueDate: '31/03/2024' }) },
    { name: 'no number', key: withDigits(keyOf('authorized'), 30, '000000000') },
    { name: 'a contingency', key: withDigits(keyOf('authorized'), 47, '2') },
  ])('the magic keys leave $name unknown', async ({ key }) => {
    expect((await fetchAuthorized(key, { sri })).outcome).toBe('unknown');
    expect((await checkValidity(key, { sri })).status).toBe('NOT_FOUND');
  });

  it('a magic key has the same bytes each time, of the whole years of the examples', async () => {
    for (const issueDate of ['01/04/2024', '29/02/2028', '31/12/2030']) {
      const key = magicKey({ state: 'authorized', issueDate });
      const [first, second] = [await fetchAuthorized(key, { sri }), await fetchAuthorized(key, { sri })];
      expect(first).toEqual(second);
      expect(first).toMatchObject({ outcome: 'authorized', signature: { valid: true } });
    }
  });
});
