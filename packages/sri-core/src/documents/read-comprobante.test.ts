import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { XmlError } from '../errors.js';
import { readComprobante } from './read-comprobante.js';

const fixtures = new URL('../../fixtures/ride/', import.meta.url);
const xmlOf = (name: string) => readFileSync(new URL(name, fixtures), 'utf8');

describe('readComprobante', () => {
  // Golden files: read the difference before refreshing them with `npm test -- --update`.
  it.each(readdirSync(fixtures).filter((name) => name.endsWith('.xml')))('reads everything in %s', async (name) => {
    const golden = new URL(name.replace('.xml', '.json'), fixtures);
    await expect(`${JSON.stringify(readComprobante(xmlOf(name)), null, 2)}\n`).toMatchFileSnapshot(golden.pathname);
  });

  it('skips the signature', () => {
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
    { name: 'the SRI’s wrapper', xml: '<autorizacion><comprobante/></autorizacion>' },
    { name: 'no infoTributaria', xml: '<factura><infoFactura/></factura>' },
    { name: 'no infoFactura', xml: '<factura><infoTributaria/><infoNotaCredito/></factura>' },
    { name: 'text', xml: 'factura' },
    { name: 'a DOCTYPE', xml: '<!DOCTYPE factura><factura><infoTributaria/><infoFactura/></factura>' },
  ])('rejects $name', ({ xml }) => {
    expect(() => readComprobante(xml)).toThrow(XmlError);
  });
});
