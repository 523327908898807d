import { describe, expect, it } from 'vitest';
import { XmlError } from '../errors.js';
import { sampleFactura } from '../testing/sample-comprobante.js';
import { type AuthorizationFile, cdata, readAuthorizationFile, writeAuthorization } from './authorization-file.js';

const { xml, accessKey } = sampleFactura();
const file: AuthorizationFile = {
  number: accessKey,
  date: '2026-11-05T12:00:10-05:00',
  environment: 'sandbox',
  comprobante: xml,
  messages: null,
};

describe('an archived authorization', () => {
  it('an archived authorization equals the SRI’s document', async () => {
    expect(writeAuthorization(file)).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><autorizacion><estado>AUTORIZADO</estado><numeroAutorizacion>${accessKey}</numeroAutorizacion><fechaAutorizacion>2026-11-05T12:00:10-05:00</fechaAutorizacion><ambiente>PRUEBAS</ambiente><comprobante><![CDATA[${xml}]]></comprobante><mensajes></mensajes></autorizacion>`,
    );
  });

  it.each([
    { name: 'unchanged', comprobante: xml },
    { name: 'CDATA inside', comprobante: xml.replace('Café', '<![CDATA[Café & <b>]]>') },
    { name: 'CDATA at its end', comprobante: `${xml.slice(0, -10)}<![CDATA[x]]></factura>` },
    { name: ']] and > in sequence', comprobante: xml.replace('Café', ']]&gt; ]]]]') },
    { name: 'accents and characters beyond the first plane', comprobante: xml.replace('Café', 'ÑñÁü €𝄞😀') },
    { name: 'entities', comprobante: xml.replace('Café', '&amp;lt;&#233;&quot;') },
    { name: 'line feeds and tabs', comprobante: xml.replace('><', '>\n\t<') },
  ])('an archived authorization returns the comprobante byte for byte: $name', async ({ comprobante }) => {
    const written = writeAuthorization({ ...file, environment: 'production', comprobante });
    expect(readAuthorizationFile(written)).toEqual({
      status: 'AUTORIZADO',
      number: accessKey,
      date: file.date,
      environment: 'production',
      comprobante,
      messages: null,
    });
  });

  it('an archived authorization keeps the messages', async () => {
    const messages = [
      { identifier: '60', message: 'PRUEBAS & más <', additionalInfo: null, type: 'ADVERTENCIA' },
      { identifier: '68', message: 'DOCUMENTO SUSTENTO', additionalInfo: 'a > b', type: 'ADVERTENCIA' },
    ];
    expect(readAuthorizationFile(writeAuthorization({ ...file, messages })).messages).toEqual(messages);
  });

  it('reads older archives, indented and with other dates', () => {
    const old = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
      <autorizacion>\n  <estado>AUTORIZADO</estado>\n  <numeroAutorizacion>${accessKey}</numeroAutorizacion>
      <fechaAutorizacion class="fechaAutorizacion">05/11/2026 12:00:10</fechaAutorizacion>
      <comprobante>${xml.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</comprobante></autorizacion>`;
    expect(readAuthorizationFile(old)).toMatchObject({
      date: '05/11/2026 12:00:10',
      environment: null,
      comprobante: xml,
    });
  });

  it.each([
    { name: 'another document', text: xml },
    { name: 'an authorization without a comprobante', text: '<autorizacion><comprobante/></autorizacion>' },
    { name: 'no XML', text: 'x' },
  ])('rejects $name as an authorization', ({ text }) => {
    expect(() => readAuthorizationFile(text)).toThrow(XmlError);
  });

  it('splits CDATA where a section would end', () => {
    expect(cdata('a]]>b]]]>')).toBe('<![CDATA[a]]]]><![CDATA[>b]]]]]><![CDATA[>]]>');
    expect(cdata('')).toBe('<![CDATA[]]>');
  });
});
