import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEBIT_NOTE_EXAMPLE } from '../../documents/debit-note/examples.js';
import { PURCHASE_SETTLEMENT_EXAMPLE, REIMBURSEMENT_EXAMPLE } from '../../documents/purchase-settlement/examples.js';
import { write } from '../../testing/judged-bodies.js';
import { sampleFactura, sampleNotaCredito } from '../../testing/sample-comprobante.js';
import { readXml } from '../../xml/reader.js';
import { findDeviation, findStructure } from './structure.js';

const factura = sampleFactura().xml;
const notaDebito = write(DEBIT_NOTE_EXAMPLE);
const liquidacionCompra = write(PURCHASE_SETTLEMENT_EXAMPLE);
const reembolso = write(REIMBURSEMENT_EXAMPLE);
const guide = readFileSync(new URL('../../../fixtures/examples/delivery-guide-0.xml', import.meta.url), 'utf8');
const oldGuide = guide
  .replace('<guiaRemision id="comprobante" version="1.1.0">', '<guiaRemision id="comprobante" version="1.0.0">')
  .replace('>12.345678<', '>12.35<');

function deviation(xml: string): string | null {
  const root = readXml(xml);
  const rules = findStructure(root.name, root.attributes['version'] ?? '');
  if (typeof rules === 'string') throw new Error(rules);
  return findDeviation(root, rules);
}

