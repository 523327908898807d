import { setImmediate as turn } from 'node:timers/promises';
import { renderRide } from 'sri-core';
import { afterEach, expect, it } from 'vitest';
import { createThreads, type ThreadLimits, type Threads } from './threads.js';

const opened: Threads[] = [];
afterEach(async () => {
  for (const threads of opened.splice(0)) await threads.close();
});

function open(limits?: ThreadLimits): Threads {
  const threads = createThreads((error) => {
    throw error;
  }, limits);
  opened.push(threads);
  return threads;
}

/** An invoice with a number of lines. */
function invoiceXml(lines: number): string {
  const line = `<detalle><codigoPrincipal>A</codigoPrincipal><descripcion>Café de Loja</descripcion><cantidad>1</cantidad>
    <precioUnitario>1.00</precioUnitario><descuento>0.00</descuento><precioTotalSinImpuesto>1.00</precioTotalSinImpuesto>
    <impuestos><impuesto><codigo>2</codigo><codigoPorcentaje>4</codigoPorcentaje><tarifa>15</tarifa>
    <baseImponible>1.00</baseImponible><valor>0.15</valor></impuesto></impuestos></detalle>`;
  return `<factura id="comprobante" version="1.1.0"><infoTributaria><ambiente>1</ambiente><tipoEmision>1</tipoEmision>
    <razonSocial>Tienda</razonSocial><ruc>1790012345001</ruc>
    <claveAcceso>2111202601179001234500110010010000000011234567818</claveAcceso><codDoc>01</codDoc><estab>001</estab>
    <ptoEmi>001</ptoEmi><secuencial>000000001</secuencial><dirMatriz>Quito</dirMatriz></infoTributaria>
    <infoFactura><fechaEmision>21/11/2026</fechaEmision><obligadoContabilidad>SI</obligadoContabilidad>
    <tipoIdentificacionComprador>05</tipoIdentificacionComprador><razonSocialComprador>Ana</razonSocialComprador>
    <identificacionComprador>1710034065</identificacionComprador><totalSinImpuestos>1.00</totalSinImpuestos>
    <totalDescuento>0.00</totalDescuento><totalConImpuestos><totalImpuesto><codigo>2</codigo>
    <codigoPorcentaje>4</codigoPorcentaje><baseImponible>1.00</baseImponible><valor>0.15</valor></totalImpuesto>
    </totalConImpuestos><propina>0.00</propina><importeTotal>1.15</importeTotal><moneda>DOLAR</moneda><pagos><pago>
    <formaPago>01</formaPago><total>1.15</total></pago></pagos></infoFactura>
    <detalles>${line.repeat(lines)}</detalles></factura>`;
}

it('prints the same bytes as in the event loop', async () => {
  const input = { xml: invoiceXml(3), authorization: null, voided: true, logo: null };
  const printed = await open().printRide(input);
  expect(Buffer.from(printed).equals(Buffer.from(await renderRide(input)))).toBe(true);
});

it('keeps the event loop free', async () => {
  const threads = open();
  await threads.printRide({ xml: invoiceXml(1) });
  let longestMs = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - last);
    last = performance.now();
  }, 1);
  const began = performance.now();
  await threads.printRide({ xml: invoiceXml(1500) });
  const tookMs = performance.now() - began;
  clearInterval(timer);
  expect(longestMs).toBeLessThan(tookMs / 2);
});

it('rejects an unprintable document, and prints the next document', async () => {
  const threads = open();
  await expect(threads.printRide({ xml: '<factura>' })).rejects.toThrow(Error);
  expect((await threads.printRide({ xml: invoiceXml(1) })).byteLength).toBeGreaterThan(1000);
});

it('ends a print that takes too long, and prints the next one', async () => {
  const limits = { longestMs: 1, heapMb: 192 };
  const threads = open(limits);
  await expect(threads.printRide({ xml: invoiceXml(1500) })).rejects.toMatchObject({ name: 'AbortError' });
  limits.longestMs = 20_000;
  expect((await threads.printRide({ xml: invoiceXml(1) })).byteLength).toBeGreaterThan(1000);
});

it('a piece beyond the memory limit fails alone', async () => {
  const threads = open({ longestMs: 20_000, heapMb: 40 });
  await expect(threads.printRide({ xml: invoiceXml(1800) })).rejects.toMatchObject({
    code: 'ERR_WORKER_OUT_OF_MEMORY',
  });
  expect((await threads.printRide({ xml: invoiceXml(1) })).byteLength).toBeGreaterThan(1000);
});

it('releases earlier prints, however busy the thread is', async () => {
  const threads = open({ longestMs: 60_000, heapMb: 40 });
  const xml = invoiceXml(100);
  const printed = await Promise.all(Array.from({ length: 400 }, () => threads.printRide({ xml })));
  expect(new Set(printed.map((pdf) => pdf.byteLength)).size).toBe(1);
});

it('reads the amounts of comprobantes, and no amounts of an unreadable comprobante', async () => {
  const [read, unread] = await open().readFigures([invoiceXml(1), '<other/>']);
  expect([read?.ivaBases, read?.iva, unread]).toEqual([{ '4': '1.00' }, '0.15', null]);
});

it('checks a logo, and rejects a file of another type', async () => {
  const threads = open();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  expect(
    Buffer.from(await threads.checkLogo(png))
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  await expect(threads.checkLogo(Buffer.from('GIF89a'))).rejects.toMatchObject({ code: 'IMAGE_INVALID' });
  await expect(threads.checkLogo(Buffer.from('text'))).rejects.toMatchObject({ code: 'IMAGE_INVALID' });
});

it('starts no thread without work', async () => {
  let started = 0;
  const count = () => {
    started += 1;
  };
  await turn();
  process.on('worker', count);
  try {
    const threads = open();
    await turn();
    expect(started).toBe(0);
    await threads.printRide({ xml: invoiceXml(1) });
    expect(started).toBe(1);
  } finally {
    process.off('worker', count);
  }
});
