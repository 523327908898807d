import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SriUnavailableError } from '../../errors.js';
import { systemRandom } from '../../random.js';
import { signXml } from '../../signing/sign-xml.js';
import type { Signer } from '../../signing/signer.js';
import { type SampleComprobante, sampleFactura, sampleNotaCredito } from '../../testing/sample-comprobante.js';
import { createTestClock } from '../../testing/test-clock.js';
import { createTestSigner } from '../../testing/test-p12.js';
import { authorizationEnvelope, receptionEnvelope } from '../soap.js';
import { createSriClient, SRI_URLS } from '../soap-client.js';
import { createSimulator, type SimulatorOptions } from './simulator.js';

const NOON = '2026-11-05T17:00:00Z';

function setUp(options: Omit<SimulatorOptions, 'clock'> = {}) {
  const clock = createTestClock(NOON);
  const simulator = createSimulator({ clock, checkSignature: false, ...options });
  const client = createSriClient({ transport: simulator.handle, clock, random: systemRandom });
  return { clock, simulator, client };
}

const codes = (answer: { readonly messages: readonly { readonly identifier: string }[] | null }) =>
  answer.messages?.map(({ identifier }) => identifier) ?? null;

describe('reception', () => {
  it('reception accepts a valid invoice', async () => {
    const { client, simulator } = setUp();
    const { xml, accessKey } = sampleFactura();
    expect(await client.submit('sandbox', accessKey, xml)).toEqual({
      outcome: 'received',
      status: 'RECIBIDA',
      messages: null,
      alreadyRegistered: false,
      inProcess: false,
    });
    expect(await simulator.find(accessKey)).toEqual({ estado: 'AUTORIZADO', xml });
  });

  it.each([
    { name: 'more than 320 KB', edit: (xml: string) => `${xml}<!--${'x'.repeat(320 * 1024)}-->`, code: '26' },
    { name: 'nothing', edit: () => '', code: '49' },
    { name: 'no XML', edit: () => 'hello', code: '35' },
    { name: 'a DOCTYPE', edit: (xml: string) => xml.replace('<factura', '<!DOCTYPE factura><factura'), code: '35' },
    {
      name: 'a declared encoding that contradicts the bytes',
      edit: (xml: string) => xml.replace('encoding="UTF-8"', 'encoding="UTF-16"'),
      code: '35',
    },
    { name: 'a byte order mark', edit: (xml: string) => `\uFEFF${xml}`, code: '35' },
    { name: 'a bare ampersand', edit: (xml: string) => xml.replace('&amp;', '&'), code: '35' },
    { name: 'no key', edit: (xml: string) => xml.replace(/<claveAcceso>.*<\/claveAcceso>/, ''), code: '35' },
    {
      name: 'a key of 48 digits',
      edit: (xml: string) => xml.replace(/\d<\/claveAcceso>/, '</claveAcceso>'),
      code: '35',
    },
    {
      name: 'a wrong order of elements',
      edit: (xml: string) => xml.replace(/(<estab>.*?<\/estab>)(<ptoEmi>.*?<\/ptoEmi>)/, '$2$1'),
      code: '35',
    },
    { name: 'an unknown root', edit: (xml: string) => xml.replaceAll('factura', 'recibo'), code: '35' },
    { name: 'an old version', edit: (xml: string) => xml.replace('version="1.1.0"', 'version="0.1"'), code: '36' },
    { name: 'another type', edit: (xml: string) => xml.replace('<codDoc>01', '<codDoc>04'), code: '47' },
    {
      name: 'a day that does not exist',
      edit: (xml: string) => xml.replace('>05/11/2026<', '>31/02/2026<'),
      code: '67',
    },
    {
      name: 'a wrong check digit',
      edit: (xml: string) =>
        xml.replace(
          /(\d{48})\d(<\/claveAcceso>)/,
          (_, key, end) => `${key}${(Number(sampleFactura().accessKey[48]) + 1) % 10}${end}`,
        ),
      code: '58',
    },
  ])('reception returns $name: $code, and stores nothing', async ({ edit, code }) => {
    const { client, simulator } = setUp();
    const { xml, accessKey } = sampleFactura();
    const answer = await client.submit('sandbox', accessKey, edit(xml));
    expect(answer).toMatchObject({ outcome: 'returned', status: 'DEVUELTA' });
    expect(codes(answer)).toEqual([code]);
    expect(await simulator.find(accessKey)).toBeNull();
  });

  it.each([
    { name: 'tomorrow', issueDate: '06/11/2026', code: '65' },
    { name: 'today', issueDate: '05/11/2026', code: null },
    { name: '90 days ago', issueDate: '07/08/2026', code: null },
    { name: '91 days ago', issueDate: '06/08/2026', code: '65' },
  ])('reception of a document dated $name: $code', async ({ issueDate, code }) => {
    const { client } = setUp();
    const { xml, accessKey } = sampleFactura({ issueDate });
    expect(codes(await client.submit('sandbox', accessKey, xml))).toEqual(code === null ? null : [code]);
  });

  it('reception counts days in Ecuador', async () => {
    const { client, clock } = setUp();
    clock.set('2026-11-06T04:59:59Z');
    const { xml, accessKey } = sampleFactura({ issueDate: '06/11/2026' });
    expect(codes(await client.submit('sandbox', accessKey, xml))).toEqual(['65']);
    clock.set('2026-11-06T05:00:00Z');
    expect(codes(await client.submit('sandbox', accessKey, xml))).toBeNull();
  });

  it('reception separates the two environments', async () => {
    const { client } = setUp();
    const sandbox = sampleFactura();
    const production = sampleFactura({ environment: 'production' });
    expect(codes(await client.submit('production', sandbox.accessKey, sandbox.xml))).toEqual(['58']);
    expect(codes(await client.submit('sandbox', production.accessKey, production.xml))).toEqual(['58']);
    expect(codes(await client.submit('production', production.accessKey, production.xml))).toBeNull();
    const answer = await client.authorization('production', production.accessKey);
    expect(answer).toMatchObject({ outcome: 'authorized', environment: 'production', messages: null });
    expect(await client.authorization('sandbox', production.accessKey)).toMatchObject({ known: false });
  });
});

