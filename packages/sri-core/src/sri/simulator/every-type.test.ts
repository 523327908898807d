import { describe, expect, it } from 'vitest';
import { prepareDocument } from '../../documents/prepare.js';
import { DOCUMENT_TYPES, type DocumentTypeCode, documentTypeOf } from '../../documents/registry.js';
import { writeComprobante } from '../../documents/write-comprobante.js';
import { systemRandom } from '../../random.js';
import { SAMPLE_ISSUER } from '../../testing/sample-bodies.js';
import { createTestClock } from '../../testing/test-clock.js';
import { readXml } from '../../xml/reader.js';
import { createSriClient } from '../soap-client.js';
import { createSimulator } from './simulator.js';

const TODAY = '2026-11-21';

function setUp() {
  const clock = createTestClock(`${TODAY}T17:00:00Z`);
  const simulator = createSimulator({ clock, checkSignature: false });
  const client = createSriClient({ transport: simulator.handle, clock, random: systemRandom });
  return { clock, client };
}

/** The first example of a type, with that number and that identification of its counterparty. */
function exampleOf(code: DocumentTypeCode, { sequential = 7, counterpartyId = null as string | null } = {}) {
  const type = documentTypeOf(code);
  const prepared = prepareDocument(type.examples[0], { issuer: SAMPLE_ISSUER, today: TODAY });
  const numbering = { environment: 'sandbox', sequential, numericCode: '12345678' } as const;
  const { xml, accessKey } = writeComprobante(prepared, SAMPLE_ISSUER, numbering);
  const own = type.counterpartyId(readXml(xml));
  return { accessKey, xml: counterpartyId === null ? xml : xml.replace(`>${own}<`, `>${counterpartyId}<`) };
}

/** The SRI's answers about a document: reception, then authorization, with codes. */
async function answersTo(code: DocumentTypeCode, counterpartyId: string) {
  const { clock, client } = setUp();
  const { xml, accessKey } = exampleOf(code, { counterpartyId });
  const received = await client.submit('sandbox', accessKey, xml);
  const codesOf = (messages: readonly { readonly identifier: string }[] | null) =>
    (messages ?? []).map(({ identifier }) => identifier).join(' ');
  if (received.outcome === 'returned') return `returned ${codesOf(received.messages)}`;
  // The SRI shows a document in process only after a second.
  await clock.advance(1_000);
  const verdict = await client.authorization('sandbox', accessKey);
  return { status: verdict.status, codes: codesOf(verdict.messages), verdict };
}

describe.each(DOCUMENT_TYPES)('a document of type %s', (code) => {
  it('the identification of the counterparty forces a return, a refusal, a warning or another document', async () => {
    expect(await answersTo(code, 'SRI-RETURNED-45')).toBe('returned 45');
    expect(await answersTo(code, 'SRI-REFUSED-52')).toMatchObject({ status: 'NO_AUTORIZADO', codes: '52' });
    expect(await answersTo(code, 'SRI-WARNING-59')).toMatchObject({
      status: 'AUTORIZADO',
      codes: expect.stringMatching(/^59 .*60$/),
    });
    expect(await answersTo(code, 'SRI-NEVER')).toMatchObject({ status: 'EN_PROCESO' });
    expect(await answersTo(code, 'SRI-FOREIGN-43')).toMatchObject({
      verdict: { comprobante: expect.stringContaining('>OTRO COMPRADOR<') },
    });
  });

  it('a document in another version is unknown', async () => {
    const { client } = setUp();
    const { xml, accessKey } = exampleOf(code);
    const other = xml.replace(/(id="comprobante" version=)"[^"]*"/, '$1"0.1"');
    expect(await client.submit('sandbox', accessKey, other)).toMatchObject({
      outcome: 'returned',
      messages: [{ identifier: '36' }],
    });
  });
});

describe('a document that refers to another one', () => {
  /** The type, and the document that its example refers to. */
  it.each<{ code: DocumentTypeCode; to: DocumentTypeCode; sequential: number }>([
    { code: '04', to: '01', sequential: 123 },
    { code: '05', to: '01', sequential: 123 },
    { code: '06', to: '01', sequential: 123 },
  ])(
    'a document of type $code has a warning until the SRI knows $to number $sequential',
    async ({ code, to, sequential }) => {
      for (const isKnown of [false, true]) {
        const { client } = setUp();
        const referred = exampleOf(to, { sequential });
        if (isKnown) await client.submit('sandbox', referred.accessKey, referred.xml);
        const { xml, accessKey } = exampleOf(code);
        // Without an access key, the invoice of the goods counts as the issuer's own.
        const own = xml.replace(/<numAutDocSustento>\d+/, `<numAutDocSustento>${referred.accessKey}`);
        await client.submit('sandbox', accessKey, own);
        const { messages } = await client.authorization('sandbox', accessKey);
        expect((messages ?? []).map(({ identifier }) => identifier)).toEqual(isKnown ? ['60'] : ['68', '60']);
      }
    },
  );

  it('a withholding has a warning about a purchase settlement that its own issuer has not issued', async () => {
    for (const isKnown of [false, true]) {
      const { client } = setUp();
      const settlement = exampleOf('03', { sequential: 123 });
      if (isKnown) await client.submit('sandbox', settlement.accessKey, settlement.xml);
      const { xml, accessKey } = exampleOf('07');
      const about = xml
        .replace(/<codDocSustento>\d+/, '<codDocSustento>03')
        .replace(/<numDocSustento>\d+/, '<numDocSustento>001001000000123');
      await client.submit('sandbox', accessKey, about);
      const { messages } = await client.authorization('sandbox', accessKey);
      const codes = (messages ?? []).map(({ identifier }) => identifier);
      expect(codes.includes('68')).toBe(!isKnown);
    }
  });
});
