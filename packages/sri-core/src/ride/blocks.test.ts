import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { InvoiceComprobante } from '../documents/invoice/xml.js';
import type { ComprobanteItem } from '../documents/parts/reading.js';
import { itemTable } from '../documents/parts/ride-blocks.js';
import { readComprobante } from '../documents/read-comprobante.js';
import type { RideContent, RideTable } from '../documents/ride-content.js';
import { textsOf } from '../testing/ride-picture.js';
import { columnsOf } from './columns.js';
import { issuerFacts, methodText, termUnitText } from './facts.js';
import { measureFoot } from './foot.js';
import { printTable } from './items.js';
import { openSheets } from './sheets.js';

const document = readComprobante(
  readFileSync(new URL('../../fixtures/ride/factura-3-items.xml', import.meta.url), 'utf8'),
);
const ride = { document, authorization: null, voided: false, logo: null };
const table: RideTable = {
  columns: [
    { title: 'Código', align: 'left', limits: [40, 80] },
    { title: 'Lote', align: 'left', optional: true, limits: [40, 80] },
    { title: 'Bien', align: 'left' },
  ],
  rows: [{ cells: ['A-1', '', 'Cacao en grano'], details: [{ name: 'Origen', value: 'Manabí' }] }],
};

describe('the blocks of a RIDE', () => {
  it('a table leaves out an empty column, and keeps the cells under their headings', () => {
    expect(columnsOf(table).map(({ title, index }) => [title, index])).toEqual([
      ['Código', 0],
      ['Bien', 2],
    ]);
    const sheets = openSheets();
    printTable(sheets, table, ride, 0);
    const texts = textsOf(sheets.page);
    expect(texts).toEqual(['Código', 'Bien', 'A-1', 'Cacao en grano', 'Origen: Manab\xed'].map(asGlyphs));
  });

  it('a block sets one colon after a name, also where the issuer wrote it', () => {
    const sheets = openSheets();
    const details = [{ name: 'Origen: ', value: 'Manabí' }];
    printTable(sheets, { ...table, rows: [{ cells: ['', '', 'Cacao'], details }] }, ride, 0);
    const fields = ['Ruta', 'Zona:'].map((name) => ({ name, value: 'Quito' }));
    measureFoot({ blocks: [], sums: [], payments: [] }, fields).print(sheets, ride);
    const texts = textsOf(sheets.page).filter((text) => text.includes(':'));
    expect(texts).toEqual(['Origen: Manabí', 'Ruta:', 'Zona:'].map(asGlyphs));
  });

  it('a block prints each fact of an issuer under its label, and an unknown code as it is written', () => {
    const facts = {
      mainAddress: 'Quito',
      branchAddress: 'Loja',
      specialTaxpayer: '5368',
      withholdingAgent: '1',
      rise: 'R',
    };
    expect(issuerFacts({ ...document.issuer, ...facts, requiredAccounting: null })).toEqual([
      ['Dirección matriz:', 'Quito'],
      ['Dirección sucursal:', 'Loja'],
      ['Contribuyente Especial Nro.', '5368'],
      ['Obligado a llevar contabilidad:', null],
      ['Agente de Retención Resolución No.', '1'],
      ['RISE:', 'R'],
    ]);
    const payment = { method: '99', total: '1.00', term: '2', termUnit: 'quincenas' };
    expect([methodText(payment), termUnitText(payment)]).toEqual(['99', 'quincenas']);
  });

  it('a table prints the prices of other programs with two decimals at least', () => {
    const [item] = (document as InvoiceComprobante).items;
    const items = ['20', '7.5', '0.000100'].map((unitPrice) => ({ ...item, unitPrice }) as ComprobanteItem);
    const table = itemTable(items);
    const place = table.columns.findIndex(({ title }) => title === 'Precio unitario');
    expect(table.rows.map(({ cells }) => cells[place])).toEqual(['20.00', '7.50', '0.0001']);
  });

  it('a foot prints a sum above the largest amount of a document whole', () => {
    const sheets = openSheets();
    const sums = [{ label: 'TOTAL RETENIDO', amount: '2039130434782.59', strong: true }];
    measureFoot({ blocks: [], sums, payments: [] }, []).print(sheets, ride);
    expect(textsOf(sheets.page)).toEqual(['TOTAL RETENIDO', '2039130434782.59']);
  });

  it('a foot without sums and payments has only the additional information', () => {
    const content: RideContent = { blocks: [table], sums: [], payments: [] };
    const sheets = openSheets();
    const foot = measureFoot(content, [{ name: 'Ruta', value: 'Quito' }]);
    foot.print(sheets, ride);
    expect(sheets.pages).toHaveLength(1);
    expect(sheets.page.frames).toHaveLength(1);
    const empty = openSheets();
    measureFoot(content, []).print(empty, ride);
    expect(empty.page.frames).toEqual([]);
    expect(empty.page.texts).toEqual([]);
  });
});

/** The fonts have accents at their Latin-1 codes. */
function asGlyphs(text: string): string {
  return text.replace('ó', '\xf3');
}