describe('a repeated key or number', () => {
  it('a repeated key gives 70 while it is in process, and 43 once it is authorized', async () => {
    const { client, clock } = setUp({ authorizationDelayMs: 10_000 });
    const { xml, accessKey } = sampleFactura();
    await client.submit('sandbox', accessKey, xml);
    expect(await client.submit('sandbox', accessKey, xml)).toMatchObject({ outcome: 'received', inProcess: true });
    await clock.advance(10_000);
    expect(await client.submit('sandbox', accessKey, xml)).toMatchObject({
      outcome: 'received',
      alreadyRegistered: true,
    });
  });

  it('a key is accepted again after NO AUTORIZADO, with a new verdict', async () => {
    const { client } = setUp();
    const { xml, accessKey } = sampleFactura();
    await client.submit('sandbox', accessKey, xml.replace('<importeTotal>40.48', '<importeTotal>41.48'));
    expect(codes(await client.authorization('sandbox', accessKey))).toEqual(['52']);
    expect(await client.submit('sandbox', accessKey, xml)).toMatchObject({ status: 'RECIBIDA' });
    expect(await client.authorization('sandbox', accessKey)).toMatchObject({ outcome: 'authorized', comprobante: xml });
  });

  it('another key with the same number gives 45, unless the first was rejected', async () => {
    const { client } = setUp();
    const first = sampleFactura({ numericCode: '11111111' });
    const second = sampleFactura({ numericCode: '22222222' });
    const refused = first.xml.replace('<importeTotal>40.48', '<importeTotal>41.48');
    await client.submit('sandbox', first.accessKey, refused);
    expect(await client.submit('sandbox', second.accessKey, second.xml)).toMatchObject({ status: 'RECIBIDA' });
    const third = sampleFactura({ numericCode: '33333333' });
    expect(codes(await client.submit('sandbox', third.accessKey, third.xml))).toEqual(['45']);
    expect(codes(await client.submit('sandbox', first.accessKey, first.xml))).toEqual(['45']);
    const elsewhere = sampleFactura({ numericCode: '33333333', ruc: '1791251237001', environment: 'production' });
    expect(codes(await client.submit('production', elsewhere.accessKey, elsewhere.xml))).toBeNull();
  });
});

