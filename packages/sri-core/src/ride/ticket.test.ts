import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeAmount } from '../documents/parts/amounts.js';
import { fullTitleOf } from '../documents/parts/ride-blocks.js';
import { readComprobante } from '../documents/read-comprobante.js';
import { documentTypeOf } from '../documents/registry.js';
import { ValidationError } from '../errors.js';
import { expectSound, textsOf } from '../testing/ride-picture.js';
import { hasTool, withDirectory } from '../testing/xml-tools.js';
import { issuerFacts, methodText } from './facts.js';
import type { Page } from './page.js';
import { renderRide } from './pdf.js';
import { numberOf } from './ride.js';
import { layoutTicket } from './ticket.js';
import { toGlyphs } from './typeface.js';

const fixtures = new URL('../../fixtures/', import.meta.url);
const xmlOf = (name: string) => readFileSync(new URL(name, fixtures), 'utf8');
const keyOf = (xml: string) => /<claveAcceso>(\d{49})</.exec(xml)?.[1] ?? '';
const three = xmlOf('ride/factura-3-items.xml');
const TICKETS = [
  'ride/factura-3-items.xml',
  'ride/factura-completa.xml',
  'examples/purchase-settlement-0.xml',
  'examples/credit-note-0.xml',
  'examples/debit-note-0.xml',
  'examples/withholding-0.xml',
];

function layout(xml: string, more: { readonly voided?: boolean; readonly authorized?: boolean } = {}) {
  const authorization = more.authorized === false ? null : { number: keyOf(xml), date: '2026-11-21T10:15:32-05:00' };
  const logo = { width: 600, height: 170 };
  return layoutTicket({ document: readComprobante(xml), authorization, voided: more.voided ?? false, logo });
}

/** The texts of pages as one, without the ends of lines. */
function textOf(pages: readonly Page[]): string {
  return pages.flatMap(textsOf).join(' ');
}

function denseOf(text: string): string {
  return text.replace(/\s/g, '');
}

const environments: Readonly<Record<string, string>> = { production: 'PRODUCCIÓN', sandbox: 'PRUEBAS' };