describe('the structure of a comprobante', () => {
  it.each([
    { name: 'factura 1.0.0', xml: sampleFactura({ version: '1.0.0' }).xml },
    { name: 'factura 1.1.0', xml: factura },
    { name: 'factura 2.0.0', xml: sampleFactura({ version: '2.0.0' }).xml },
    { name: 'factura 2.1.0', xml: sampleFactura({ version: '2.1.0' }).xml },
    { name: 'notaCredito 1.0.0', xml: sampleNotaCredito({ version: '1.0.0' }).xml },
    { name: 'notaCredito 1.1.0', xml: sampleNotaCredito().xml },
    { name: 'notaDebito 1.0.0', xml: notaDebito },
    { name: 'liquidacionCompra 1.0.0', xml: inVersion('1.0.0', liquidacionCompra) },
    { name: 'liquidacionCompra 1.1.0', xml: liquidacionCompra },
    { name: 'liquidacionCompra 1.1.0 with reimbursements', xml: reembolso },
    { name: 'guiaRemision 1.0.0', xml: oldGuide },
    { name: 'guiaRemision 1.1.0', xml: guide },
  ])('a valid $name has no deviation', ({ xml }) => {
    expect(deviation(xml)).toBeNull();
  });

  it.each([
    {
      name: 'an element out of order',
      from: /<totalSinImpuestos>.*?<\/totalSinImpuestos><totalDescuento>.*?<\/totalDescuento>/,
      to: '<totalDescuento>0.00</totalDescuento><totalSinImpuestos>1.00</totalSinImpuestos>',
      says: "starting with element 'totalDescuento'. One of '{direccionComprador, totalSinImpuestos}' is expected",
    },
    {
      name: 'a required element that is missing',
      from: /<importeTotal>.*?<\/importeTotal>/,
      to: '',
      says: "starting with element 'moneda'",
    },
    {
      name: 'an unfinished sequence',
      from: /<impuestos>.*?<\/impuestos>/,
      to: '',
      says: "content of element 'detalle' is not complete. One of '{impuestos}'",
    },
    { name: 'an extra element', from: '<propina>', to: '<propina>1.00</propina><propina>', says: "'propina'" },
    { name: 'an unknown element', from: '</factura>', to: '<extra></extra></factura>', says: 'No child element' },
    { name: 'an element of a namespace', from: '<propina>', to: '<propina xmlns="urn:x">', says: "'propina'" },
    { name: 'a value against its pattern', from: '<ptoEmi>003', to: '<ptoEmi>03', says: "pattern '[0-9]{3}'" },
    { name: 'an empty text', from: 'Café molido', to: '', says: "minLength '1'" },
    { name: 'a text too long', from: 'Café molido', to: 'é'.repeat(301), says: "length = '301'" },
    { name: 'a line feed in a text', from: 'Café molido', to: 'Café\nmolido', says: '[^\\n]*' },
    { name: 'a blank before a code', from: '<ptoEmi>003', to: '<ptoEmi> 003', says: "pattern '[0-9]{3}'" },
    { name: 'an emoji above the limit', from: 'Café molido', to: `${'é'.repeat(299)}😀`, says: "length = '301'" },
    {
      name: 'a hint without a namespace',
      from: '<factura ',
      to: '<factura schemaLocation="x y" ',
      says: 'not allowed',
    },
    {
      name: 'another attribute of the hints’ namespace',
      from: '<factura ',
      to: '<factura xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="false" ',
      says: "'nil' is not allowed",
    },
    { name: 'text between elements', from: '<detalles>', to: '<detalles>y', says: 'element-only' },
    { name: 'an element inside a value', from: 'Café molido', to: 'Café <b>molido</b>', says: 'simple type' },
    { name: 'a missing attribute', from: ' nombre="Correo"', to: '', says: "'nombre' must appear" },
    {
      name: 'an extra attribute',
      from: ' nombre="Correo"',
      to: ' nombre="C" otro="1"',
      says: "'otro' is not allowed",
    },
    { name: 'an empty attribute', from: ' nombre="Correo"', to: ' nombre=""', says: 'minLength' },
    { name: 'a root without its id', from: ' id="comprobante"', to: '', says: "'id' must appear" },
    {
      name: 'a sixteenth additional field',
      from: '<campoAdicional nombre="Correo">a@b.ec</campoAdicional>',
      to: '<campoAdicional nombre="n">v</campoAdicional>'.repeat(16),
      says: 'campoAdicional',
    },
  ])('reports a deviation: $name', ({ from, to, says }) => {
    const changed = factura.replace(from, to);
    expect(changed).not.toBe(factura);
    expect(deviation(changed)).toContain(says);
  });

  it.each([
    { name: 'a comma in an amount', total: '40,48', says: "'decimal'" },
    { name: 'too many decimals', total: '40.481', says: 'fractionDigits' },
    { name: 'too many digits', total: '1234567890123.12', says: 'totalDigits' },
    { name: 'an amount below zero', total: '-40.48', says: 'minInclusive' },
    { name: 'an endless number', total: `${'0'.repeat(50_000)}x`, says: "'decimal'" },
    { name: 'a blank inside a number', total: '4 0.48', says: "'4 0.48' is not a valid" },
    { name: 'a blank unknown to XML next to a number', total: '\u00a040.48', says: "'decimal'" },
    {
      name: 'a hundred thousand blanks without a number',
      total: `${' '.repeat(50_000)}x${' '.repeat(50_000)}`,
      says: "is not a valid value for 'decimal'",
    },
  ])('reports a wrong part: $name', ({ total, says }) => {
    expect(deviation(factura.replace('>40.48</importeTotal>', `>${total}</importeTotal>`))).toContain(says);
  });

  it.each([
    { name: 'a blank before a number', from: '>40.48</importeTotal>', to: '> 40.48</importeTotal>' },
    { name: 'line ends and tabs around a number', from: '>40.48</importeTotal>', to: '>\r\n40.48\t\n</importeTotal>' },
    { name: 'an emoji at the limit', from: 'Café molido', to: `${'é'.repeat(298)}😀` },
    ...['schemaLocation="urn:x factura.xsd"', "noNamespaceSchemaLocation='factura.xsd'"].map((hint) => ({
      name: hint,
      from: '<factura ',
      to: `<factura xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:${hint} `,
    })),
  ])('accepts what Java’s Xerces accepts: $name', ({ from, to }) => {
    const changed = factura.replace(from, to);
    expect(changed).not.toBe(factura);
    expect(deviation(changed)).toBeNull();
  });

  it('knows no other documents and no other versions', () => {
    expect(findStructure('recibo', '1.0.0')).toBe('noSuchDocument');
    expect(findStructure('constructor', '1.0.0')).toBe('noSuchDocument');
    expect(findStructure('factura', '0.9.9')).toBe('noSuchVersion');
    expect(findStructure('factura', 'toString')).toBe('noSuchVersion');
  });
});

/** The official schemas are the SRI's and are not shipped; if available, they check the rules. */
const schemas = process.env['SRI_XSD_DIR'] ?? '';
const hasJudge = existsSync(join(schemas, 'factura_V1.1.0.xsd')) && spawnSync('xmllint', ['--version']).status === 0;
if (!hasJudge)
  process.stdout.write('skipped: comparison with the official schemas (set SRI_XSD_DIR, install xmllint)\n');

