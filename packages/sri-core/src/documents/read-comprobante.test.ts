import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { XmlError } from '../errors.js';
import { hasSriExample } from '../testing/sri-examples.js';
import { openComprobante } from './open-comprobante.js';
import { readComprobante } from './read-comprobante.js';
import { DOCUMENT_TYPES, documentTypeOf } from './registry.js';

const fixtures = new URL('../../fixtures/ride/', import.meta.url);
const xmlOf = (name: string) => readFileSync(new URL(name, fixtures), 'utf8');

describe('readComprobante', () => {
  // Golden files: read the difference before refreshing them with `npm test -- --update`.
  it.each(readdirSync(fixtures).filter((name) => name.endsWith('.xml')))('reads everything in %s', async (name) => {
    const golden = new URL(name.replace('.xml', '.json'), fixtures);
    await expect(`${JSON.stringify(readComprobante(xmlOf(name)), null, 2)}\n`).toMatchFileSnapshot(
      fileURLToPath(golden),
    );
  });

  it('skips the signature of a comprobante', () => {
    const signature = '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo/></ds:Signature>';
    const xml = xmlOf('nota-credito.xml');
    const signed = xml.replace('</notaCredito>', `${signature}</notaCredito>`);
    expect(readComprobante(signed)).toEqual(readComprobante(xml));
  });

  it('reads texts with entities, CDATA and line breaks as one line', () => {
    const read = readComprobante(
      xmlOf('nota-credito.xml').replace(
        /<razonSocialComprador>.*<\/razonSocialComprador>/,
        '<razonSocialComprador> A &amp; B\n\t<![CDATA[<C>]]> &#209;andú </razonSocialComprador>',
      ),
    );
    expect(read).toMatchObject({ buyer: { name: 'A & B <C> Ñandú' } });
  });

  it('reads the legend of the microenterprises, which ended in 2021', () => {
    const old = '<regimenMicroempresas>CONTRIBUYENTE RÉGIMEN MICROEMPRESAS</regimenMicroempresas>';
    const read = readComprobante(`<factura><infoTributaria>${old}</infoTributaria><infoFactura/></factura>`);
    expect(read.issuer.rimpe).toBe('CONTRIBUYENTE RÉGIMEN MICROEMPRESAS');
  });

  it('leaves required parts empty that the XML does not have', () => {
    const bare = readComprobante('<factura><infoTributaria/><infoFactura/></factura>');
    expect(bare).toMatchObject({
      documentType: '01',
      accessKey: '',
      environment: null,
      items: [],
      total: '',
      guiaRemision: null,
      payments: [],
    });
    expect(bare.issuer).toMatchObject({ tradeName: null, requiredAccounting: null });
  });

  it.each([
    { name: 'another comprobante', xml: '<comprobante><infoTributaria/></comprobante>' },
    { name: 'the SRI’s wrapper without a comprobante', xml: '<autorizacion><comprobante/></autorizacion>' },
    { name: 'no infoTributaria', xml: '<factura><infoFactura/></factura>' },
    { name: 'no infoFactura', xml: '<factura><infoTributaria/><infoNotaCredito/></factura>' },
    { name: 'text', xml: 'factura' },
    { name: 'a DOCTYPE', xml: '<!DOCTYPE factura><factura><infoTributaria/><infoFactura/></factura>' },
  ])('rejects as a comprobante: $name', ({ xml }) => {
    expect(() => readComprobante(xml)).toThrow(XmlError);
  });
});