describe('a ticket', () => {
  it.each(TICKETS)('a ticket has every text of the A4, in black: %s', (name) => {
    const document = readComprobante(xmlOf(name));
    const { blocks, sums, payments } = documentTypeOf(document.documentType).ride(document);
    const pages = layout(xmlOf(name));
    expectSound(pages, 11);
    const text = textOf(pages);
    for (const { label, amount } of sums) expect(text).toContain(`${label} ${amount}`);
    for (const field of document.additionalInfo) expect(text).toContain(field.name);
    const dense = denseOf(text);
    const expectText = (...parts: readonly (string | undefined)[]) =>
      expect(dense).toContain(denseOf(String(toGlyphs(parts.join(' ')))));
    const { issuer, accessKey } = document;
    const key = keyOf(xmlOf(name));
    for (const part of [issuer.businessName, issuer.tradeName ?? '', `R.U.C. ${issuer.ruc}`]) expectText(part);
    expectText(fullTitleOf(document.documentType), `No. ${numberOf(document)}`, 'NÚMERO DE AUTORIZACIÓN', key);
    expectText(
      'FECHA Y HORA DE AUTORIZACIÓN',
      '21/11/2026 10:15:32',
      'AMBIENTE',
      environments[document.environment ?? ''],
    );
    expectText('EMISIÓN', 'NORMAL', 'CLAVE DE ACCESO', accessKey);
    for (const block of blocks) {
      if ('rows' in block) {
        for (const { cells, details } of block.rows) {
          for (const cell of cells) expectText(cell);
          for (const detail of details) expectText(`${detail.name}: ${detail.value}`);
        }
        continue;
      }
      for (const [label, value] of [...block.left, ...block.right, ...(block.below ?? [])]) {
        if (value) expectText(label, value);
      }
    }
    for (const way of payments) expectText(methodText(way), way.term === null ? '' : `· ${way.term}`);
    for (const { total } of payments) expectText(writeAmount(total));
    expect(text.includes('Forma de pago')).toBe(payments.length > 0);
    expect(text.includes('Información adicional')).toBe(document.additionalInfo.length > 0);
    expect(text).not.toMatch(/null|undefined/);
    for (const [label, value] of issuerFacts(issuer)) if (value) expectText(label, value);
    expectText(issuer.rimpe ?? '');
    expect(new Set(pages.flatMap(({ texts }) => texts.map(({ ink }) => ink)))).toEqual(new Set(['black']));
    expect(pages.flatMap(({ grounds, frames, lines }) => [...grounds, ...frames, ...lines])).toEqual([]);
  });

  it.each([
    { name: 'an authorized invoice', xml: three, marks: [] },
    { name: 'before authorization', xml: three, authorized: false, marks: ['SIN AUTORIZACI\xd3N'] },
    { name: 'voided', xml: three, voided: true, marks: ['ANULADO'] },
    { name: 'a test', xml: xmlOf('ride/nota-credito.xml'), marks: ['PRUEBAS \x96 SIN VALIDEZ TRIBUTARIA'] },
  ])('a ticket shows its state above and below: $name', ({ xml, marks, ...state }) => {
    const said = layout(xml, state).flatMap(({ texts }) =>
      texts.filter(({ size, weight }) => size === 11.5 && weight === 'bold').map(({ glyphs }) => String(glyphs)),
    );
    const isMark = (text: string) => /ANULADO|SIN /.test(text);
    expect(said.filter(isMark)).toHaveLength(2 * marks.length);
    const [page] = layout(xml, state);
    // Rules stand around each, and none above an ordinary ticket.
    expect((page?.rules[0]?.y ?? 0) < (page?.logo[0]?.y ?? 0)).toBe(marks.length > 0);
    for (const mark of [said.find(isMark), said.findLast(isMark)]) expect(mark).toBe(marks[0]);
  });

  it('a ticket has its logo in the middle, in proportion, and may have none', () => {
    const [page = expect.fail('no page')] = layout(three);
    const [logo = expect.fail('no logo'), ...more] = page.logo;
    expect(more).toEqual([]);
    expect(logo.width / logo.height).toBeCloseTo(600 / 170);
    expect(logo.x + logo.width / 2).toBeCloseTo(page.width / 2);
    expect(Math.min(...page.texts.map(({ y }) => y))).toBeGreaterThan(logo.y + logo.height);
    expect(
      layoutTicket({ document: readComprobante(three), authorization: null, voided: false, logo: null })[0],
    ).toMatchObject({ logo: [] });
  });

  it('a ticket keeps a short value on the line of its long label', () => {
    const xml = three.replace(/<agenteRetencion>[^<]*<.agenteRetencion>|(?=<dirMatriz>)/, '');
    const [page] = layout(xml.replace(/<.dirMatriz>/, '$&<agenteRetencion>12345678</agenteRetencion>'));
    const at = (text: string) => page?.texts.find(({ glyphs }) => String(glyphs) === text)?.y ?? Number.NaN;
    expect(at('12345678')).toBe(at(String(toGlyphs('Agente de Retención Resolución No.'))));
  });

  it('a ticket prints a name once when the trade name is the same', () => {
    const name = /<razonSocial>([^<]*)/.exec(three)?.[1] ?? '';
    const text = textOf(layout(three.replace(/<nombreComercial>[^<]*/, `<nombreComercial>${name}`)));
    expect(denseOf(text).split(denseOf(name))).toHaveLength(2);
    const untitled = textOf(layout(three.replace(/<nombreComercial>.*?<.nombreComercial>/, '')));
    expect(denseOf(untitled).split(denseOf(name))).toHaveLength(2);
  });

  it('a ticket has no codes as a preview, nor for an invalid key', () => {
    const preview = layout(three.replace(/<secuencial>\d+/, '<secuencial>000000000'), { authorized: false });
    const strange = layout(three.replace(/<claveAcceso>\d+/, '<claveAcceso>123'));
    for (const page of [...preview, ...strange]) expect([...page.bars, ...page.squares]).toEqual([]);
    expect(textOf(preview)).toContain('VISTA PREVIA');
  });

  it('a ticket grows by its lines, and takes another page before a PDF page gets too long', () => {
    const line = /<detalle>.*?<\/detalle>/s.exec(three)?.[0] ?? expect.fail('The fixture has no lines.');
    const of = (count: number) =>
      layout(
        three.replace(/<detalles>.*<\/detalles>/s, () => {
          const numbered = Array.from({ length: count }, (_, index) =>
            line.replace(/<codigoPrincipal>[^<]*/, `<codigoPrincipal>L${index}`),
          );
          return `<detalles>${numbered.join('')}</detalles>`;
        }),
      );
    const [short, longer, longest] = [of(1), of(50), of(1_000)];
    expect([short.length, longer.length, longest.length]).toEqual([1, 1, 2]);
    expect(longer[0]?.height).toBeGreaterThan(short[0]?.height ?? 0);
    for (const { width, height } of longest) {
      expect(height).toBeLessThanOrEqual(14_400);
      expect(width / (72 / 25.4)).toBeCloseTo(80);
    }
    const codes = [...textOf(longest).matchAll(/L(\d+) /g)].map(([, number]) => Number(number));
    expect(codes).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
  });

  it('a ticket prints the whole value of a field, one long word a line', () => {
    const value = Array.from({ length: 11 }, (_, index) => `PEDIDO-WEB-MAYORISTA-${1000 + index}`).join(' ');
    const xml = three.replace(/(<campoAdicional [^>]*>)[^<]*/, `$1${value}`);
    expect(textOf(layout(xml))).toContain(value);
  });

  it('a ticket of a delivery guide is refused, by field and rule', async () => {
    const refusal = renderRide({ xml: xmlOf('examples/delivery-guide-0.xml'), format: 'ticket' });
    await expect(refusal).rejects.toThrow(ValidationError);
    await expect(refusal).rejects.toMatchObject({ failures: [{ field: 'format', rule: 'noTicket' }] });
  });
});

describe.skipIf(!hasTool('pdftoppm') || !hasTool('zbarimg'))('the codes of a ticket', () => {
  // A thermal head has 8 dots a millimetre, and prints each of them black or not at all.
  it.each(TICKETS)(
    'a scanner reads the codes of a ticket at the dots of its printer, bars and QR: %s',
    async (name) => {
      const xml = xmlOf(name);
      const pdf = await renderRide({ xml, format: 'ticket' });
      for (const resolution of ['203', '203.2']) {
        for (const [colours, file] of [
          ['-gray', 'page.pgm'],
          ['-mono', 'page.pbm'],
        ] as const) {
          const codes = withDirectory((directory) => {
            writeFileSync(join(directory, 'ticket.pdf'), pdf);
            execFileSync('pdftoppm', ['-r', resolution, '-singlefile', colours, 'ticket.pdf', 'page'], {
              cwd: directory,
            });
            return execFileSync('zbarimg', ['-q', join(directory, file)], { stdio: 'pipe' }).toString();
          });
          const found = codes.trim().split('\n').toSorted();
          expect(found, `${resolution} ${colours}`).toEqual([`CODE-128:${keyOf(xml)}`, `QR-Code:${keyOf(xml)}`]);
        }
      }
    },
  );
});
