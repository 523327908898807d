import { describe, expect, it } from 'vitest';
import { type AccessKey, buildAccessKey, parseAccessKey } from '../../access-key.js';
import { systemRandom } from '../../random.js';
import { createKeySigner } from '../../signing/key-signer.js';
import { signCanonicalXml } from '../../signing/xades.js';
import { findWarnings } from '../../sri/rules/content.js';
import { createSimulator } from '../../sri/simulator/simulator.js';
import { createSriClient } from '../../sri/soap-client.js';
import { CONTEXT, failuresOf, NUMBERING, submissionOf } from '../../testing/judged-bodies.js';
import { expectSound, pagesOf, textsOf } from '../../testing/ride-picture.js';
import { SAMPLE_ISSUER } from '../../testing/sample-bodies.js';
import { hasSriExample, rewriteSriExample } from '../../testing/sri-examples.js';
import { createTestClock } from '../../testing/test-clock.js';
import { createTestIdentity } from '../../testing/test-p12.js';
import type { CanonicalXml } from '../../xml/canonical-xml.js';
import type { PrepareContext } from '../context.js';
import { prepareDocument } from '../prepare.js';
import { readComprobante } from '../read-comprobante.js';
import { writeComprobante } from '../write-comprobante.js';
import type { DeliveryGuideBody } from './body.js';
import { DELIVERY_GUIDE_EXAMPLE } from './examples.js';
import { deliveryGuide } from './index.js';

const [FIRST, SECOND] = DELIVERY_GUIDE_EXAMPLE.recipients;
const [ITEM] = FIRST.items;

const guide = (change: object) => ({ ...DELIVERY_GUIDE_EXAMPLE, ...change });
const carrier = (change: object) => guide({ carrier: { ...DELIVERY_GUIDE_EXAMPLE.carrier, ...change } });
const recipient = (change: object) => guide({ recipients: [{ ...FIRST, ...change }, SECOND] });
const support = (change: object) => recipient({ supportingDocument: { ...FIRST.supportingDocument, ...change } });
const item = (change: object) => recipient({ items: [{ ...ITEM, ...change }] });
const prepare = (body: DeliveryGuideBody, context: Partial<PrepareContext> = {}) =>
  prepareDocument(body, { ...CONTEXT, ...context });
const xmlOf = (body: DeliveryGuideBody) => writeComprobante(prepare(body), SAMPLE_ISSUER, NUMBERING).xml;