describe('readComprobante in a wrapper', () => {
  const xml = xmlOf('nota-credito.xml');
  const escaped = xml.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const inCdata = `<![CDATA[${xml}]]>`;
  const bare = xml.replace(/^<\?xml[^>]*\?>/, '');
  const autorizacion = (comprobante: string, estado = 'AUTORIZADO') =>
    `<autorizacion><estado>${estado}</estado><comprobante>${comprobante}</comprobante><mensajes/></autorizacion>`;
  const envelope = (list: string) =>
    `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>
    <ns2:autorizacionComprobanteResponse xmlns:ns2="http://ec.gob.sri.ws.autorizacion"><RespuestaAutorizacionComprobante>
    <autorizaciones>${list}</autorizaciones></RespuestaAutorizacionComprobante></ns2:autorizacionComprobanteResponse>
    </soap:Body></soap:Envelope>`;

  it.each([
    { name: 'CDATA', text: autorizacion(inCdata) },
    { name: 'escaped text', text: autorizacion(escaped) },
    { name: 'CDATA between blanks, after a byte order mark', text: autorizacion(`\n  <![CDATA[\uFEFF${xml}]]>\n`) },
    { name: 'escaped text after a byte order mark', text: autorizacion(` \uFEFF ${escaped} `) },
    {
      name: 'CDATA in two sections',
      text: autorizacion(`<![CDATA[${xml.slice(0, 90)}]]><![CDATA[${xml.slice(90)}]]>`),
    },
    { name: 'elements', text: autorizacion(bare) },
    {
      name: 'elements under a prefix and attributes',
      text: `<n:autorizacion xmlns:n="http://a.b"><n:comprobante xmlns:xsi="http://c.d">${bare}</n:comprobante></n:autorizacion>`,
    },
    {
      name: 'a declaration, blanks and a byte order mark',
      text: `\uFEFF \n<?xml version="1.0"?>${autorizacion(inCdata)}\n `,
    },
    { name: 'a SOAP answer', text: envelope(autorizacion(inCdata)) },
    {
      name: 'the answer without its envelope',
      text: /<Resp.*<\/Resp\w+>/s.exec(envelope(autorizacion(escaped)))?.[0] ?? '',
    },
    ...['RespuestaAutorizacion', 'RespuestaAutorizacionLote'].map((root) => ({
      name: `a ${root} of another program`,
      text: `<${root}><autorizaciones>${autorizacion(inCdata)}</autorizaciones></${root}>`,
    })),
    {
      name: 'a SOAP answer about a lote of one document',
      text: envelope(autorizacion(inCdata))
        .replaceAll('ComprobanteResponse', 'ComprobanteLoteResponse')
        .replaceAll('RespuestaAutorizacionComprobante', 'RespuestaAutorizacionLote'),
    },
    {
      name: 'an answer with an earlier refusal',
      text: envelope(
        `${autorizacion(inCdata)}${autorizacion('<![CDATA[<factura/>]]>', 'NO AUTORIZADO')}<autorizacion/>`,
      ),
    },
  ])('reads a comprobante in a wrapper: $name', ({ text }) => {
    expect(readComprobante(text)).toEqual(readComprobante(xml));
  });

  it.each([
    { name: 'text that is escaped twice', inner: escaped.replaceAll('&', '&amp;'), message: /wrapped twice/ },
    { name: 'text that is escaped three times', inner: '&amp;amp;amp;lt;factura/&gt;', message: /wrapped twice/ },
    { name: 'CDATA in CDATA', inner: `<![CDATA[<![CDATA[${xml}]]]]><![CDATA[>]]>`, message: /wrapped twice/ },
    { name: 'nothing', inner: ' ', message: /is empty/ },
    { name: 'a tag without end', inner: '<![CDATA[<factura>]]>', message: /^The XML is malformed: unclosed/ },
    { name: 'another document', inner: '<![CDATA[<lote/>]]>', message: /another document: lote/ },
    {
      name: 'an authorization in an authorization',
      inner: `<![CDATA[${autorizacion(escaped)}]]>`,
      message: /another document: autorizacion/,
    },
    { name: 'a DOCTYPE inside', inner: '<![CDATA[<!DOCTYPE a><factura/>]]>', message: /DOCTYPE/ },
    { name: 'text', inner: 'hola', message: /malformed|root/ },
  ])('rejects a wrapper: $name', ({ inner, message }) => {
    expect(() => readComprobante(autorizacion(inner))).toThrow(message);
  });

  it('chooses no document of a lote', () => {
    const list = `${autorizacion(inCdata)}${autorizacion('<![CDATA[<factura/>]]>', 'NO AUTORIZADO')}`;
    const lote = `<RespuestaAutorizacionLote><autorizaciones>${list}</autorizaciones></RespuestaAutorizacionLote>`;
    expect(() => readComprobante(lote)).toThrow(/2 documents of a lote/);
  });
});

describe('openComprobante', () => {
  const samples = process.env['SRI_SAMPLES_DIR'] ?? '';
  const names = hasSriExample('factura_V2.1.0.xml')
    ? readdirSync(samples).filter((name) => /^autorizacion-(?!en-proceso|vacia)/.test(name))
    : [];

  it.skipIf(names.length === 0)('takes the comprobante out of every sample answer', () => {
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) {
      const { xml, root, authorization } = openComprobante(readFileSync(join(samples, name), 'utf8'));
      expect(xml, name).toMatch(/^<\?xml[^>]*\?><factura .*<\/factura>$/s);
      expect(root.name).toBe('factura');
      expect(authorization?.name).toBe('autorizacion');
    }
  });
});

describe('readComprobante of every version', () => {
  const written = fileURLToPath(new URL('../../fixtures/examples/', import.meta.url));
  const given = join(process.env['SRI_SAMPLES_DIR'] ?? '', 'sri-examples');
  const hasSamples = hasSriExample('factura_V2.1.0.xml');
  const files = [written, ...(hasSamples ? [given] : [])].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.xml'))
      .map((name) => ({ name, path: join(folder, name) })),
  );

  it.each(files)('leaves out nothing of $name', ({ path }) => {
    let count = 0;
    const marks: string[] = [];
    const xml = readFileSync(path, 'utf8').replace(LEAF, (whole, name: string, text: string) => {
      if (CODED.has(name)) return whole;
      const isNumber = /^(numDocSustento|\w+DocReembolso)$/.test(name);
      count += 1;
      const mark = isNumber ? text : `m${count}m`;
      if (!isNumber) marks.push(`${name} ${mark}`);
      return `<${name}>${mark}</${name}>`;
    });
    const read = JSON.stringify(readComprobante(xml));
    expect(count).toBeGreaterThan(10);
    expect(marks.filter((mark) => !read.includes(String(mark.split(' ')[1])))).toEqual([]);
  });

  it.each(
    DOCUMENT_TYPES.flatMap((code) =>
      Object.keys(documentTypeOf(code).structures).map((version) => ({ code, version })),
    ),
  )('reads a comprobante of type $code in version $version', ({ code, version }) => {
    const { root } = documentTypeOf(code);
    const example = files
      .map(({ path }) => readFileSync(path, 'utf8'))
      .find((xml) => xml.includes(`<${root} id="comprobante" version="${version}"`) || xml.includes(`<${root} `));
    const read = readComprobante(String(example).replace(/ version="[\w.]+"(?=>)/, ` version="${version}"`));
    expect(read).toMatchObject({ documentType: code, version });
    expect(read.issueDate).toMatch(/^\d{2}\/\d{2}\/\d{4}$/);
  });
});

// --- internal ---

/** An element with text alone. */
const LEAF = /<(\w+)>([^<]*[^<\s][^<]*)<\/\1>/g;
/** Elements that are read as a word of this library, or that the type and key imply. */
const CODED = new Set(
  'ambiente tipoEmision codDoc obligadoContabilidad parteRel aplicConvDobTrib pagExtSujRetNorLeg pagoRegFis comercioExterior'.split(
    ' ',
  ),
);