describe('concurrent submissions', () => {
  it('concurrent submissions of one key are accepted once', async () => {
    const { client } = setUp();
    const { xml, accessKey } = sampleFactura();
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.submit('sandbox', accessKey, xml)));
    expect(answers.filter(({ status }) => status === 'RECIBIDA')).toHaveLength(1);
    expect(answers.filter(({ alreadyRegistered }) => alreadyRegistered)).toHaveLength(19);
  });

  it('concurrent submissions of one number under several keys are accepted once', async () => {
    const { client } = setUp();
    const samples = Array.from({ length: 20 }, (_, index) =>
      sampleFactura({ numericCode: String(10_000_000 + index) }),
    );
    const answers = await Promise.all(samples.map(({ xml, accessKey }) => client.submit('sandbox', accessKey, xml)));
    expect(answers.filter(({ status }) => status === 'RECIBIDA')).toHaveLength(1);
    expect(answers.flatMap((answer) => codes(answer) ?? [])).toEqual(Array(19).fill('45'));
  });
});

describe('authorization', () => {
  it('authorization shows nothing, then work in process, then the verdict', async () => {
    const { client, clock } = setUp({ authorizationDelayMs: 10_000 });
    const { xml, accessKey } = sampleFactura();
    const ask = () => client.authorization('sandbox', accessKey);
    expect(await ask()).toMatchObject({ status: 'SIN_RESPUESTA', known: false });
    await client.submit('sandbox', accessKey, xml);
    expect(await ask()).toMatchObject({ status: 'SIN_RESPUESTA', known: false });
    await clock.advance(1_000);
    expect(await ask()).toMatchObject({ status: 'EN_PROCESO', known: true });
    await clock.advance(9_000);
    expect(await ask()).toEqual({
      outcome: 'authorized',
      status: 'AUTORIZADO',
      number: accessKey,
      date: '2026-11-05T12:00:10-05:00',
      environment: 'sandbox',
      comprobante: xml,
      messages: [
        {
          identifier: '60',
          message: 'ESTE PROCESO FUE REALIZADO EN EL AMBIENTE DE PRUEBAS',
          additionalInfo: null,
          type: 'ADVERTENCIA',
        },
      ],
    });
  });

  it.each([
    { name: 'the date', from: '<fechaEmision>05/11/2026', to: '<fechaEmision>04/11/2026', says: 'fechaEmision' },
    { name: 'the RUC', from: '<ruc>1791251237001', to: '<ruc>1791251238001', says: 'ruc' },
    { name: 'the environment', from: '<ambiente>1', to: '<ambiente>2', says: 'ambiente' },
    { name: 'the branch', from: '<estab>002', to: '<estab>001', says: 'estab' },
    { name: 'the point', from: '<ptoEmi>003', to: '<ptoEmi>001', says: 'ptoEmi' },
    { name: 'the number', from: '<secuencial>000000417', to: '<secuencial>000000418', says: 'secuencial' },
    { name: 'the kind of emission', from: '<tipoEmision>1', to: '<tipoEmision>2', says: 'tipoEmision' },
  ])('authorization rejects a key that differs in $name: 58', async ({ from, to, says }) => {
    const { client } = setUp();
    const { xml, accessKey } = sampleFactura();
    await client.submit('sandbox', accessKey, xml.replace(from, to));
    const answer = await client.authorization('sandbox', accessKey);
    expect(answer).toMatchObject({ outcome: 'notAuthorized', status: 'NO_AUTORIZADO' });
    expect(codes(answer)).toEqual(['58']);
    expect(answer.messages?.[0]?.additionalInfo).toContain(says);
  });

  it.each([
    {
      name: 'without a buyer',
      sample: { buyerIdType: '07', buyerId: '9999999999999' },
      edit: (xml: string) => xml,
      codes: ['69'],
    },
    {
      name: 'for a type that does not exist',
      sample: {},
      edit: (xml: string) => xml.replace('<codDocModificado>01', '<codDocModificado>99'),
      codes: ['64'],
    },
    { name: 'for an unknown invoice', sample: {}, edit: (xml: string) => xml, codes: ['68', '60'] },
  ] as { name: string; sample: SampleComprobante; edit: (xml: string) => string; codes: string[] }[])(
    'authorization of a credit note $name: $codes',
    async ({ sample, edit, codes: expected }) => {
      const { client } = setUp();
      const { xml, accessKey } = sampleNotaCredito(sample);
      expect(await client.submit('sandbox', accessKey, edit(xml))).toMatchObject({ status: 'RECIBIDA' });
      expect(codes(await client.authorization('sandbox', accessKey))).toEqual(expected);
    },
  );

  it('authorization finds the invoice of a credit note', async () => {
    const { client } = setUp();
    const invoice = sampleFactura();
    const note = sampleNotaCredito();
    await client.submit('sandbox', invoice.accessKey, invoice.xml);
    await client.submit('sandbox', note.accessKey, note.xml);
    expect(codes(await client.authorization('sandbox', note.accessKey))).toEqual(['60']);
  });

  it('authorization warns of a cédula with a wrong check digit', async () => {
    const { client } = setUp();
    const { xml, accessKey } = sampleFactura({ buyerIdType: '05', buyerId: '1710034066' });
    await client.submit('sandbox', accessKey, xml);
    const answer = await client.authorization('sandbox', accessKey);
    expect(answer.outcome).toBe('authorized');
    expect(codes(answer)).toEqual(['62', '60']);
  });

  it('authorization answers a query with half a key: 80', async () => {
    const { simulator } = setUp();
    const body = authorizationEnvelope(sampleFactura().accessKey).replace(/\d{49}/, '123');
    const answer = await (await post(simulator, 'AutorizacionComprobantesOffline', body)).text();
    expect(answer).toContain('<identificador>80</identificador>');
  });

  it('authorization returns a comprobante with CDATA sections inside', async () => {
    const { client } = setUp();
    const sample = sampleFactura();
    const xml = sample.xml.replace('Café molido', '<![CDATA[Café & <molido>]]>');
    await client.submit('sandbox', sample.accessKey, xml);
    expect(await client.authorization('sandbox', sample.accessKey)).toMatchObject({ comprobante: xml });
  });
});