describe('a rejected delivery guide', () => {
  it.each([
    { body: guide({ issueDate: '20/11/2026' }), failures: ['issueDate today'] },
    { body: guide({ carrier: undefined }), failures: ['carrier required'] },
    { body: carrier({ idType: '07' }), failures: ['carrier.idType oneOf'] },
    { body: carrier({ id: 'x'.repeat(21) }), failures: ['carrier.id maxLength'] },
    { body: carrier({ name: ' ' }), failures: ['carrier.name minLength'] },
    { body: carrier({ email: 'a@' }), failures: ['carrier.email email'] },
    { body: guide({ licensePlate: '' }), failures: ['licensePlate minLength'] },
    { body: guide({ licensePlate: 'x'.repeat(21) }), failures: ['licensePlate maxLength'] },
    { body: guide({ departureAddress: undefined }), failures: ['departureAddress required'] },
    { body: guide({ startDate: '20/11/2026' }), failures: ['startDate notEarlier'] },
    { body: guide({ startDate: '31/11/2026' }), failures: ['startDate date'] },
    { body: guide({ startDate: '23/11/2026' }), failures: ['endDate notEarlier'] },
    { body: guide({ startDate: undefined }), failures: ['startDate required'] },
    { body: guide({ endDate: '2026-11-22' }), failures: ['endDate date'] },
    { body: guide({ recipients: undefined }), failures: ['recipients required'] },
    { body: guide({ recipients: [] }), failures: ['recipients minItems'] },
    { body: guide({ recipients: Array(101).fill(SECOND) }), failures: ['recipients maxItems'] },
    { body: recipient({ id: undefined }), failures: ['recipients[0].id required'] },
    { body: recipient({ id: 'x'.repeat(21) }), failures: ['recipients[0].id maxLength'] },
    { body: recipient({ name: 'x'.repeat(301) }), failures: ['recipients[0].name maxLength'] },
    { body: recipient({ address: null }), failures: ['recipients[0].address required'] },
    { body: recipient({ email: 'a b@c.ec' }), failures: ['recipients[0].email email'] },
    { body: recipient({ reason: undefined }), failures: ['recipients[0].reason required'] },
    { body: recipient({ customsDocument: 'x'.repeat(21) }), failures: ['recipients[0].customsDocument maxLength'] },
    { body: recipient({ branchCode: '2' }), failures: ['recipients[0].branchCode pattern'] },
    { body: recipient({ route: 'x'.repeat(301) }), failures: ['recipients[0].route maxLength'] },
    { body: support({ documentType: '99' }), failures: ['recipients[0].supportingDocument.documentType catalog'] },
    { body: support({ number: undefined }), failures: ['recipients[0].supportingDocument.number required'] },
    { body: support({ number: '001001000000123' }), failures: ['recipients[0].supportingDocument.number pattern'] },
    {
      body: support({ authorizationNumber: '123456789' }),
      failures: ['recipients[0].supportingDocument.authorizationNumber pattern'],
    },
    {
      body: support({ issueDate: '22/11/2026' }),
      failures: ['recipients[0].supportingDocument.issueDate notLater'],
    },
    { body: recipient({ items: [] }), failures: ['recipients[0].items minItems'] },
    { body: recipient({ items: Array(1001).fill(ITEM) }), failures: ['recipients[0].items maxItems'] },
    { body: item({ mainCode: 'x'.repeat(26) }), failures: ['recipients[0].items[0].mainCode maxLength'] },
    { body: item({ auxiliaryCode: 7 }), failures: ['recipients[0].items[0].auxiliaryCode type'] },
    { body: item({ description: '' }), failures: ['recipients[0].items[0].description minLength'] },
    { body: item({ quantity: 24 }), failures: ['recipients[0].items[0].quantity decimal'] },
    { body: item({ quantity: '1.0000001' }), failures: ['recipients[0].items[0].quantity decimal'] },
    {
      body: item({ additionalDetails: Array(4).fill({ name: 'a', value: 'b' }) }),
      failures: ['recipients[0].items[0].additionalDetails maxItems'],
    },
    {
      body: guide({ additionalInfo: Array(16).fill({ name: 'a', value: 'b' }) }),
      failures: ['additionalInfo maxItems'],
    },
  ])('a rejected delivery guide has $failures', ({ body, failures }) => {
    expect(failuresOf(body)).toEqual(failures);
  });

  it('a rejected delivery guide reports every failure at once, also of dates in a body of the wrong shape', () => {
    const body = {
      ...support({ issueDate: '22/11/2026' }),
      issueDate: '20/11/2026',
      startDate: '19/11/2026',
      endDate: '18/11/2026',
      licensePlate: 7,
      additionalInfo: null,
    };
    const dates = [
      'issueDate today',
      'startDate notEarlier',
      'endDate notEarlier',
      'recipients[0].supportingDocument.issueDate notLater',
    ];
    expect(failuresOf(body)).toEqual(['licensePlate type', ...dates]);
    expect(failuresOf({ ...body, licensePlate: 'PBA1234' })).toEqual(dates);
    expect(failuresOf({ ...body, issueDate: undefined, endDate: undefined })).toEqual([
      'licensePlate type',
      'endDate required',
      'startDate notEarlier',
      'recipients[0].supportingDocument.issueDate notLater',
    ]);
  });

  it('a rebuilt delivery guide keeps its old date, from which the transport counts', () => {
    const body = guide({ issueDate: '19/11/2026', startDate: '19/11/2026' });
    expect(failuresOf(body)).toEqual(['issueDate today', 'startDate notEarlier']);
    expect(failuresOf(body, { keepIssueDate: '2026-11-19' })).toEqual([
      'recipients[0].supportingDocument.issueDate notLater',
    ]);
  });

  it('a doubtful identification of the carrier gives a warning, and strict checking rejects it', () => {
    const body = carrier({ id: '1710034066' });
    expect(prepareDocument(body, CONTEXT).warnings).toMatchObject([{ field: 'carrier.id', code: 'ID_CHECK_DIGIT' }]);
    expect(failuresOf(body, { strict: true })).toEqual(['carrier.id idCheckDigit']);
    const wrongShape = { ...body, licensePlate: null };
    expect(failuresOf(wrongShape, { strict: true })).toEqual(['licensePlate required', 'carrier.id idCheckDigit']);
  });
});

