import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { XmlError } from '../errors.js';
import { hasTool, withDirectory } from '../testing/xml-tools.js';
import { renderRide } from './pdf.js';

const fixtures = new URL('../../fixtures/ride/', import.meta.url);
const bytesOf = (name: string) => readFileSync(new URL(name, fixtures));
const xmlOf = (name: string) => bytesOf(name).toString();
const keyOf = (xml: string) => /<claveAcceso>(\d{49})</.exec(xml)?.[1] ?? '';
const authorizationOf = (xml: string) => ({ number: keyOf(xml), date: '2026-11-21T10:15:32-05:00' });

/** The same without a number, as a preview has it. */
const previewOf = (xml: string) => xml.replace(/<secuencial>\d+/, '<secuencial>000000000');

const three = xmlOf('factura-3-items.xml');
const note = xmlOf('nota-credito.xml');

const hasPdftotext = hasTool('pdftotext');
const canScan = hasTool('pdftoppm') && hasTool('zbarimg');

/** The text of all pages, as a reader copies it, each run of blanks as one. */
function textOf(pdf: Uint8Array): string {
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, stdio: 'pipe' }).toString();
  return text.replace(/\s+/g, ' ');
}

/** The scanned content of the first page at a resolution. */
function scan(pdf: Uint8Array, resolution: number): string {
  return withDirectory((directory) => {
    writeFileSync(join(directory, 'ride.pdf'), pdf);
    execFileSync('pdftoppm', ['-r', String(resolution), '-l', '1', '-singlefile', '-gray', 'ride.pdf', 'page'], {
      cwd: directory,
    });
    return execFileSync('zbarimg', ['-q', '--raw', join(directory, 'page.pgm')], { stdio: 'pipe' })
      .toString()
      .trim();
  });
}

/** The file with its streams decompressed, one byte per character. */
function openedUp(pdf: Uint8Array): string {
  const file = Buffer.from(pdf);
  return file.toString('latin1').replace(/stream\n([\s\S]*?)\nendstream/g, (whole, stream: string) => {
    const packed = Buffer.from(stream, 'latin1');
    return packed[0] === 0x78 ? inflateSync(packed).toString('latin1') : whole;
  });
}