describe('the signature', () => {
  const signer: Promise<Signer> = createTestSigner({
    ruc: '1791251237001',
    validFrom: new Date('2026-01-01T00:00:00Z'),
  });
  const signed = async (xml: string, signingTime = NOON) =>
    signXml(xml, await signer, { signingTime: new Date(signingTime) });

  async function verdict(xml: string, accessKey: ReturnType<typeof sampleFactura>['accessKey']) {
    const { client } = setUp({ checkSignature: true });
    expect(await client.submit('sandbox', accessKey, xml)).toMatchObject({ status: 'RECIBIDA' });
    return client.authorization('sandbox', accessKey);
  }

  it('the signature of a valid document is accepted', async () => {
    const { xml, accessKey } = sampleFactura();
    const file = await signed(xml);
    expect(await verdict(file, accessKey)).toMatchObject({ outcome: 'authorized', comprobante: file });
  });

  it.each([
    { name: 'blanks around an amount', edit: (xml: string) => xml.replace('>40.48</imp', '>\n 40.48 </imp') },
    {
      name: 'a schema hint',
      edit: (xml: string) =>
        xml.replace(
          '<factura ',
          '<factura xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b" ',
        ),
    },
  ])('the signature of a document with $name is accepted', async ({ edit }) => {
    const { xml, accessKey } = sampleFactura();
    const changed = edit(xml);
    expect(changed).not.toBe(xml);
    const file = await signed(changed);
    expect(await verdict(file, accessKey)).toMatchObject({ outcome: 'authorized', comprobante: file });
  });

  it.each([
    { name: 'missing', edit: async (xml: string) => xml },
    {
      name: 'of a file with accents in another encoding than declared',
      edit: async (xml: string) => (await signed(xml)).replace('UTF-8', 'ISO-8859-1'),
    },
    {
      name: 'over other content',
      edit: async (xml: string) => (await signed(xml)).replace('Café molido', 'Café tostado'),
    },
    { name: 'made in the future', edit: (xml: string) => signed(xml, '2026-11-06T17:00:00Z') },
  ])('a signature that is $name is rejected: 39', async ({ edit }) => {
    const { xml, accessKey } = sampleFactura();
    const answer = await verdict(await edit(xml), accessKey);
    expect(codes(answer)).toEqual(['39']);
    expect(answer.messages?.[0]?.additionalInfo).toMatch(/^La firma es invalida \[.+\]$/);
  });

  it('a signature with the certificate of another RUC is rejected: 39', async () => {
    const { xml, accessKey } = sampleFactura({ ruc: '1790012345001' });
    const answer = await verdict(await signed(xml), accessKey);
    expect(answer.messages?.[0]).toMatchObject({
      identifier: '39',
      additionalInfo: 'No existe el RUC en el certificado',
    });
  });
});

