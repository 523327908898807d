import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComprobanteItem } from '../documents/parts/reading.js';
import { readComprobante } from '../documents/read-comprobante.js';
import type { Comprobante } from '../documents/registry.js';
import { expectSound, textsOf } from '../testing/ride-picture.js';
import { layoutRide } from './layout.js';
import type { Page } from './page.js';

const fixtures = new URL('../../fixtures/ride/', import.meta.url);
const fixture = (name: string) => readComprobante(readFileSync(new URL(name, fixtures), 'utf8'));
function invoice(name: string) {
  const document = fixture(name);
  return document.documentType === '01' ? document : expect.fail(`${name} is no invoice.`);
}
function creditNote(name: string) {
  const document = fixture(name);
  return document.documentType === '04' ? document : expect.fail(`${name} is no credit note.`);
}
const three = invoice('factura-3-items.xml');
const full = invoice('factura-completa.xml');
const note = creditNote('nota-credito.xml');
const item: ComprobanteItem = three.items[0] ?? full.items[0] ?? expect.fail('The fixtures have no lines.');

function layout(document: Comprobante, more: { voided?: boolean; authorized?: boolean } = {}) {
  const authorization =
    more.authorized === false ? null : { number: document.accessKey, date: '2026-11-21T10:15:32-05:00' };
  return layoutRide({ document, authorization, voided: more.voided ?? false, logo: { width: 600, height: 170 } });
}

const has = (page: Page, text: string) => textsOf(page).includes(text);

const repeat = (count: number, change: Partial<ComprobanteItem> = {}) =>
  Array.from({ length: count }, (_, index) => ({ ...item, mainCode: `L${index}`, ...change }));