describe.skipIf(!hasJudge)('the rules and the official schema', () => {
  it.each([
    { schema: 'factura_V1.0.0.xsd', xml: sampleFactura({ version: '1.0.0' }).xml, every: 7 },
    { schema: 'factura_V1.1.0.xsd', xml: factura, every: 1 },
    { schema: 'factura_V2.0.0.xsd', xml: sampleFactura({ version: '2.0.0' }).xml, every: 7 },
    { schema: 'factura_V2.1.0.xsd', xml: sampleFactura({ version: '2.1.0' }).xml, every: 5 },
    { schema: 'NotaCredito_V1.0.0.xsd', xml: sampleNotaCredito({ version: '1.0.0' }).xml, every: 5 },
    { schema: 'NotaCredito_V1.1.0.xsd', xml: sampleNotaCredito().xml, every: 1 },
    { schema: 'NotaDebito_V1.0.0.xsd', xml: notaDebito, every: 2 },
    { schema: 'LiquidacionCompra_V1.0.0.xsd', xml: inVersion('1.0.0', liquidacionCompra), every: 7 },
    { schema: 'LiquidacionCompra_V1.1.0.xsd', xml: liquidacionCompra, every: 3 },
    { schema: 'LiquidacionCompra_V1.1.0.xsd', xml: reembolso, every: 5 },
    { schema: 'GuiaRemision_V1.0.0.xsd', xml: oldGuide, every: 7 },
    { schema: 'GuiaRemision_V1.1.0.xsd', xml: guide, every: 1 },
  ])('the rules and the official schema $schema agree on every mutation', ({ schema, xml, every }) => {
    const mutations = [xml, ...mutate(xml).filter((_, index) => index % every === 0)];
    const official = judge(schema, mutations);
    const differing = mutations.filter((mutation, index) => (deviation(mutation) === null) !== official[index]);
    expect(differing).toEqual([]);
    expect(official.filter(Boolean).length, 'valid mutations').toBeGreaterThan(20);
    expect(official.filter((valid) => !valid).length, 'invalid mutations').toBeGreaterThan(100);
  });
});

/** The document under another version. */
function inVersion(version: string, xml: string): string {
  return xml.replace(/(<\w+ id="comprobante" version=)"[^"]*"/, `$1"${version}"`);
}