function post(simulator: { handle: (request: Request) => Promise<Response> }, service: string, body: string) {
  return simulator.handle(new Request(`${SRI_URLS.sandbox}/${service}`, { method: 'POST', body }));
}

describe('the wire', () => {
  const { xml, accessKey } = sampleFactura();

  it('an answer matches the real SRI: one line, prefix on the wrapper only, no declaration', async () => {
    const { simulator } = setUp();
    const received = await (await post(simulator, 'RecepcionComprobantesOffline', receptionEnvelope(xml))).text();
    expect(received).toBe(
      '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><ns2:validarComprobanteResponse xmlns:ns2="http://ec.gob.sri.ws.recepcion"><RespuestaRecepcionComprobante><estado>RECIBIDA</estado><comprobantes/></RespuestaRecepcionComprobante></ns2:validarComprobanteResponse></soap:Body></soap:Envelope>',
    );
    const again = await (await post(simulator, 'RecepcionComprobantesOffline', receptionEnvelope(xml))).text();
    expect(again).toContain(
      `<estado>DEVUELTA</estado><comprobantes><comprobante><claveAcceso>${accessKey}</claveAcceso><mensajes><mensaje><identificador>43</identificador><mensaje>CLAVE ACCESO REGISTRADA</mensaje><tipo>ERROR</tipo></mensaje></mensajes></comprobante></comprobantes>`,
    );
    const asked = await (
      await post(simulator, 'AutorizacionComprobantesOffline', authorizationEnvelope(accessKey))
    ).text();
    expect(asked).toBe(
      `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><ns2:autorizacionComprobanteResponse xmlns:ns2="http://ec.gob.sri.ws.autorizacion"><RespuestaAutorizacionComprobante><claveAccesoConsultada>${accessKey}</claveAccesoConsultada><numeroComprobantes>1</numeroComprobantes><autorizaciones><autorizacion><estado>AUTORIZADO</estado><numeroAutorizacion>${accessKey}</numeroAutorizacion><fechaAutorizacion>2026-11-05T12:00:00-05:00</fechaAutorizacion><ambiente>PRUEBAS</ambiente><comprobante><![CDATA[${xml}]]></comprobante><mensajes><mensaje><identificador>60</identificador><mensaje>ESTE PROCESO FUE REALIZADO EN EL AMBIENTE DE PRUEBAS</mensaje><tipo>ADVERTENCIA</tipo></mensaje></mensajes></autorizacion></autorizaciones></RespuestaAutorizacionComprobante></ns2:autorizacionComprobanteResponse></soap:Body></soap:Envelope>`,
    );
  });

  it('the simulator answers for an unreadable file under N/A', async () => {
    const { simulator } = setUp();
    const answer = await (await post(simulator, 'RecepcionComprobantesOffline', receptionEnvelope('x'))).text();
    expect(answer).toContain('<claveAcceso>N/A</claveAcceso>');
    expect(answer).toContain('<mensaje>ARCHIVO NO CUMPLE ESTRUCTURA XML</mensaje>');
  });

  const good = receptionEnvelope(xml);
  it.each([
    { name: 'no XML', body: 'hello', says: 'Error reading XMLStreamReader' },
    { name: 'no envelope', body: '<a/>', says: 'not a valid SOAP envelope' },
    {
      name: 'SOAP 1.2',
      body: good.replace('http://schemas.xmlsoap.org/soap/envelope/', 'http://www.w3.org/2003/05/soap-envelope'),
      says: 'VersionMismatch',
    },
    {
      name: 'an empty body',
      body: good.replace(/<soapenv:Body>.*<\/soapenv:Body>/, '<soapenv:Body/>'),
      says: 'no operation',
    },
    { name: 'another operation', body: good.replaceAll('validarComprobante', 'validar'), says: 'was not recognized' },
    { name: 'another namespace', body: good.replace('sri.ws.recepcion', 'sri.ws.otro'), says: 'was not recognized' },
    {
      name: 'an argument with a prefix',
      body: good.replace('<xml>', '<ec:xml>').replace('</xml>', '</ec:xml>'),
      says: 'Expected elements are &lt;{}xml&gt;',
    },
    { name: 'no base64', body: good.replace(/<xml>.*<\/xml>/, '<xml>¡hola!</xml>'), says: 'base64Binary' },
    {
      name: 'blanks without end that are no base64',
      body: good.replace(/<xml>.*<\/xml>/, `<xml>${' '.repeat(200_000)}!</xml>`),
      says: 'base64Binary',
    },
  ])('the simulator answers $name with a SOAP fault, HTTP 500', async ({ body, says }) => {
    const { simulator } = setUp();
    const response = await post(simulator, 'RecepcionComprobantesOffline', body);
    expect(response.status).toBe(500);
    const answer = await response.text();
    expect(answer).toContain('<soap:Fault><faultcode>soap:');
    expect(answer).toContain(says);
    expect(simulator.journal).toHaveLength(0);
  });

  it('the simulator answers a call without its argument: 49', async () => {
    const { simulator } = setUp();
    const answer = await (
      await post(simulator, 'RecepcionComprobantesOffline', good.replace(/<xml>.*<\/xml>/, ''))
    ).text();
    expect(answer).toContain('<identificador>49</identificador>');
  });

  it('the simulator describes its services, and has no others', async () => {
    const { simulator } = setUp();
    const get = (path: string) => simulator.handle(new Request(`https://cel.sri.gob.ec${path}`));
    const wsdl = await get('/comprobantes-electronicos-ws/RecepcionComprobantesOffline?wsdl');
    expect(await wsdl.text()).toContain('<wsdl:operation name="validarComprobante">');
    expect((await get('/comprobantes-electronicos-ws/AutorizacionComprobantesOffline?WSDL')).status).toBe(200);
    expect((await get('/comprobantes-electronicos-ws/RecepcionComprobantesOffline')).status).toBe(405);
    expect((await get('/comprobantes-electronicos-ws/Otro?wsdl')).status).toBe(404);
    expect((await get('/')).status).toBe(404);
  });
});

