import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../access-key.js';
import { systemClock } from '../clock.js';
import { SriUnavailableError } from '../errors.js';
import { systemRandom } from '../random.js';
import { createSriClient } from './soap-client.js';

/** The real client, over a transport that answers every call with a file. */
function clientFor(bytes: Uint8Array, status = 200, contentType = 'text/xml') {
  const transport = async () => new Response(Buffer.from(bytes), { status, headers: { 'content-type': contentType } });
  return createSriClient({ transport, clock: systemClock, random: systemRandom });
}

async function failure(call: Promise<unknown>): Promise<SriUnavailableError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SriUnavailableError)) throw new Error(`expected SriUnavailableError, got ${String(error)}`);
  return error;
}

const KEY = '0511202601179125123700110020030000004176041823711' as AccessKey;
const fixtures = fileURLToPath(new URL('../../fixtures/sri/', import.meta.url));
const read = (file: string) => readFileSync(fixtures + file);
const receive = (file: string) => clientFor(read(file)).submit('sandbox', KEY, '<x/>');
const ask = (file: string) => clientFor(read(file)).authorization('sandbox', KEY);

describe('answers of reception', () => {
  it.each([
    ['reception-received.xml', 'received', 'RECIBIDA', null],
    ['reception-received-no-list.xml', 'received', 'RECIBIDA', null],
    ['reception-received-warned.xml', 'received', 'RECIBIDA', ['68']],
    ['reception-indented.xml', 'received', 'RECIBIDA', null],
    ['reception-header.xml', 'received', 'RECIBIDA', null],
    ['reception-bom.xml', 'received', 'RECIBIDA', null],
    ['reception-returned-35-order.xml', 'returned', 'DEVUELTA', ['35']],
    ['reception-returned-35-no-key.xml', 'returned', 'DEVUELTA', ['35']],
    ['reception-returned-45.xml', 'returned', 'DEVUELTA', ['45']],
    ['reception-returned-50.xml', 'returned', 'DEVUELTA', ['50']],
    ['reception-returned-65.xml', 'returned', 'DEVUELTA', ['65']],
    ['reception-returned-two.xml', 'returned', 'DEVUELTA', ['35', '28']],
    ['reception-returned-empty-messages.xml', 'returned', 'DEVUELTA', null],
    ['reception-returned-no-messages.xml', 'returned', 'DEVUELTA', null],
    ['reception-returned-prefixed.xml', 'returned', 'DEVUELTA', ['45']],
    ['reception-latin1.xml', 'returned', 'DEVUELTA', ['65']],
    ['reception-windows1252.xml', 'returned', 'DEVUELTA', ['35']],
    ['reception-utf16.xml', 'returned', 'DEVUELTA', ['65']],
    // 43 and 70 say that the SRI already has the document, so authorization decides.
    ['reception-returned-43.xml', 'received', 'DEVUELTA', ['43']],
    ['reception-returned-70.xml', 'received', 'DEVUELTA', ['70']],
  ])('reads the reception answer %s as %s', async (file, outcome, status, codes) => {
    const answer = await receive(file);
    expect(answer).toMatchObject({ outcome, status });
    expect(answer.messages?.map(({ identifier }) => identifier) ?? null).toEqual(codes);
    expect(answer.alreadyRegistered).toBe(codes?.includes('43') ?? false);
    expect(answer.inProcess).toBe(codes?.includes('70') ?? false);
  });

  it('keeps messages unchanged, without the blanks around them', async () => {
    expect((await receive('reception-returned-70.xml')).messages).toEqual([
      {
        identifier: '70',
        message: 'CLAVE DE ACCESO EN PROCESAMIENTO',
        additionalInfo: `La clave de acceso ${KEY}  esta en procesamiento VALOR DEVUELTO POR EL PROCEDIMIENTO: SI`,
        type: 'ERROR',
      },
    ]);
    expect((await receive('reception-returned-45.xml')).messages?.[0]?.additionalInfo).toBeNull();
    expect((await receive('reception-returned-50.xml')).messages?.[0]?.additionalInfo).toBeNull();
    expect((await receive('reception-latin1.xml')).messages?.[0]?.message).toBe('FECHA EMISIÓN EXTEMPORANEA');
    expect((await receive('reception-utf16.xml')).messages?.[0]?.message).toBe('FECHA EMISIÓN EXTEMPORANEA');
    expect((await receive('reception-windows1252.xml')).messages?.[0]?.message).toContain('“comillas”');
  });

  it.each([
    ['the charset of the header to that of the declaration', '<?xml version="1.0" encoding="UTF-8"?>', 'latin1'],
    ['the byte order mark to the charset of the header', '\uFEFF', 'utf8'],
  ] as const)('prefers %s', async (_, start, encoding) => {
    const bytes = Buffer.from(
      start +
        read('reception-returned-65.xml')
          .toString('utf8')
          .replace(/^<\?.*?\?>/, ''),
      encoding,
    );
    const client = clientFor(bytes, 200, 'text/xml; charset="ISO-8859-1"');
    expect((await client.submit('sandbox', KEY, '<x/>')).messages?.[0]?.message).toBe('FECHA EMISIÓN EXTEMPORANEA');
  });

  it.each([
    ['ISO-8859-15', (text: string) => Buffer.from(text.replace('Ó', '¤'), 'latin1'), '€'],
    ['US-ASCII', (text: string) => Buffer.from(text.replace('Ó', 'O')), 'O'],
    ['UTF-8 with the mark of UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(), 'Ó'],
  ])('reads an answer in %s', async (charset, encode, letter) => {
    const bytes = encode(read('reception-returned-65.xml').toString());
    const { messages } = await clientFor(bytes, 200, `text/xml; charset=${charset}`).submit('sandbox', KEY, '<x/>');
    expect(messages?.[0]?.message).toBe(`FECHA EMISI${letter}N EXTEMPORANEA`);
  });

  it('limits the stored size of an answer', async () => {
    // The cut falls within the first emoji.
    const long = `${'x'.repeat(3_999)}${'😀'.repeat(1_000)}`;
    const many = `<mensaje><identificador>35</identificador><mensaje>${long}</mensaje></mensaje>`.repeat(150);
    const text = read('reception-returned-45.xml')
      .toString()
      .replace(/<mensaje>.*<\/mensaje>/, many);
    const { messages } = await clientFor(Buffer.from(text)).submit('sandbox', KEY, '<x/>');
    expect(messages).toHaveLength(100);
    expect(messages?.[0]?.message).toBe(`${'x'.repeat(3_999)}\ufffd`);
  });

  it('reads an estado in small letters', async () => {
    const text = read('reception-received.xml').toString().replace('>RECIBIDA<', '>Recibida<');
    expect(await clientFor(Buffer.from(text)).submit('sandbox', KEY, '<x/>')).toMatchObject({ status: 'RECIBIDA' });
  });

  it('reads a code with leading zeros, as its advice does', async () => {
    const text = read('reception-returned-43.xml').toString().replace('>43<', '>0043<');
    const answer = await clientFor(Buffer.from(text)).submit('sandbox', KEY, '<x/>');
    expect(answer).toMatchObject({ outcome: 'received', alreadyRegistered: true, inProcess: false });
  });

  it('limits an answer that repeats the comprobante, and finds its registration in any of them', async () => {
    const text = read('reception-returned-45.xml').toString();
    const [comprobante = ''] = /<comprobante>.*<\/comprobante>/s.exec(text) ?? [];
    const last = comprobante.replace(/<identificador>45</, '<identificador>43<');
    const many = text.replace(comprobante, () => comprobante.repeat(150) + last);
    const answer = await clientFor(Buffer.from(many)).submit('sandbox', KEY, '<x/>');
    expect(answer).toMatchObject({ outcome: 'received', alreadyRegistered: true });
    expect(answer.messages).toHaveLength(100);
  });

  it.each(['reception-other-key.xml', 'reception-unknown-state.xml', 'reception-no-state.xml'])(
    'decides nothing about the document after %s: HTTP_502',
    async (file) => {
      expect(await failure(receive(file))).toMatchObject({
        httpStatus: 'HTTP_502',
        mayHaveArrived: true,
        network: false,
      });
    },
  );
});

describe('answers of authorization', () => {
  it.each([
    ['authorization-authorized.xml', '2026-11-05T14:22:07-05:00', 'sandbox', ['60']],
    ['authorization-authorized-escaped.xml', '2026-11-05T14:22:07.318-05:00', 'sandbox', null],
    ['authorization-authorized-bom.xml', '2026-11-05T14:22:07-05:00', 'sandbox', null],
    ['authorization-authorized-no-declaration.xml', '2026-11-05T14:22:07-05:00', 'sandbox', null],
    ['authorization-authorized-split-cdata.xml', '2026-11-05T14:22:07-05:00', 'sandbox', null],
    ['authorization-authorized-no-messages.xml', '2026-11-05T14:22:07-05:00', 'sandbox', null],
    ['authorization-authorized-no-number.xml', '2026-11-05T14:22:07-05:00', 'sandbox', null],
    ['authorization-authorized-old-date.xml', '05/11/2026 14:22:07', 'sandbox', null],
    ['authorization-authorized-AUT.xml', '2026-11-05T14:22:07-05:00', 'sandbox', null],
    ['authorization-default-namespace.xml', '2026-11-05T14:22:07-05:00', 'sandbox', ['60']],
    // An AUTORIZADO wins over refusals, older or newer.
    ['authorization-several.xml', '2026-11-05T14:22:07-05:00', 'sandbox', null],
  ])('reads the answer %s as authorized', async (file, date, environment, codes) => {
    const answer = await ask(file);
    expect(answer).toMatchObject({ outcome: 'authorized', status: 'AUTORIZADO', number: KEY, date, environment });
    expect(answer.messages?.map(({ identifier }) => identifier) ?? null).toEqual(codes);
  });

  it.each([
    ['authorization-authorized.xml', '<?xml version="1.0" encoding="UTF-8"?><factura id="comprobante"'],
    ['authorization-authorized-escaped.xml', '<?xml version="1.0" encoding="UTF-8"?><factura id="comprobante"'],
    ['authorization-authorized-bom.xml', '<?xml version="1.0" encoding="UTF-8"?><factura id="comprobante"'],
    ['authorization-authorized-no-declaration.xml', '<factura id="comprobante"'],
  ])('reads the comprobante as sent from %s', async (file, start) => {
    const answer = await ask(file);
    const comprobante = answer.outcome === 'authorized' ? (answer.comprobante ?? '') : '';
    expect(comprobante.startsWith(start)).toBe(true);
    expect(comprobante.endsWith('</factura>')).toBe(true);
    expect(comprobante).toContain('<razonSocial>Peña &amp; Muñoz S.A.</razonSocial>');
  });

  it('joins a comprobante with CDATA sections inside', async () => {
    const answer = await ask('authorization-authorized-split-cdata.xml');
    expect(answer).toMatchObject({
      comprobante: expect.stringContaining('<![CDATA[Peña & Muñoz S.A.]]></razonSocial>'),
    });
  });

  it('accepts an answer without the comprobante', async () => {
    expect(await ask('authorization-authorized-no-comprobante.xml')).toMatchObject({ comprobante: null });
  });

  it.each([
    ['authorization-refused-39.xml', 'NO_AUTORIZADO', ['39']],
    ['authorization-refused-52.xml', 'NO_AUTORIZADO', ['52']],
    ['authorization-refused-NAT.xml', 'NO_AUTORIZADO', ['46']],
    ['authorization-refused-rechazado.xml', 'RECHAZADO', ['46']],
    ['authorization-refused-rechazada.xml', 'RECHAZADA', ['80']],
    ['authorization-several-refused.xml', 'NO_AUTORIZADO', ['52']],
  ])('reads the answer %s as not authorized', async (file, status, codes) => {
    const answer = await ask(file);
    expect(answer).toMatchObject({ outcome: 'notAuthorized', status });
    expect(answer.messages?.map(({ identifier }) => identifier)).toEqual(codes);
  });

  it.each([
    ['authorization-in-process.xml', { status: 'EN_PROCESO', known: true, problem: null }],
    ['authorization-in-process-PPR.xml', { status: 'EN_PROCESO', known: true, problem: null }],
    ['authorization-unknown-state.xml', { status: 'POR_REVISAR', known: true, problem: says('POR_REVISAR') }],
    ['authorization-none.xml', { status: 'SIN_RESPUESTA', known: false, problem: null }],
    ['authorization-none-bare.xml', { status: 'SIN_RESPUESTA', known: false, problem: null }],
    ['authorization-other-key.xml', { status: 'SIN_RESPUESTA', known: false, problem: says('another access key') }],
    ['authorization-other-number.xml', { status: 'SIN_RESPUESTA', known: false, problem: says('another access key') }],
  ])('reads the answer %s as pending', async (file, expected) => {
    expect(await ask(file)).toEqual({ outcome: 'pending', messages: null, ...expected });
  });
});

describe('an authorization that contradicts itself or the key', () => {
  const authorized = read('authorization-authorized.xml').toString();
  const refused = read('authorization-refused-39.xml').toString();
  const about = (xml: string) => clientFor(Buffer.from(xml)).authorization('sandbox', KEY);
  const date = '<fechaAutorizacion>2026-11-05T14:22:07-05:00</fechaAutorizacion>';
  const dated = (text: string) => authorized.replace(date, `<fechaAutorizacion>${text}</fechaAutorizacion>`);

  it.each([
    ['no date', authorized.replace(date, ''), 'without a fechaAutorizacion'],
    ['an empty date', dated(''), 'without a fechaAutorizacion'],
    ['no date', dated('ayer'), 'that is no date'],
    ['a day that is not in the calendar', dated('2026-11-31T14:22:07-05:00'), 'that is no date'],
    ['month 13', dated('05/13/2026 14:22:07'), 'that is no date'],
    ['two dates', authorized.replace(date, date + date), 'fechaAutorizacion more than once'],
    ['two estados', authorized.replace('<estado>', '<estado>NO AUTORIZADO</estado><estado>'), 'estado more than once'],
    ['another ambiente', authorized.replace('>PRUEBAS<', '>PRODUCCIÓN<'), 'another ambiente'],
    ['an unknown ambiente', authorized.replace('>PRUEBAS<', '>NINGUNO<'), 'another ambiente'],
    ['a refusal of another ambiente', refused.replace('>PRUEBAS<', '>PRODUCCION<'), 'another ambiente'],
    ['no estado', authorized.replace('<estado>AUTORIZADO</estado>', ''), 'no estado'],
    ['an unknown estado', authorized.replace('>AUTORIZADO<', '>AUTORIZADO A MEDIAS<'), 'AUTORIZADO_A_MEDIAS'],
    ['a long estado', authorized.replace('>AUTORIZADO<', `>${'A'.repeat(99)}<`), ` ${'A'.repeat(40)};`],
    [
      'a number that is no key',
      authorized.replace(`<numeroAutorizacion>${KEY}`, '<numeroAutorizacion>12'),
      'not the access key',
    ],
    [
      'a date after which a refusal comes',
      authorized.replace(date, '').replace('</autorizacion>', refusalBehind(refused)),
      'without a fechaAutorizacion',
    ],
  ])('reports an authorization with %s as unusable', async (_, xml, problem) => {
    expect(await about(xml)).toMatchObject({ outcome: 'pending', known: true, problem: says(problem) });
  });

  it('accepts an authorization with blanks in its key, or its estado in the feminine', async () => {
    const spaced = authorized.replace(`Consultada>${KEY}`, `Consultada>${KEY.slice(0, 20)} ${KEY.slice(20)}`);
    expect(await about(spaced.replace('>AUTORIZADO<', '>AUTORIZADA<'))).toMatchObject({ status: 'AUTORIZADO' });
    expect(await about(refused.replace('>NO AUTORIZADO<', '>No autorizada<'))).toMatchObject({
      outcome: 'notAuthorized',
      status: 'NO_AUTORIZADA',
    });
  });

  it('keeps a hundred messages of an authorization', async () => {
    const many = '<mensaje> Sin más </mensaje>'.repeat(150);
    const { messages } = await about(authorized.replace('<mensajes>', `<mensajes>${many}`));
    expect(messages).toHaveLength(100);
    expect(messages?.[0]?.message).toBe('Sin más');
  });

  it('decides by the last of equal refusals, and by a dated refusal before an undated one', async () => {
    const entry = /<autorizacion>.*<\/autorizacion>/s.exec(refused)?.[0] ?? '';
    const other = entry.replace('>39<', '>52<');
    const undated = other.replace(/<fechaAutorizacion>[^<]*<\/fechaAutorizacion>/, '');
    expect(await about(refused.replace(entry, entry + other))).toMatchObject({ messages: [{ identifier: '52' }] });
    expect(await about(refused.replace(entry, entry + undated))).toMatchObject({ messages: [{ identifier: '39' }] });
  });

  it('accepts a valid AUTORIZADO next to an unusable one in the same answer', async () => {
    const entry = /<autorizacion>.*<\/autorizacion>/s.exec(authorized)?.[0] ?? '';
    const both = authorized.replace(entry, entry.replace(date, '') + entry);
    expect(await about(both)).toMatchObject({ outcome: 'authorized', date: '2026-11-05T14:22:07-05:00' });
  });
});

/** The end of an entry, and a refusal after it. */
function refusalBehind(refused: string): string {
  return `</autorizacion>${/<autorizacion>.*<\/autorizacion>/s.exec(refused)?.[0] ?? ''}`;
}

function says(text: string) {
  return expect.stringContaining(text);
}

describe('unusable answers', () => {
  const broken = readdirSync(fixtures).filter((file) => file.startsWith('broken-'));

  it.each(broken)('reads %s under HTTP 200 as HTTP_502', async (file) => {
    const error = await failure(receive(file));
    expect(error).toMatchObject({ httpStatus: 'HTTP_502', mayHaveArrived: true, network: false, retryable: true });
    expect(error.message.length).toBeLessThan(400);
    expect(await failure(ask(file))).toMatchObject({ httpStatus: 'HTTP_502' });
  });

  it.each([
    ['broken-503.html', 503],
    ['broken-waf.html', 403],
    ['broken-fault-client.xml', 500],
    ['broken-empty.xml', 302],
    ['reception-received.xml', 500],
    ['broken-gzip.bin', 404],
  ] as const)('keeps the status of %s under HTTP %i', async (file, status) => {
    const error = await failure(clientFor(read(file), status).submit('sandbox', KEY, '<x/>'));
    expect(error).toMatchObject({ httpStatus: `HTTP_${status}`, mayHaveArrived: true, network: false });
  });

  it('quotes a fault’s text, on one line', async () => {
    const error = await failure(clientFor(read('broken-fault-server.xml'), 500).submit('sandbox', KEY, '<x/>'));
    expect(error.message).toBe(
      'The SRI answered HTTP 500. SOAP fault: Could not open JPA EntityManager for transaction',
    );
    const other = await failure(clientFor(read('broken-fault-12.xml'), 502).submit('sandbox', KEY, '<x/>'));
    expect(other.message).toBe('The SRI answered HTTP 502. SOAP fault: upstream failed');
    const long = read('broken-fault-12.xml').toString().replace('upstream failed', 'x'.repeat(900));
    const cut = await failure(clientFor(Buffer.from(long), 502).submit('sandbox', KEY, '<x/>'));
    expect(cut.message).toBe(`The SRI answered HTTP 502. SOAP fault: ${'x'.repeat(200)}`);
  });

  it('rejects an answer whose root is no envelope', async () => {
    const text = read('reception-received.xml').toString().replaceAll('soap:Envelope', 'soap:Sobre');
    expect((await failure(clientFor(Buffer.from(text)).submit('sandbox', KEY, '<x/>'))).message).toContain(
      'SOAP envelope',
    );
  });

  it('expands no entity', async () => {
    for (const file of ['broken-doctype.xml', 'broken-external-entity.xml', 'broken-entity-bomb.xml']) {
      expect((await failure(receive(file))).message).toContain('DOCTYPE');
    }
  });
});

/** Answers collected from the real service, if available. They are not part of this project. */
const samples = process.env['SRI_SAMPLES_DIR'] ?? '';
if (!existsSync(samples)) process.stdout.write('skipped: collected answers of the SRI (set SRI_SAMPLES_DIR)\n');

describe.skipIf(!existsSync(samples))('collected answers', () => {
  const key = '1609202601176001321000110010010000001231234567813' as AccessKey;
  const sample = (file: string, status?: number) => clientFor(readFileSync(`${samples}/${file}`), status);

  it.each([
    ['recepcion-recibida.xml', 'received', null],
    ['recepcion-devuelta-35-esquema.xml', 'returned', ['35']],
    ['recepcion-devuelta-35-sin-clave.xml', 'returned', ['35']],
    ['recepcion-devuelta-43.xml', 'received', ['43']],
    ['recepcion-devuelta-45.xml', 'returned', ['45']],
    ['recepcion-devuelta-65.xml', 'returned', ['65']],
    ['recepcion-devuelta-70.xml', 'received', ['70']],
  ])('reads the collected answer %s as %s', async (file, outcome, codes) => {
    const answer = await sample(file).submit('sandbox', key, '<x/>');
    expect(answer.outcome).toBe(outcome);
    expect(answer.messages?.map(({ identifier }) => identifier) ?? null).toEqual(codes);
  });

  it.each([
    ['autorizacion-autorizado.xml', 'authorized', 'AUTORIZADO'],
    ['autorizacion-varias.xml', 'authorized', 'AUTORIZADO'],
    ['autorizacion-en-proceso.xml', 'pending', 'EN_PROCESO'],
    ['autorizacion-vacia-0.xml', 'pending', 'SIN_RESPUESTA'],
    ['autorizacion-no-autorizado-39.xml', 'notAuthorized', 'NO_AUTORIZADO'],
    ['autorizacion-no-autorizado-52.xml', 'notAuthorized', 'NO_AUTORIZADO'],
    ['autorizacion-rechazado-46-ficha.xml', 'notAuthorized', 'RECHAZADO'],
  ])('reads the collected authorization %s as %s', async (file, outcome, status) => {
    expect(await sample(file).authorization('sandbox', key)).toMatchObject({ outcome, status });
  });

  it('rejects autorizacion-autorizado-escapado.xml, whose key, inserted later, has another ambiente', async () => {
    const answer = await sample('autorizacion-autorizado-escapado.xml').authorization('sandbox', key);
    expect(answer).toMatchObject({ outcome: 'pending', problem: says('another ambiente') });
  });

  it.each([
    ['soap-fault.xml', 500, 'HTTP_500'],
    ['soap-fault.xml', 200, 'HTTP_502'],
    ['no-soap-waf.html', 200, 'HTTP_502'],
    ['no-soap-waf.html', 403, 'HTTP_403'],
    // Answers of the query service do not belong to these two operations.
    ['consulta-autorizado.xml', 200, 'HTTP_502'],
    ['consulta-anulado.xml', 200, 'HTTP_502'],
    ['consulta-no-existe.xml', 200, 'HTTP_502'],
    ['consulta-fuera-de-rango.xml', 200, 'HTTP_502'],
  ])('reads the collected answer %s under HTTP %i as %s', async (file, status, httpStatus) => {
    expect(await failure(sample(file, status).submit('sandbox', key, '<x/>'))).toMatchObject({ httpStatus });
    expect(await failure(sample(file, status).authorization('sandbox', key))).toMatchObject({ httpStatus });
  });

  it.each(['request-validarComprobante.xml', 'request-autorizacionComprobante.xml'])(
    'sends the same envelope as %s',
    async (file) => {
      const sent: string[] = [];
      const transport = async (request: Request) => {
        sent.push(await request.text());
        return new Response('', { status: 404 });
      };
      const client = createSriClient({ transport, clock: systemClock, random: systemRandom });
      await failure(client.submit('sandbox', key, '<x/>'));
      await failure(client.authorization('sandbox', key));
      const expected = readFileSync(`${samples}/${file}`, 'utf8')
        .trim()
        .replace('BASE64_OF_SIGNED_XML_BYTES', Buffer.from('<x/>').toString('base64'));
      expect(sent).toContain(expected);
    },
  );

  it('every collected answer has a test', () => {
    const known = /^(recepcion-|autorizacion-|consulta-|request-|soap-fault|no-soap-waf|README|sri-examples)/;
    expect(readdirSync(samples).filter((file) => !known.test(file))).toEqual([]);
    expect(readdirSync(samples).filter((file) => /^(recepcion|autorizacion)-/.test(file))).toHaveLength(15);
  });
});