describe('the summary of a delivery guide', () => {
  it('the summary of a delivery guide has the first recipient as counterparty, and mails the others and the carrier', () => {
    expect(deliveryGuide.summary(prepare(DELIVERY_GUIDE_EXAMPLE))).toEqual({
      counterparty: {
        idType: null,
        id: '1790011674001',
        name: 'Comercial Ñandú & Cía.',
        email: 'compras@example.com',
      },
      copies: ['maria@example.com', 'carga@example.com'],
      total: '0.00',
      modifies: null,
    });
  });

  it('the summary of a delivery guide has each address once', () => {
    const body = guide({
      carrier: { ...DELIVERY_GUIDE_EXAMPLE.carrier, email: 'compras@example.com' },
      recipients: [FIRST, SECOND, SECOND, { ...SECOND, email: null }],
    });
    expect(deliveryGuide.summary(prepare(uncheckedGuide(body))).copies).toEqual(['maria@example.com']);
  });

  it('the summary of a delivery guide has no address when no party has one', () => {
    const body = guide({
      carrier: { ...DELIVERY_GUIDE_EXAMPLE.carrier, email: '' },
      recipients: [{ ...FIRST, email: ' ' }],
    });
    const { counterparty, copies } = deliveryGuide.summary(prepare(uncheckedGuide(body)));
    expect([counterparty.email, ...copies]).toEqual([null]);
  });
});

describe("the SRI's checks of a delivery guide", async () => {
  const clock = createTestClock('2026-11-21T17:00:00Z');
  const signer = createKeySigner(
    await createTestIdentity({ ruc: SAMPLE_ISSUER.ruc, validFrom: new Date('2026-01-01T00:00:00Z') }),
  );

  async function submit(xml: CanonicalXml) {
    const simulator = createSimulator({ clock });
    const client = createSriClient({ transport: simulator.handle, clock, random: systemRandom });
    const accessKey = readComprobante(xml).accessKey as AccessKey;
    const signed = await signCanonicalXml(xml, signer, { signingTime: clock.now() });
    const reception = await client.submit('production', accessKey, signed);
    const authorization = await client.authorization('production', accessKey);
    return { reception, authorization };
  }

  const changed = (from: string, to: string) => xmlOf(DELIVERY_GUIDE_EXAMPLE).replace(from, to) as CanonicalXml;

  it('the simulator returns a transport that starts before the issue date: 82', async () => {
    const { reception, authorization } = await submit(changed('<fechaIniTransporte>21', '<fechaIniTransporte>20'));
    expect(reception).toMatchObject({ status: 'DEVUELTA', messages: [{ identifier: '82' }] });
    expect(authorization).toMatchObject({ outcome: 'pending' });
  });

  it('the simulator refuses an unknown type of the supporting document: 64', async () => {
    const { reception, authorization } = await submit(changed('<codDocSustento>01', '<codDocSustento>99'));
    expect(reception).toMatchObject({ status: 'RECIBIDA' });
    expect(authorization).toMatchObject({ outcome: 'notAuthorized', messages: [{ identifier: '64' }] });
  });

  it.each([
    { name: 'known to the SRI', known: true, body: DELIVERY_GUIDE_EXAMPLE, warned: [] },
    { name: "the issuer's own, unknown", known: false, body: DELIVERY_GUIDE_EXAMPLE, warned: ['001-001-000000123'] },
    {
      name: 'without authorization number, unknown',
      known: false,
      body: support({ authorizationNumber: null }),
      warned: ['001-001-000000123'],
    },
    {
      name: 'of another issuer',
      known: false,
      body: support({
        authorizationNumber: buildAccessKey({
          ...parseAccessKey(FIRST.supportingDocument.authorizationNumber),
          ruc: '1790011674001',
        }),
      }),
      warned: [],
    },
  ])('the SRI’s checks warn of a supporting document, $name: $warned', ({ known, body, warned }) => {
    const messages = findWarnings(submissionOf(xmlOf(uncheckedGuide(body))), { knows: () => known });
    expect(messages.map(({ identifier, additionalInfo }) => [identifier, additionalInfo])).toEqual(
      warned.map((number) => ['68', number]),
    );
  });
});