describe('the options for tests', () => {
  it('the simulator keeps a journal', async () => {
    const { simulator, client, clock } = setUp();
    const { xml, accessKey } = sampleFactura();
    await client.submit('sandbox', accessKey, xml);
    await clock.advance(1_000);
    await client.submit('production', accessKey, xml);
    await client.authorization('sandbox', accessKey);
    const sha256 = createHash('sha256').update(xml).digest('hex');
    expect(simulator.journal).toEqual([
      { at: new Date(NOON), operation: 'reception', environment: 'sandbox', accessKey, sha256, outcome: 'RECIBIDA' },
      {
        at: new Date('2026-11-05T17:00:01Z'),
        operation: 'reception',
        environment: 'production',
        accessKey,
        sha256,
        outcome: 'DEVUELTA 58',
      },
      {
        at: new Date('2026-11-05T17:00:01Z'),
        operation: 'authorization',
        environment: 'sandbox',
        accessKey,
        sha256: null,
        outcome: 'AUTORIZADO',
      },
    ]);
    simulator.reset();
    expect(simulator.journal).toEqual([]);
    expect(await simulator.find(accessKey)).toBeNull();
  });

  it('the simulator follows a script, one request after another', async () => {
    const { simulator, client, clock } = setUp();
    const { xml, accessKey } = sampleFactura();
    simulator.script('reception', { kind: 'http', status: 503 }, { kind: 'none' });
    simulator.script(
      'authorization',
      { kind: 'answer', body: '<html>', contentType: 'text/html' },
      { kind: 'fault' },
      { kind: 'unreachable' },
    );
    await expect(client.submit('sandbox', accessKey, xml)).rejects.toMatchObject({ httpStatus: 'HTTP_503' });
    expect(await client.submit('sandbox', accessKey, xml)).toMatchObject({ status: 'RECIBIDA' });
    await expect(client.authorization('sandbox', accessKey)).rejects.toMatchObject({ httpStatus: 'HTTP_502' });
    await expect(client.authorization('sandbox', accessKey)).rejects.toMatchObject({ httpStatus: 'HTTP_500' });
    const repeated = client.authorization('sandbox', accessKey);
    await clock.advance(1_000);
    expect(await repeated).toMatchObject({ outcome: 'authorized' });
    expect(simulator.journal.map(({ outcome }) => outcome)).toEqual([
      'http',
      'RECIBIDA',
      'answer',
      'fault',
      'unreachable',
      'AUTORIZADO',
    ]);
    simulator.script('reception', { kind: 'fault' });
    simulator.reset();
    expect(await client.submit('sandbox', accessKey, xml)).toMatchObject({ status: 'RECIBIDA' });
  });

  it('the simulator delays its answers on request', async () => {
    const { client, clock } = setUp({ latencyMs: 400 });
    const { xml, accessKey } = sampleFactura();
    let answered = false;
    const call = client.submit('sandbox', accessKey, xml).finally(() => {
      answered = true;
    });
    await clock.advance(399);
    expect(answered).toBe(false);
    await clock.advance(1);
    await call;
  });

  it('the journal drops the oldest entries beyond its capacity', async () => {
    const { client, simulator } = setUp({ capacity: 2 });
    const samples = [1, 2, 3].map((sequential) => sampleFactura({ sequential }));
    for (const { xml, accessKey } of samples) await client.submit('sandbox', accessKey, xml);
    expect(await Promise.all(samples.map(({ accessKey }) => simulator.find(accessKey)))).toMatchObject([
      null,
      { estado: 'AUTORIZADO' },
      { estado: 'AUTORIZADO' },
    ]);
    expect(simulator.journal).toHaveLength(2);
  });

  it('a new simulator restores the documents of an earlier one, and nothing else', async () => {
    const { xml, accessKey } = sampleFactura();
    const asked: string[] = [];
    const recall = async (key: string) => {
      asked.push(key);
      return key === accessKey ? xml : null;
    };
    const { client } = setUp({ recall });
    expect(await client.authorization('sandbox', accessKey)).toMatchObject({ outcome: 'authorized', comprobante: xml });
    expect(await client.authorization('sandbox', accessKey)).toMatchObject({ outcome: 'authorized' });
    const other = sampleFactura({ sequential: 7 }).accessKey;
    expect(await client.authorization('sandbox', other)).toMatchObject({ outcome: 'pending', known: false });
    expect(asked).toEqual([accessKey, other]);
  });

  it('the simulator fails like a network', async () => {
    const { simulator, client, clock } = setUp();
    const { xml, accessKey } = sampleFactura();
    simulator.script('reception', ...Array(4).fill({ kind: 'answerLost' }));
    const call = client.submit('sandbox', accessKey, xml).catch((error: unknown) => error);
    await clock.advance(10_000);
    expect(await call).toBeInstanceOf(SriUnavailableError);
    expect(await call).toMatchObject({ httpStatus: 'HTTP_503', mayHaveArrived: true });
    expect(new Set(simulator.journal.map(({ sha256 }) => sha256)).size).toBe(1);
    expect(await client.authorization('sandbox', accessKey)).toMatchObject({ outcome: 'authorized' });
  });
});