describe('renderRide', () => {
  it('renders the same bytes for the same document, dated by the document', async () => {
    const input = { xml: three, authorization: authorizationOf(three), logo: bytesOf('logo.png') };
    const pdf = await renderRide(input);
    expect(Buffer.from(pdf).equals(await renderRide(input))).toBe(true);
    expect(openedUp(pdf)).toContain('(D:20261121151532Z)');
    expect(openedUp(await renderRide({ xml: three }))).toContain('(D:20261121050000Z)');
  });

  it('renders a whole PDF where a stream gives one chunk at a read, as in Node 26', async () => {
    const whole = await renderRide({ xml: three });
    const readAll = Readable.prototype.read;
    const reading = vi.spyOn(Readable.prototype, 'read').mockImplementation(function (this: Readable, size?: number) {
      return readAll.call(this, size ?? (Math.min(9, this.readableLength) || undefined));
    });
    try {
      expect(Buffer.from(await renderRide({ xml: three })).equals(whole)).toBe(true);
    } finally {
      reading.mockRestore();
    }
  });

  it('renders a small PDF: 60 KB for three lines', async () => {
    const pdf = await renderRide({ xml: three, authorization: authorizationOf(three) });
    expect(pdf.length).toBeLessThan(60 * 1024);
    expect(pdf.length).toBeLessThan(40 * 1024);
  });

  it('a PDF names number, issuer, access key and language, and has no scripts', async () => {
    const file = openedUp(await renderRide({ xml: note, authorization: authorizationOf(note) }));
    expect(file).toMatch(/^%PDF-1\.7/);
    expect(file).toContain('/Lang (es-EC)');
    expect(file).toContain(`(${keyOf(note)})`);
    expect(file).toMatch(/\/Title \d+ 0 R/);
    expect(file).not.toMatch(/\/(JavaScript|JS|OpenAction|AA|EmbeddedFile|URI)\b/);
    expect(file.trimEnd()).toMatch(/%%EOF$/);
  });

  it('the texts of a document cannot put operators or objects into a PDF', async () => {
    const nasty = ') Tj ET endstream endobj (\\) /JavaScript &lt;&lt; &gt;&gt; Td';
    const pdf = await renderRide({ xml: three.replace(/<descripcion>[^<]*/g, `<descripcion>${nasty}`) });
    expect(openedUp(pdf)).toContain('(\\) Tj ET endstream endobj \\(\\\\\\) /JavaScript << >> Td)');
    expect(Buffer.from(pdf).toString('latin1').split('endobj').length).toBe(
      Buffer.from(await renderRide({ xml: three }))
        .toString('latin1')
        .split('endobj').length,
    );
  });

  it.each([
    'logo.png',
    'logo-16-colours.png',
    'logo-baseline.jpg',
    'logo-progressive.jpg',
    'logo-gray.jpg',
    'logo-cmyk.jpg',
    'logo-plain.gif',
    'logo-animated.gif',
  ])('a PDF carries %s', async (name) => {
    const file = openedUp(await renderRide({ xml: three, logo: bytesOf(name) }));
    expect(file).toMatch(/\/Subtype \/Image/);
    expect(file).toMatch(/\/Width 120\n\/Height 34|\/Height 34/);
  });

  it.each([
    { name: 'empty', logo: new Uint8Array() },
    { name: 'a web page', logo: Buffer.from('<html><script>alert(1)</script></html>') },
    { name: 'cut off', logo: bytesOf('logo.png').subarray(0, 900) },
    { name: 'far too large', logo: Buffer.alloc(600_000, 0xff) },
  ])('a PDF leaves out a logo that is $name', async ({ logo }) => {
    const without = await renderRide({ xml: three });
    expect(Buffer.from(await renderRide({ xml: three, logo })).equals(without)).toBe(true);
  });

  it('rejects text that is not a comprobante', async () => {
    await expect(renderRide({ xml: '<guiaRemision/>' })).rejects.toThrow(XmlError);
  });

  it('survives any text in any field', async () => {
    const escaped = (text: string) => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
    const xmlText = fc
      .string({ unit: 'binary', maxLength: 300 })
      .map((text) => text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').toWellFormed());
    await fc.assert(
      fc.asyncProperty(xmlText, async (text) => {
        const xml = three.replace(
          /<(razonSocial|descripcion|dirMatriz|codigoPrincipal|cantidad|claveAcceso|secuencial)>[^<]*/g,
          `<$1>${escaped(text).replaceAll('$', '$$$$')}`,
        );
        expect(
          Buffer.from(await renderRide({ xml }))
            .subarray(0, 5)
            .toString(),
        ).toBe('%PDF-');
      }),
      { numRuns: 60 },
    );
  });
});

describe.skipIf(!hasPdftotext)('the text of a RIDE', () => {
  it('the text of a RIDE has every part of an authorized invoice, with accents', async () => {
    const text = textOf(await renderRide({ xml: three, authorization: authorizationOf(three) }));
    for (const part of [
      'R.U.C.: 1790011674001',
      'FACTURA',
      'No. 001-002-000000123',
      `NÚMERO DE AUTORIZACIÓN`,
      keyOf(three),
      '21/11/2026 10:15:32',
      'PRODUCCIÓN',
      'FERRETERÍA EL CÓNDOR ANDINO CÍA.',
      'Contribuyente Especial Nro. 5368',
      'Obligado a llevar contabilidad: SÍ',
      'COMERCIAL PEÑAHERRERA & HIJOS S.A.',
      'Identificación: 0991234567001',
      'Taladro percutor 1/2″ 750 W con maletín',
      'Clavos de acero 2½" (caja × 500 u.)',
      'SUBTOTAL 15 % 120.75',
      'SUBTOTAL 0 % 57.50',
      'IVA 15 % 18.11',
      'VALOR TOTAL 196.36',
      '20 – Otros con utilización del sistema financiero 196.36 30 días',
      'RUC Proveedor: 1792146739001',
      'Página 1 de 1',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/SIN AUTORIZACIÓN|PRUEBAS|ANULADO/);
  });

  it('the text of a RIDE has the corrected invoice of a credit note', async () => {
    const text = textOf(await renderRide({ xml: note, authorization: authorizationOf(note) }));
    expect(text).toContain('NOTA DE CRÉDITO');
    expect(text).toContain('Comprobante que se modifica: FACTURA 001-002-000000123');
    expect(text).toContain('Razón de modificación: Devolución de mercadería: el taladro llegó con el mandril dañado');
  });

  it.each([
    { name: 'an authorized invoice', xml: three, authorized: true, voided: false, marks: [] },
    { name: 'before authorization', xml: three, authorized: false, voided: false, marks: ['SIN AUTORIZACIÓN'] },
    {
      name: 'a preview',
      xml: previewOf(three),
      authorized: false,
      voided: false,
      marks: ['VISTA PREVIA – SIN VALIDEZ'],
    },
    { name: 'voided', xml: three, authorized: true, voided: true, marks: ['ANULADO'] },
    { name: 'sandbox', xml: note, authorized: true, voided: false, marks: ['PRUEBAS – SIN VALIDEZ TRIBUTARIA'] },
    {
      name: 'sandbox before authorization',
      xml: xmlOf('factura-completa.xml'),
      authorized: false,
      voided: false,
      marks: ['SIN AUTORIZACIÓN', 'PRUEBAS – SIN VALIDEZ TRIBUTARIA'],
    },
  ])('a RIDE has its mark on every page: $name', async ({ xml, authorized, voided, marks }) => {
    const pdf = await renderRide({ xml, voided, authorization: authorized ? authorizationOf(xml) : null });
    const pages = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString().split('\f').slice(0, -1);
    for (const page of pages) {
      for (const mark of [
        'VISTA PREVIA – SIN VALIDEZ',
        'SIN AUTORIZACIÓN',
        'ANULADO',
        'PRUEBAS – SIN VALIDEZ TRIBUTARIA',
      ]) {
        expect(page.replace(/\s+/g, ' ').includes(mark), mark).toBe(marks.some((expected) => expected === mark));
      }
    }
  });

  it.each([
    { name: 'an authorized invoice', input: { xml: three, authorization: authorizationOf(three) } },
    { name: 'two marks and a logo', input: { xml: note, logo: bytesOf('logo-cmyk.jpg') } },
    { name: 'two pages, voided', input: { xml: xmlOf('factura-completa.xml'), voided: true } },
  ])('pdftotext reads a RIDE without a warning: $name', async ({ input }) => {
    const { status, stderr } = spawnSync('pdftotext', ['-', '-'], { input: await renderRide(input) });
    expect({ status, warnings: stderr.toString() }).toEqual({ status: 0, warnings: '' });
  });

  it('the text of a RIDE shows letters of other alphabets, and a box for a character without a glyph', async () => {
    const text = textOf(
      await renderRide({
        xml: three.replace(/<descripcion>[^<]*/, '<descripcion>Łódź Ωμέγα Россия ≥ ✓ 厄 😀 \u202eabc\u202c fin'),
      }),
    );
    expect(text).toContain('Łódź Ωμέγα Россия ≥ ✓ \ufffd \ufffd abc fin');
  });
});

describe.skipIf(!canScan)('the barcode of a RIDE', () => {
  it.each([150, 200, 300])('a scanner reads the barcode of a RIDE at %d dots an inch', async (resolution) => {
    for (const input of [
      { xml: three, authorization: authorizationOf(three), logo: bytesOf('logo.png') },
      { xml: note },
      { xml: xmlOf('factura-completa.xml'), voided: true },
    ]) {
      expect(scan(await renderRide(input), resolution)).toBe(keyOf(input.xml));
    }
  });

  it('a preview has no barcode, because its key is invalid', async () => {
    const pdf = await renderRide({ xml: previewOf(three) });
    expect(() => scan(pdf, 200)).toThrow();
  });
});
