import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AccessKeyError, SriUnavailableError } from '../errors.js';
import { systemRandom } from '../random.js';
import { magicKey } from '../sri/simulator/magic-keys.js';
import { createSimulator } from '../sri/simulator/simulator.js';
import { createSriClient } from '../sri/soap-client.js';
import { createTestClock } from '../testing/test-clock.js';
import { fetchAuthorized } from './fetch-authorized.js';
import { checkValidity } from './validity.js';

const clock = createTestClock('2026-11-25T17:00:00Z');
const KEY = magicKey({ state: 'authorized', issueDate: '05/11/2026' });
const OTHER = magicKey({ state: 'authorized', issueDate: '05/11/2026', sequential: 2 });

/** A client whose next calls get these bodies. */
function answering(operation: 'authorization' | 'consultation', ...bodies: readonly string[]) {
  const simulator = createSimulator({ clock });
  simulator.script(operation, ...bodies.map((body) => ({ kind: 'answer', body }) as const));
  return createSriClient({ transport: simulator.handle, clock, random: systemRandom });
}

const envelope = (name: string, element: string, content: string) =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><${name}Response><${element}>${content}</${element}></${name}Response></e:Body></e:Envelope>`;

const authorized = (comprobante: string, more = '') =>
  envelope(
    'autorizacionComprobante',
    'RespuestaAutorizacionComprobante',
    `<claveAccesoConsultada>${KEY}</claveAccesoConsultada><autorizaciones><autorizacion><estado>AUTORIZADO</estado><numeroAutorizacion>${KEY}</numeroAutorizacion><fechaAutorizacion>2026-11-05T12:00:00-05:00</fechaAutorizacion>${comprobante}${more}</autorizacion></autorizaciones>`,
  );

const consulted = (content: string) =>
  envelope('consultarEstadoAutorizacionComprobante', 'EstadoAutorizacionComprobante', content);

async function documentOf(key: string): Promise<string> {
  const found = await fetchAuthorized(key, { sri: answering('authorization') });
  return found.outcome === 'authorized' ? found.xml : '';
}

const own = await documentOf(KEY);
const foreign = await documentOf(OTHER);
const cdata = (xml: string) => `<comprobante><![CDATA[${xml}]]></comprobante>`;

describe('fetchAuthorized', () => {
  it('fetchAuthorized returns a document whose signature is broken, marked as invalid', async () => {
    const broken = own.replace('María Muñoz', 'Otra Persona');
    const found = await fetchAuthorized(KEY, { sri: answering('authorization', authorized(cdata(broken))) });
    expect(found).toMatchObject({ outcome: 'authorized', signature: { valid: false }, xml: broken });
  });

  it.each([
    { name: 'no document', body: authorized('') },
    { name: 'the document of another key', body: authorized(cdata(foreign)) },
    { name: 'the key on another document', body: authorized(cdata(foreign.replaceAll(OTHER, KEY))) },
    {
      name: 'the document of another issuer',
      body: authorized(cdata(own.replace('<ruc>1799999982001', '<ruc>1790011674001'))),
    },
    { name: 'a page of HTML', body: authorized(cdata('<html></html>')) },
    { name: 'text', body: authorized(cdata('hola')) },
    {
      name: 'a document that is escaped twice',
      body: authorized('<comprobante>&amp;lt;factura/&amp;gt;</comprobante>'),
    },
    { name: 'two documents', body: authorized(cdata(own), cdata(own)) },
    {
      name: 'the number of another authorization',
      body: authorized(cdata(own)).replace(`<numeroAutorizacion>${KEY}`, '<numeroAutorizacion>1'),
    },
    { name: 'no date', body: authorized(cdata(own)).replace(/<fechaAutorizacion>[^<]*/, '<fechaAutorizacion>') },
    { name: 'an unknown estado', body: authorized(cdata(own)).replace('AUTORIZADO', 'QUIZÁ') },
    {
      name: 'an answer about another key',
      body: authorized(cdata(own)).replace(`Consultada>${KEY}`, `Consultada>${OTHER}`),
    },
    { name: 'no SOAP', body: '<html>Request Rejected</html>' },
  ])('fetchAuthorized rejects $name', async ({ body }) => {
    const sri = answering('authorization', body);
    await expect(fetchAuthorized(KEY, { sri })).rejects.toThrow(SriUnavailableError);
  });

  it('fetchAuthorized rejects a text that is no key before it asks', async () => {
    await expect(fetchAuthorized('123', { sri: answering('authorization') })).rejects.toThrow(AccessKeyError);
  });
});

describe('checkValidity', () => {
  it.each([
    ['AUTORIZADO', 'AUTHORIZED'],
    ['ANULADO', 'ANNULLED'],
    ['PENDIENTE DE ANULAR', 'PENDING_ANNULMENT'],
    ['Pendiente  de_anular', 'PENDING_ANNULMENT'],
    ['NO AUTORIZADO', 'NOT_AUTHORIZED'],
  ])('checkValidity reads %s as %s', async (estado, status) => {
    const body = consulted(
      ` <claveAcceso> ${KEY.slice(0, 20)} ${KEY.slice(20)} </claveAcceso><estadoAutorizacion>${estado}</estadoAutorizacion><fechaAutorizacion/>`,
    );
    expect(await checkValidity(KEY, { sri: answering('consultation', body) })).toMatchObject({
      status,
      source: 'consultation',
      authorizationDate: null,
    });
  });

  it.each([
    { name: 'out of range', info: 'la fecha de emisión está fuera del rango permitido' },
    { name: 'no data', info: 'No existen datos para los parámetros ingresados' },
  ])('checkValidity asks the authorization service after an answer of $name', async ({ info }) => {
    const message = `<mensajes><mensaje><identificador>99</identificador><informacionAdicional>${info}</informacionAdicional></mensaje></mensajes>`;
    const body = consulted(`<estadoConsulta>RECHAZADA</estadoConsulta><claveAcceso>${KEY}</claveAcceso>${message}`);
    expect(await checkValidity(KEY, { sri: answering('consultation', body) })).toMatchObject({
      status: 'AUTHORIZED',
      source: 'authorization',
      authorizationDate: '2026-11-05T12:00:00-05:00',
    });
  });

  it.each([
    {
      name: 'another key',
      body: consulted(`<claveAcceso>${OTHER}</claveAcceso><estadoAutorizacion>ANULADO</estadoAutorizacion>`),
    },
    { name: 'no key', body: consulted('<estadoAutorizacion>ANULADO</estadoAutorizacion>') },
    { name: 'no estado', body: consulted(`<claveAcceso>${KEY}</claveAcceso>`) },
    {
      name: 'an unknown estado',
      body: consulted(`<claveAcceso>${KEY}</claveAcceso><estadoAutorizacion>VIGENTE</estadoAutorizacion>`),
    },
    { name: 'another operation', body: authorized(cdata(own)) },
    { name: 'a DOCTYPE', body: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' },
  ])('checkValidity rejects an answer with $name', async ({ body }) => {
    await expect(checkValidity(KEY, { sri: answering('consultation', body) })).rejects.toThrow(SriUnavailableError);
  });

  it('checkValidity accepts a refusal of the authorization service, and rejects an unusable answer', async () => {
    const body = consulted(`<estadoConsulta>RECHAZADA</estadoConsulta><claveAcceso>${KEY}</claveAcceso>`);
    const ask = (answer: string) =>
      checkValidity(KEY, {
        sri: { ...answering('authorization', answer), consultation: answering('consultation', body).consultation },
      });
    expect(await ask(authorized('').replace('AUTORIZADO', 'NO AUTORIZADO'))).toMatchObject({
      status: 'NOT_AUTHORIZED',
      authorizationDate: null,
    });
    await expect(ask(authorized('').replace('AUTORIZADO', 'QUIZÁ'))).rejects.toThrow(SriUnavailableError);
  });

  it('checkValidity returns the messages of an unknown key', async () => {
    const unknown = '2111202601179999999000110010010000000071234567811';
    expect(await checkValidity(unknown, { sri: answering('consultation') })).toMatchObject({
      status: 'NOT_FOUND',
      messages: [{ identifier: '99', additionalInfo: 'No existen datos para los parámetros ingresados' }],
    });
  });

  const samples = process.env['SRI_SAMPLES_DIR'] ?? '';
  const hasSamples = existsSync(join(samples, 'consulta-anulado.xml'));
  it.skipIf(!hasSamples).each([
    ['consulta-anulado.xml', 'ANNULLED'],
    ['consulta-autorizado.xml', 'AUTHORIZED'],
    ['consulta-fuera-de-rango.xml', 'NOT_FOUND'],
    ['consulta-no-existe.xml', 'NOT_FOUND'],
  ])('checkValidity reads the SRI’s sample %s', async (name, status) => {
    const body = readFileSync(join(samples, name), 'utf8');
    const key = /<claveAcceso>\s*(\d{49})/.exec(body)?.[1] ?? '';
    expect(await checkValidity(key, { sri: answering('consultation', body) })).toMatchObject({ status });
  });
});