/** Whether each document is valid, in one run of xmllint. */
function judge(schema: string, documents: readonly string[]): readonly boolean[] {
  const folder = mkdtempSync(join(tmpdir(), 'structure-'));
  try {
    const files = documents.map((document, index) => {
      const file = join(folder, `${index}.xml`);
      writeFileSync(file, document);
      return file;
    });
    const { stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', join(schemas, schema), ...files], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    const valid = new Set([...stderr.matchAll(/^(\S+) validates$/gm)].map((match) => match[1]));
    return files.map((file) => valid.has(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const OPTIONAL_EXTRAS = [
  '<nombreComercial>N</nombreComercial>',
  '<agenteRetencion>00000001</agenteRetencion>',
  '<agenteRetencion>123456789</agenteRetencion>',
  '<contribuyenteRimpe>CONTRIBUYENTE RÉGIMEN RIMPE</contribuyenteRimpe>',
  '<contribuyenteRimpe>CONTRIBUYENTE REGIMEN RIMPE</contribuyenteRimpe>',
  '<contribuyenteEspecial>12345</contribuyenteEspecial>',
  '<comercioExterior>EXPORTADOR</comercioExterior><incoTermFactura>FOB</incoTermFactura>',
  '<guiaRemision>001-001-000000001</guiaRemision>',
  '<direccionComprador>D</direccionComprador>',
  '<totalSubsidio>1.00</totalSubsidio>',
  '<incoTermTotalSinImpuestos>FOB</incoTermTotalSinImpuestos>',
  '<codDocReembolso>41</codDocReembolso><totalComprobantesReembolso>1.00</totalComprobantesReembolso>',
  '<compensaciones><compensacion><codigo>1</codigo><tarifa>2.00</tarifa><valor>1.00</valor></compensacion></compensaciones>',
  '<fleteInternacional>1.00</fleteInternacional><seguroInternacional>1.00</seguroInternacional>',
  '<placa>ABC1234</placa>',
  '<valorRetIva>1.00</valorRetIva>',
  '<rise>R</rise>',
  '<unidadMedida>kg</unidadMedida>',
  '<codigoInterno>C</codigoInterno>',
  '<codigoAdicional>C</codigoAdicional>',
  '<detallesAdicionales></detallesAdicionales>',
  '<docAduaneroUnico>D</docAduaneroUnico>',
  '<codEstabDestino>001</codEstabDestino>',
  '<ruta>R</ruta>',
  '<codDocSustento>01</codDocSustento>',
  '<numDocSustento>001-001-000000001</numDocSustento>',
  '<numAutDocSustento>1234567890</numAutDocSustento>',
  '<fechaEmisionDocSustento>01/01/2026</fechaEmisionDocSustento>',
  '<destinatario><identificacionDestinatario>1</identificacionDestinatario><razonSocialDestinatario>N</razonSocialDestinatario><dirDestinatario>D</dirDestinatario><motivoTraslado>M</motivoTraslado><detalles><detalle><descripcion>G</descripcion><cantidad>1</cantidad></detalle></detalles></destinatario>',
  '<precioSinSubsidio>1.123456</precioSinSubsidio>',
  '<descuentoAdicional>-1.00</descuentoAdicional>',
  '<valorDevolucionIva>1.00</valorDevolucionIva>',
  '<retenciones><retencion><codigo>4</codigo><codigoPorcentaje>327</codigoPorcentaje><tarifa>0.20</tarifa><valor>1.00</valor></retencion></retenciones>',
  '<otrosRubrosTerceros><rubro><concepto>C</concepto><total>1.00</total></rubro></otrosRubrosTerceros>',
  '<tipoNegociable><correo>a@b.ec</correo></tipoNegociable>',
  '<maquinaFiscal><marca>M</marca><modelo>N</modelo><serie>S</serie></maquinaFiscal>',
  '<reembolsos><reembolsoDetalle><tipoIdentificacionProveedorReembolso>04</tipoIdentificacionProveedorReembolso><identificacionProveedorReembolso>1</identificacionProveedorReembolso><tipoProveedorReembolso>01</tipoProveedorReembolso><codDocReembolso>01</codDocReembolso><estabDocReembolso>001</estabDocReembolso><ptoEmiDocReembolso>001</ptoEmiDocReembolso><secuencialDocReembolso>000000001</secuencialDocReembolso><fechaEmisionDocReembolso>01/01/2026</fechaEmisionDocReembolso><numeroautorizacionDocReemb>1234567890</numeroautorizacionDocReemb><detalleImpuestos><detalleImpuesto><codigo>2</codigo><codigoPorcentaje>4</codigoPorcentaje><tarifa>15</tarifa><baseImponibleReembolso>1.00</baseImponibleReembolso><impuestoReembolso>0.15</impuestoReembolso></detalleImpuesto></detalleImpuestos></reembolsoDetalle></reembolsos>',
  '<infoSustitutivaGuiaRemision><dirPartida>A</dirPartida><dirDestinatario>B</dirDestinatario><fechaIniTransporte>01/01/2026</fechaIniTransporte><fechaFinTransporte>02/01/2026</fechaFinTransporte><razonSocialTransportista>T</razonSocialTransportista><tipoIdentificacionTransportista>04</tipoIdentificacionTransportista><rucTransportista>1</rucTransportista><placa>P</placa><destinos><destino><motivoTraslado>M</motivoTraslado></destino></destinos></infoSustitutivaGuiaRemision>',
];

const VALUES = [
  '',
  ' 1.5\n',
  '1 5',
  'x',
  '0',
  '01',
  '1.000000',
  '1.1234567',
  '-1',
  '00.50',
  'É'.repeat(301),
  '05/13/2026',
  '001-001-000000001',
];

/** Each element removed, doubled, changed in value, or swapped with the next; each optional element after each other one. */
function mutate(xml: string): string[] {
  const found: string[] = [];
  const leaf = /<(\w+)(?: nombre="[^"]*")?(?: valor="[^"]*")?>([^<]*)<\/\1>/g;
  for (const match of xml.matchAll(leaf)) {
    const [whole, name = ''] = match;
    const before = xml.slice(0, match.index);
    const after = xml.slice(match.index + whole.length);
    found.push(before + after, before + whole + whole + after, `${before}${whole}<desconocido>1</desconocido>${after}`);
    for (const value of VALUES) found.push(`${before}<${name}>${value}</${name}>${after}`);
    const next = /^<(\w+)>[^<]*<\/\1>/.exec(after)?.[0];
    if (next) found.push(before + next + whole + after.slice(next.length));
    for (const extra of OPTIONAL_EXTRAS) found.push(before + whole + extra + after);
  }
  for (const match of xml.matchAll(/<\/\w+>(?=<\/\w+>)/g)) {
    const end = match.index + match[0].length;
    for (const extra of OPTIONAL_EXTRAS) found.push(xml.slice(0, end) + extra + xml.slice(end));
  }
  for (const match of xml.matchAll(/<\/(?:info[A-Z]\w+|detalles|impuestos|motivos|pagos|destinatario)>/g)) {
    const end = match.index + match[0].length;
    for (const extra of OPTIONAL_EXTRAS) found.push(xml.slice(0, end) + extra + xml.slice(end));
  }
  // An end of two elements is found twice.
  return [...new Set(found)];
}