describe('the RIDE of a delivery guide', () => {
  it('the RIDE of a delivery guide prints every recipient with its lines under repeated headings, on several pages', () => {
    for (const count of [1, 2, 9, 10, 11, 12, 13, 30]) {
      const recipients = Array.from({ length: 4 }, (_, index) => ({
        ...FIRST,
        id: `R-${index}`,
        items: Array.from({ length: count }, (_, line) => ({ ...ITEM, mainCode: `L${index}-${line}` })),
      }));
      const pages = pagesOf(xmlOf(uncheckedGuide(guide({ recipients }))));
      expectSound(pages);
      const all = pages.flatMap(textsOf);
      expect(all.filter((text) => /^L\d-\d+$/.test(text))).toEqual(
        recipients.flatMap(({ items }) => items.map(({ mainCode }) => mainCode)),
      );
      for (const page of pages) {
        const texts = textsOf(page);
        const lines = texts.filter((text) => /^L\d-\d+$/.test(text));
        // No heading without a line below it, and no line without a heading above it.
        if (lines.length > 0) expect(texts).toContain('Cantidad');
        const lastHeading = texts.lastIndexOf('Cantidad');
        expect(
          texts.slice(lastHeading).some((text) => lines.includes(text)),
          `${count} lines`,
        ).toBe(lastHeading >= 0);
        // Lines that continue from the page before have their recipient at the top.
        const [first = ''] = lines;
        const isContinued = first !== '' && !texts.slice(0, texts.indexOf(first)).includes(`R-${first[1]}`);
        const strip = isContinued ? `Destinatario ${Number(first[1]) + 1} de 4 \xb7 R.U.C.` : 'R.U.C.';
        expect(texts[0]?.startsWith(strip), texts[0]).toBe(true);
        for (const { id } of recipients) {
          if (texts.includes(id)) expect(lines.some((line) => line.startsWith(`L${id.slice(2)}-`))).toBe(true);
        }
      }
    }
  });

  it('the RIDE of a delivery guide has no sums and no payments', () => {
    const texts = pagesOf(xmlOf(DELIVERY_GUIDE_EXAMPLE)).flatMap(textsOf);
    expect(texts).not.toContain('VALOR TOTAL');
    expect(texts).not.toContain('Forma de pago');
    expect(texts).toContain('PBA1234');
  });
});

const SRI_EXAMPLE = 'GuiaRemision_V1.1.0.xml';

describe.skipIf(!hasSriExample(SRI_EXAMPLE))("the SRI's example", () => {
  it("reads the SRI's example of a delivery guide into a body and writes it again, element for element", () => {
    const { example, written } = rewriteSriExample(
      SRI_EXAMPLE,
      [
        ['<codDoc>00', '<codDoc>06'],
        ['<codDocSustento>00', '<codDocSustento>01'],
        [/<rise>[^<]*<\/rise>/, ''],
        [/<detallesAdicionales><\/detallesAdicionales>/, ''],
      ],
      (comprobante) => ({ ...comprobante, issueDate: null }),
    );
    expect(written).toEqual(example);
    expect(written).toContain('destinatarios/destinatario/detalles/detalle/codigoInterno=codigoInterno3');
  });
});

/** A changed example, as a body. */
function uncheckedGuide(body: object): DeliveryGuideBody {
  return body as DeliveryGuideBody;
}