describe('layoutRide', () => {
  it.each(['factura-3-items.xml', 'factura-40-items.xml', 'nota-credito.xml', 'factura-completa.xml'])(
    'lays out %s without overlaps',
    (name) => {
      expectSound(layout(fixture(name)));
      expectSound(layout(fixture(name), { authorized: false, voided: true }));
    },
  );

  it('puts three lines on one page, numbered', () => {
    const pages = layout(three);
    expect(pages).toHaveLength(1);
    expect(pages[0]?.texts.at(-1)?.glyphs).toBe('P\xe1gina 1 de 1');
  });

  it('keeps the largest payment of the schema on one line', () => {
    const payment = three.payments[0] ?? expect.fail('The fixture has no payment.');
    const [page = expect.fail('no page')] = layout({ ...three, payments: [{ ...payment, total: '999999999999.99' }] });
    expect(has(page, '999999999999.99')).toBe(true);
    expectSound([page]);
  });

  it('names the emission of a key of the former contingency, inside its box', () => {
    const pages = layout({ ...three, accessKey: three.accessKey.replace(/.(?=.$)/, '2') });
    expect(pages.flatMap(textsOf).join(' ')).toContain('INDISPONIBILIDAD DEL SISTEMA');
    expectSound(pages);
  });

  it('repeats the headings on every page of 1,000 lines, and numbers the pages', () => {
    const pages = layout({ ...three, items: repeat(1_000) });
    expect(pages.length).toBeGreaterThanOrEqual(20);
    for (const [index, page] of pages.entries()) {
      expect(has(page, 'Descuento')).toBe(true);
      expect(has(page, `P\xe1gina ${index + 1} de ${pages.length}`)).toBe(true);
      if (index > 0) expect(has(page, 'FACTURA No. 001-002-000000123')).toBe(true);
    }
    const codes = pages.flatMap(textsOf).filter((text) => /^L\d+$/.test(text));
    expect(codes).toEqual(repeat(1_000).map(({ mainCode }) => mainCode));
  });

  it('keeps the sums whole, on a page with at least one line, wherever the lines end', () => {
    for (let count = 1; count <= 70; count += 1) {
      const pages = layout({ ...three, items: repeat(count) });
      expectSound(pages);
      const last = pages.at(-1);
      expect(last && has(last, 'SUBTOTAL 15 %') && has(last, 'VALOR TOTAL'), `${count} lines`).toBe(true);
      expect(last && textsOf(last).some((text) => /^L\d+$/.test(text)), `${count} lines`).toBe(true);
      expect(pages.slice(0, -1).some((page) => has(page, 'SUBTOTAL 15 %'))).toBe(false);
    }
  });

  it('continues a long list of fields and payments on further pages, each with its heading', () => {
    const wide = 'Texto adicional '.repeat(19).slice(0, 300);
    const pages = layout({
      ...three,
      additionalInfo: Array.from({ length: 15 }, () => ({ name: wide, value: wide })),
      payments: Array.from({ length: 50 }, (_, index) => ({
        method: '20',
        total: `${index}.00`,
        term: '30',
        termUnit: 'dias',
      })),
    });
    expectSound(pages);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.filter((page) => has(page, 'VALOR TOTAL'))).toHaveLength(1);
    const amounts = pages.flatMap(textsOf).filter((text) => /^\d+\.00$/.test(text));
    for (let index = 0; index < 50; index += 1) expect(amounts).toContain(`${index}.00`);
    for (const page of pages.slice(1)) {
      expect(has(page, 'Forma de pago') || has(page, 'Informaci\xf3n adicional')).toBe(true);
    }
  });

  it('starts another page for sums longer than one page', () => {
    const charges = Array.from({ length: 120 }, (_, index) => ({
      concept: `Rubro ${index}`,
      amount: `${index + 1}.00`,
    }));
    const pages = layout({ ...three, thirdPartyCharges: charges });
    expectSound(pages);
    const texts = pages.flatMap(textsOf);
    for (const { concept } of charges) expect(texts).toContain(concept);
    expect(texts.indexOf('VALOR TOTAL')).toBeLessThan(texts.indexOf('Forma de pago'));
  });

  it('prints the whole concept of a charge for third parties', () => {
    const concept = Array.from({ length: 60 }, (_, index) => `r${index}`).join(' ');
    const pages = layout({ ...three, thirdPartyCharges: [{ concept, amount: '1.00' }] });
    expectSound(pages);
    expect(pages.flatMap(textsOf).join(' ')).toContain(concept);
  });

  it('splits a line only if it is longer than a page', () => {
    const long = 'descripci\xf3n interminable '.repeat(400);
    const pages = layout({ ...three, items: [...repeat(2), { ...item, description: long }, ...repeat(1)] });
    expectSound(pages);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(textsOf).join(' ').split('interminable')).toHaveLength(401);
  });

  it('prints a trade name only where it differs from the business name', () => {
    const texts = (tradeName: string | null) =>
      layout({ ...three, issuer: { ...three.issuer, tradeName } }).map(textsOf);
    expect(texts(three.issuer.businessName)).toEqual(texts(null));
  });

  it('leaves out columns that no line fills', () => {
    const [bare] = layout({ ...three, items: repeat(1, { auxiliaryCode: null, unitOfMeasure: null }) });
    expect(bare && has(bare, 'Unidad')).toBe(false);
    const [filled] = layout({ ...three, items: repeat(1, { auxiliaryCode: 'A-1', unitOfMeasure: 'kg' }) });
    expect(filled && has(filled, 'Unidad')).toBe(true);
  });

  it('prints no bars for a key with other characters than digits', () => {
    const [page] = layout({ ...three, accessKey: 'no key' });
    expect(page?.bars).toEqual([]);
    const long = layout({ ...three, accessKey: '1'.repeat(4_000) });
    expect(long[0]?.bars).toEqual([]);
    expectSound(long);
  });

  it('stays without overlaps for any texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.stringMatching(/^[A-ZÑ]{1,300}$/),
      fc.stringMatching(/^[a-z ]{1,300}$/),
      fc.constantFrom('W'.repeat(300), 'W'.repeat(3_000)),
      fc.constant(''),
    );
    const named = fc.record({ name: text, value: text });
    const amount = fc.constantFrom('0.00', '12.50', '999999999999.99', 'x', '9'.repeat(300));
    fc.assert(
      fc.property(
        fc.record({
          name: text,
          address: text,
          short: text,
          items: fc.array(
            fc.record({
              description: text,
              mainCode: text,
              auxiliaryCode: text,
              unitOfMeasure: text,
              quantity: amount,
              additionalDetails: fc.array(named, { maxLength: 3 }),
            }),
            { maxLength: 6 },
          ),
          additionalInfo: fc.array(named, { maxLength: 15 }),
          payments: fc.array(
            fc.record({ method: fc.constantFrom('01', '20', '99'), total: amount, term: text, termUnit: text }),
            { maxLength: 50 },
          ),
        }),
        ({ name, address, short, items, additionalInfo, payments }) => {
          const { issuer, buyer } = full;
          const shared = {
            issuer: {
              ...issuer,
              businessName: name,
              tradeName: name,
              mainAddress: address,
              branchAddress: address,
              rimpe: short,
              specialTaxpayer: short,
            },
            buyer: { ...buyer, name, address, id: short },
            items: items.map((changed) => ({ ...item, ...changed })),
            total: items[0]?.quantity ?? '1.00',
            additionalInfo,
          };
          const originalDocument = { documentType: '01', number: short, issueDate: short };
          expectSound(layout({ ...full, ...shared, guiaRemision: short, payments }));
          expectSound(layout({ ...note, ...shared, originalDocument, motivo: address }));
        },
      ),
      { numRuns: 120 },
    );
  });
});
