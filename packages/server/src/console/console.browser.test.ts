import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { silentLogger } from 'sri-core';
import { createTestP12 } from 'sri-core/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../server.js';
import { chromiumPath, openBrowser } from '../testing/browser.js';
import { TEST_RUC } from '../testing/test-server.js';
import { openReceiver, type WebhookReceiver } from '../testing/webhook-receiver.js';

const SCREENSHOTS = fileURLToPath(new URL('../../../../console-screenshots/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PASSWORD = 'secreta';
/** The simulator rejects any document for this passport with code 35. */
const RETURNED_BUYER = 'SRI-RETURNED-35';
/** Another address for a mail. */
const ANOTHER_READER = 'contadora@example.com';
const DAY_MS = 86_400_000;
/** A picture of one point. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const PLAN = {
  documentTypes: ['01', '03', '04', '05', '06', '07'],
  maxApiKeys: 5,
  maxWebhookEndpoints: 2,
  readsPerMinute: 6000,
  writesPerMinute: 600,
};

let dataDir: string;
let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let receiver: WebhookReceiver;
/** Errors in the browser: failed scripts, and everything that the content security policy blocked. */
const complaints: string[] = [];

describe.skipIf(chromiumPath === null)(
  'the console, in Chromium (skipped if it is not installed)',
  { timeout: 60_000 },
  () => {
    beforeAll(async () => {
      mkdirSync(SCREENSHOTS, { recursive: true });
      dataDir = await mkdtemp(join(tmpdir(), 'sri-console-'));
      const plans = join(dataDir, 'plans.json');
      await writeFile(plans, JSON.stringify({ FREE: PLAN }));
      receiver = await openReceiver();
      const settings = {
        PORT: '0',
        DATA_DIR: dataDir,
        SRI_AUTH_FIRST_DELAY: '10ms',
        PLANS_FILE: plans,
        WEBHOOK_ALLOW_INSECURE: 'true',
      };
      server = await startServer(settings, { logger: silentLogger });
      browser = await openBrowser();
      context = await browser.newContext({ locale: 'es-EC', viewport: { width: 1280, height: 900 } });
      page = await context.newPage();
      page.setDefaultTimeout(20_000);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        // Some steps expect an error status; the browser logs each.
        if (message.type() === 'error' && !/status of (?:4\d\d|50[23])/.test(message.text()))
          complaints.push(message.text());
      });
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await server?.close();
      receiver?.close();
      await rm(dataDir, { recursive: true, force: true });
    });

    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail')
        await page.screenshot({ path: join(SCREENSHOTS, 'failed.png'), fullPage: true });
    });

    it('asks for a key, recognizes a wrong one, and stores nothing', async () => {
      await page.goto(`${server.url}/console`);
      await page.getByRole('heading', { name: 'Entrar' }).waitFor();
      await look('sign-in');
      await page.getByLabel('Clave API').fill('sri_test_wrong');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('UNAUTHORIZED').waitFor();
      expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
    });

    it('registers an account with its certificate', async () => {
      await page.getByRole('link', { name: 'Registrar una cuenta' }).click();
      // A certificate that expires soon, so that the overview shows a warning.
      const validTo = new Date(Date.now() + 12.5 * DAY_MS);
      const buffer = Buffer.from(await createTestP12({ ruc: TEST_RUC, password: PASSWORD, validTo }));
      await page
        .getByLabel('Certificado de firma')
        .setInputFiles({ name: 'firma.p12', mimeType: 'application/x-pkcs12', buffer });
      await page.getByLabel('Contraseña del certificado').fill('otra');
      await page.getByLabel('RUC').fill(TEST_RUC);
      await page.getByLabel('Correo electrónico').fill('ana@example.com');
      await page.getByLabel('Razón social').fill('Cafetería Ñandú & Hijos');
      await page.getByLabel('Dirección matriz').fill('Av. Amazonas N21-45, Quito');
      await page.getByLabel('Logotipo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: LOGO });
      await look('register');
      await page.getByRole('button', { name: 'Registrar una cuenta' }).click();
      await page.getByRole('alert').getByText('contraseña', { exact: false }).first().waitFor();
      await look('register-refused');
      await page.getByLabel('Contraseña del certificado').fill(PASSWORD);
      await page.getByRole('button', { name: 'Registrar una cuenta' }).click();
      await page.getByRole('heading', { name: 'La cuenta está registrada.' }).waitFor();
      await look('registered');
      await page.getByRole('button', { name: 'Continuar a la consola' }).click();
      await page.getByRole('heading', { name: 'Resumen' }).waitFor();
    });

    it('issues an invoice and shows its sums before it is sent', async () => {
      await openSection('Nueva factura');
      await fillParty('Comprador', { id: '1710034065', name: 'María José Ñacata', email: 'maria@example.com' });
      await fillLine(0, { code: 'CAF-01', text: 'Cafetera «Ñandú»', quantity: '3', price: '0,335' });
      await page.getByRole('button', { name: 'Añadir línea' }).click();
      await fillLine(1, { code: 'SRV-02', text: 'Instalación', quantity: '1', price: '30' });
      // 3 × 0,335 = 1,005 → 1,01; 31,01 × 15 % = 4,6515 → 4,65.
      await expectSum('$ 31.01', '$ 4.65', '$ 35.66');
      await look('new-invoice');
      await page.getByRole('button', { name: 'Emitir y enviar al SRI' }).click();
      await page.getByRole('heading', { name: /Factura 001-001-000000001/ }).waitFor();
      await untilShown('Autorizado');
      await page.getByText('35.66').first().waitFor();
      await page.getByText('Enviado', { exact: false }).first().waitFor();
      await look('document');
    });

    it('requests the mail of a document again; the mail waits until the account is verified', async () => {
      await page.locator('summary').filter({ hasText: 'Enviar otra vez el correo' }).click();
      await page.getByLabel('Otra dirección').fill(ANOTHER_READER);
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().includes('/email-retry')),
        page.getByRole('button', { name: 'Enviar otra vez el correo' }).click(),
      ]);
      expect(await answer.json()).toMatchObject({ result: { sent: false, reason: 'queued' } });
      expect((await writtenMails()).map(({ to }) => to)).not.toContainEqual(expect.stringContaining(ANOTHER_READER));
    });

    it('shows the warnings of a new document', async () => {
      await openSection('Nueva factura');
      // A cédula with a wrong check digit.
      await fillParty('Comprador', {
        id: '1710034064',
        name: 'Ana Nombre-Larguísimo de la Santísima Trinidad y Quiñónez',
        email: 'ana.nombre@example.com',
      });
      await fillLine(0, { code: 'X', text: 'Producto', quantity: '2', price: '10' });
      await page.getByRole('button', { name: 'Emitir y enviar al SRI' }).click();
      await page.getByRole('heading', { name: 'Revise esto' }).waitFor();
      await page.getByRole('region', { name: 'Revise esto' }).getByText('buyer.id').waitFor();
      await untilShown('Autorizado');
      await look('warnings');
    });

    it('shows the RIDE and the XML of a document', async () => {
      await page.getByRole('button', { name: 'Ver el XML' }).click();
      await page.getByText('<razonSocialComprador>Ana Nombre', { exact: false }).waitFor();
      await page.getByRole('button', { name: 'Ver el RIDE' }).click();
      await page.locator('iframe[title="RIDE"]').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Descargar RIDE' }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^RIDE-\d{49}\.pdf$/);
    });

    it('lets an issuer issue every type of document', async () => {
      await openSection('Emisores');
      for (const type of [
        'Nota de crédito',
        'Nota de débito',
        'Guía de remisión',
        'Liquidación de compra',
        'Comprobante de retención',
      ]) {
        await page.getByRole('button', { name: `Permitir ${type}` }).click();
        await page.getByRole('button', { name: `Quitar ${type}` }).waitFor();
      }
    });

    it('credits an invoice, and voids it after a confirmation', async () => {
      await openSection('Comprobantes');
      await page.getByRole('link', { name: '001-001-000000001' }).click();
      await page.getByRole('link', { name: 'Nota de crédito sobre esta factura' }).click();
      await page.getByLabel('Motivo de la nota').fill('Devolución');
      await expectSum('$ 31.01', '$ 4.65', '$ 35.66');
      await look('new-credit-note');
      await page.getByRole('button', { name: 'Emitir y enviar al SRI' }).click();
      await page.getByRole('heading', { name: /Nota de crédito 001-001-000000001/ }).waitFor();
      await untilShown('Autorizado');
      await page.getByText('Anular').first().click();
      await page.getByLabel('Ya está anulado en el portal del SRI').check();
      await page.getByLabel('Motivo', { exact: true }).fill('Emitida por error');
      await page.getByRole('button', { name: 'Anular' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Autorizado');
      await page.getByRole('button', { name: 'Anular' }).click();
      await look('void');
      await page.getByRole('dialog').getByRole('button', { name: 'Anular' }).click();
      await untilShown('Anulado');
    });

    it('explains a rejection by the SRI, and corrects the document', async () => {
      await openSection('Nueva factura');
      await page.getByRole('group', { name: 'Comprador' }).getByLabel('Tipo de identificación').selectOption('06');
      await fillParty('Comprador', { id: RETURNED_BUYER, name: 'Comprador de prueba', email: 'comprador@example.com' });
      await fillLine(0, { code: 'X', text: 'Producto', quantity: '1', price: '10' });
      await page.getByRole('button', { name: 'Emitir y enviar al SRI' }).click();
      await untilShown('Devuelto');
      await page.getByText('Qué hacer').first().waitFor();
      await look('returned');
      await page.emulateMedia({ colorScheme: 'dark' });
      await look('returned-dark');
      await page.emulateMedia({ colorScheme: 'light' });
      await openSection('Resumen');
      await page.getByRole('link', { name: 'Ver qué hacer' }).click();
      await look('attention');
      await page.getByRole('link', { name: 'Devueltos por el SRI: 1', exact: false }).click();
      await page.getByText('Encontrados: 1').waitFor();
      await page.getByRole('link', { name: '001-001-' }).click();
      await page.getByRole('link', { name: 'Corregir en el formulario' }).click();
      await page.getByRole('heading', { name: 'Corregir y reconstruir' }).waitFor();
      await fillParty('Comprador', { id: 'AB123456', name: 'Comprador de prueba' });
      await page.getByRole('button', { name: 'Corregir y reconstruir' }).click();
      await untilShown('Firmado');
      await page.getByText('Corregir y reconstruir').first().click();
      const content = page.getByLabel('Contenido (JSON)');
      await content.fill((await content.inputValue()).replace('Producto', 'Producto corregido'));
      await page.getByRole('button', { name: 'Corregir y reconstruir' }).click();
      await page.getByText('Corregido y firmado otra vez').nth(1).waitFor();
      await page.getByRole('button', { name: 'Enviar al SRI' }).click();
      await untilShown('Autorizado');
    });

    it('links to the work that the server gave up, and reports a lost connection', async () => {
      const given = await page.evaluate('location.hash');
      const accessKey = String(given).split('/').at(-1);
      await page.route('**/v1/documents/stats', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { stats: { byStatus: Record<string, number> } };
        Object.assign(body.stats.byStatus, { PENDING_SEND: 1, NOT_AUTHORIZED: 2 });
        await route.fulfill({ response, json: body });
      });
      await page.route('**/v1/documents?status=PENDING_SEND*', async (route) => {
        const dispatch = { status: 'FAILED', attemptCount: 5, lastError: 'HTTP_503' };
        const document = { accessKey, documentType: '01', sequential: '000000003', status: 'PENDING_SEND', dispatch };
        await route.fulfill({ json: { ok: true, data: [document] } });
      });
      await openSection('Resumen');
      await page.getByRole('link', { name: 'No autorizados por el SRI: 2', exact: false }).waitFor();
      await page.getByRole('link', { name: /Factura 001-001-000000003: no se pudo enviar/ }).click();
      await page.getByRole('heading', { name: /Factura 001-001-000000003/ }).waitFor();
      await page.unroute('**/v1/documents?status=PENDING_SEND*');
      await page.unroute('**/v1/documents/stats');
      await page.route('**/v1/documents/stats', (route) => route.fulfill({ status: 502, body: 'no JSON' }));
      await openSection('Resumen');
      await page.getByText('(HTTP 502)', { exact: false }).waitFor();
      await look('unreachable');
      await page.unroute('**/v1/documents/stats');
      await page.getByRole('button', { name: 'Intentar de nuevo' }).click();
      await page.getByText('Cupo').waitFor();
    });

    it('does not issue a second document when the first could not be sent', async () => {
      await page.route('**/send', (route) =>
        route.fulfill({ status: 503, json: { code: 'SERVICE_UNAVAILABLE', detail: 'Ahora no.' } }),
      );
      await openSection('Nueva factura');
      await page.getByRole('button', { name: 'Consumidor final' }).click();
      await page.getByRole('group', { name: 'Comprador' }).getByLabel('Correo electrónico').fill('caja@example.com');
      await fillLine(0, { code: 'X', text: 'Producto', quantity: '1', price: '1' });
      await page.getByRole('button', { name: 'Emitir y enviar al SRI' }).click();
      await page.getByRole('alert').getByText('no lo cree otra vez', { exact: false }).waitFor();
      await look('not-sent');
      await page.unroute('**/send');
      await page.getByRole('button', { name: 'Enviar al SRI' }).click();
      await untilShown('Autorizado');
    });

    it('lists documents by their filters', async () => {
      await openSection('Comprobantes');
      await page.getByText('Encontrados: 5').waitFor();
      await look('documents');
      await page.getByLabel('Estado').selectOption('VOIDED');
      await page.getByRole('button', { name: 'Buscar' }).click();
      await page.getByText('Encontrados: 1').waitFor();
      await page.getByLabel('Cliente o proveedor').fill('Nadie');
      await page.getByRole('button', { name: 'Buscar' }).click();
      await page.getByText('No hay comprobantes que cumplan').waitFor();
      await look('documents-none');
    });

    it('shows the account at a glance', async () => {
      await openSection('Resumen');
      await page.getByText('Cupo').waitFor();
      await page.locator('.tile strong').first().filter({ hasText: /^5$/ }).waitFor();
      await look('overview');
      await page.emulateMedia({ colorScheme: 'dark' });
      await look('overview-dark');
      await page.emulateMedia({ colorScheme: 'light' });
    });

    it('credits ICE and the tax on bottles, whole or in part', async () => {
      const tax = (code: string, rateCode: string, rate: string, taxableBase: string, taxAmount: string) => ({
        ...{ code, rateCode, rate, taxableBase, taxAmount },
      });
      const taxes = [
        tax('3', '3101', '10', '50.00', '5.00'),
        tax('2', '4', '15', '55.00', '8.25'),
        tax('5', '5001', '0.02', '10.00', '0.20'),
      ];
      // No form of the console has these taxes: the test creates the invoice through the API.
      await page.route('**/v1/documents', async (route) => {
        const body = JSON.parse(route.request().postData() ?? '{}');
        const [line] = body.items;
        const items = [{ ...line, auxiliaryCode: '786-1', taxes }];
        await route.continue({
          postData: JSON.stringify({ ...body, items, payments: [{ method: '01', total: '63.45' }] }),
        });
      });
      await openSection('Nueva factura');
      await fillParty('Comprador', { id: '1710034065', name: 'María José Ñacata', email: 'maria@example.com' });
      await fillLine(0, { code: 'COLA', text: 'Gaseosa', quantity: '10', price: '5' });
      await page.getByRole('button', { name: 'Emitir y enviar al SRI' }).click();
      await untilShown('Autorizado');
      await page.unroute('**/v1/documents');
      await page.getByRole('link', { name: 'Nota de crédito sobre esta factura' }).click();
      await page.getByText('Siguen a la cantidad', { exact: false }).waitFor();
      await expectSum('$ 50.00', '$ 5.00', '$ 8.25', '$ 0.20', '$ 63.45');
      await page.getByLabel('Motivo de la nota').fill('Devolución');
      expect(await page.getByLabel('Precio unitario').getAttribute('readonly')).not.toBeNull();
      await page.getByLabel('Cantidad').fill('4');
      await expectSum('$ 20.00', '$ 2.00', '$ 3.30', '$ 0.08', '$ 25.38');
      await page.getByLabel('Cantidad').fill('10');
      await look('credit-note-with-ice');
      await page.getByRole('button', { name: 'Emitir y enviar al SRI' }).click();
      await page.getByRole('heading', { name: /Nota de crédito/ }).waitFor();
      await untilShown('Autorizado');
      await page.getByText('63.45').first().waitFor();
      await openSection('Resumen');
    });

    it('charges interest with a debit note on an invoice, and shows the balance', async () => {
      await openInvoice();
      await page.getByRole('link', { name: 'Nota de débito sobre esta factura' }).click();
      await page.getByLabel('Razón', { exact: true }).fill('Interés por mora');
      const reasons = page.getByRole('group', { name: 'Razones' }).first();
      await reasons.getByLabel('Valor').fill('12,50');
      await reasons.getByLabel('IVA').selectOption('0');
      await expectSum('$ 12.50', '$ 0.00', '$ 12.50');
      await page.getByRole('button', { name: 'Añadir razón' }).click();
      await page.getByText('Complete los valores', { exact: false }).waitFor();
      await page.getByLabel('Razón', { exact: true }).last().fill('Transporte');
      await reasons.getByLabel('Valor').last().fill('10');
      await expectSum('$ 22.50', '$ 0.00', '$ 1.50', '$ 24.00');
      await look('new-debit-note');
      await issue(/Nota de débito 001-001-000000001/);
      await openInvoice();
      await page.getByRole('heading', { name: 'Saldo de esta factura' }).waitFor();
      await page.getByText('59.66').waitFor();
      await look('balance');
    });

    it('sends the goods of an invoice with a delivery guide', async () => {
      await openInvoice();
      await page.getByRole('link', { name: 'Guía de esta factura' }).click();
      await fillParty('Transportista', { id: '1710034065', name: 'Luis Chofer' });
      await page.getByLabel('Placa').fill('ABC0123');
      await page.getByLabel('Punto de partida').fill('Av. Amazonas N21-45, Quito');
      const day = new Date().toLocaleDateString('en-CA', { timeZone: 'America/Guayaquil' });
      await page.getByLabel('Inicio del traslado').fill(day);
      await page.getByLabel('Fin del traslado').fill(day);
      await page.getByLabel('Punto de llegada').fill('Av. 10 de Agosto, Quito');
      await page.getByLabel('Motivo del traslado').fill('Venta');
      expect(await page.getByRole('group', { name: 'Bienes' }).first().getByLabel('Descripción').count()).toBe(2);
      await look('new-delivery-guide');
      await issue(/Guía de remisión 001-001-000000001/);
      await page.getByText('Destinatario', { exact: true }).waitFor();
    });

    it('buys with a purchase settlement', async () => {
      await openSection('Nueva liquidación de compra');
      await fillParty('Proveedor', { id: '1710034065', name: 'Rosa Chimbo' });
      await fillLine(0, { code: 'ART', text: 'Sombreros', quantity: '10', price: '12' });
      await expectSum('$ 120.00', '$ 18.00', '$ 138.00');
      await look('new-purchase-settlement');
      await issue(/Liquidación de compra 001-001-000000001/);
      await page.getByText('Proveedor', { exact: true }).waitFor();
    });

    it('withholds from a purchase settlement', async () => {
      await page.getByRole('link', { name: 'Retención de esta liquidación' }).click();
      await page.getByLabel('Correo electrónico').fill('rosa@example.com');
      await page.getByLabel('Sustento tributario').selectOption('02');
      await page.getByLabel('Impuesto que se retiene').selectOption('2');
      await page.getByLabel('Código de retención').fill('3');
      expect(await page.getByLabel('Base de la retención').inputValue()).toBe('18.00');
      expect(await page.getByLabel('Porcentaje').inputValue()).toBe('100');
      await page.getByRole('button', { name: 'Añadir retención' }).click();
      await page.getByLabel('Código de retención').last().fill('311');
      expect(await page.getByLabel('Base de la retención').last().inputValue()).toBe('120.00');
      await expectSum('$ 3.60', '$ 18.00', '$ 21.60');
      await look('new-withholding');
      await issue(/Comprobante de retención 001-001-000000001/);
      await page.getByText('Sujeto retenido', { exact: true }).waitFor();
      await page.getByText('21.60').first().waitFor();
      await look('withholding');
      await openSection('Comprobantes');
      await look('documents-of-all-types');
      await openSection('Resumen');
      await page.getByText('Ventas', { exact: true }).waitFor();
      await look('overview-of-all-types');
    });

    it('links from a certificate that expires soon to its renewal', async () => {
      await page.getByRole('link', { name: 'el certificado vence en 12 días', exact: false }).click();
      const buffer = Buffer.from(await createTestP12({ ruc: TEST_RUC, password: PASSWORD }));
      await page
        .getByLabel('Certificado de firma')
        .setInputFiles({ name: 'nueva.p12', mimeType: 'application/x-pkcs12', buffer });
      await page.getByLabel('Contraseña del certificado').fill(PASSWORD);
      await look('renewal');
      await page.getByRole('button', { name: 'Renovar certificado' }).click();
      await page.getByText(/7\d\d días/).waitFor();
      await openSection('Resumen');
      await page.getByText('Cupo').waitFor();
      expect(await page.getByText('el certificado vence', { exact: false }).count()).toBe(0);
    });

    it('sends what waited for the verification', async () => {
      await verifyAccount();
      await expect
        .poll(async () => (await writtenMails()).map(({ to }) => to), { timeout: 30_000 })
        .toContainEqual(expect.stringContaining(ANOTHER_READER));
    });

    it('adds an issue point, and pauses it', async () => {
      await openSection('Emisores');
      await page.getByText('Añadir establecimiento o punto').first().click();
      await page.getByLabel('Establecimiento', { exact: true }).fill('001');
      await page.getByLabel('Punto de emisión').fill('002');
      await page.getByRole('button', { name: 'Añadir establecimiento o punto' }).click();
      await page.getByRole('heading', { name: /001-002/ }).waitFor();
      await page.getByRole('button', { name: 'Pausar' }).last().click();
      await page.getByRole('button', { name: 'Reanudar' }).waitFor();
    });

    it('creates a key that is shown once, shows its use, and revokes it after a confirmation', async () => {
      await openSection('Claves API');
      await page.getByLabel('Nombre de la clave').fill('Contabilidad del almacén de la avenida Amazonas');
      await page.getByRole('button', { name: 'Crear clave' }).click();
      await page.getByText('Se muestra solo esta vez', { exact: false }).waitFor();
      await page
        .getByRole('row', { name: /Clave inicial/ })
        .getByRole('button', { name: 'Uso' })
        .click();
      await page.getByRole('heading', { name: 'Solicitudes por día: Clave inicial' }).waitFor();
      await look('keys-used');
      await page
        .getByRole('row', { name: /Contabilidad/ })
        .getByRole('button', { name: 'Revocar' })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revocar' }).click();
      await page.getByRole('row', { name: /Contabilidad/ }).waitFor({ state: 'detached' });
    });

    it('delivers a test to a webhook, and delivers it again', async () => {
      await openSection('Webhooks');
      await page.getByText('Todavía no hay ninguno', { exact: false }).waitFor();
      await page.getByLabel('Dirección (https)').fill(`${receiver.url}avisos`);
      await page.getByRole('button', { name: 'Añadir webhook' }).click();
      await page.getByText('whsec_', { exact: false }).waitFor();
      await look('webhook-made');
      await page.getByRole('link', { name: `${receiver.url}avisos` }).click();
      await page.getByText('Todavía no hay entregas', { exact: false }).waitFor();
      await page.getByRole('button', { name: 'Enviar una prueba' }).click();
      await page.getByText('Entregado', { exact: true }).waitFor();
      expect(receiver.seen).toHaveLength(1);
      await page.getByRole('button', { name: 'Entregar otra vez' }).click();
      await expect.poll(() => receiver.seen.length, { timeout: 10_000 }).toBe(2);
      await page.getByText('Entregado', { exact: true }).first().waitFor();
      await look('deliveries');
    });

    it.each([
      ['Emisores', 'Próximos números', 'issuers'],
      ['Claves API', 'Crear clave', 'keys'],
      ['Webhooks', 'Añadir webhook', 'webhooks'],
      ['Avisos', 'Avisos', 'notifications'],
      ['Correos escritos', 'Asunto', 'mails'],
    ])('shows %s', async (section, text, name) => {
      await openSection(section);
      await page.getByText(text).first().waitFor();
      await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
      await look(name);
    });

    it('shows a written mail as its recipient sees it', async () => {
      await openSection('Correos escritos');
      await page
        .locator('main')
        .getByRole('link', { name: /Factura/ })
        .first()
        .click();
      await page.frameLocator('iframe.mail').getByText('Cafetería Ñandú').first().waitFor();
      await look('mail');
    });

    it('speaks English, fits a phone, and works by keyboard', async () => {
      await page.getByRole('button', { name: 'English' }).click();
      await page.getByRole('heading', { name: 'Written mails' }).waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      for (const section of [
        'Overview',
        'Documents',
        'New invoice',
        'New delivery guide',
        'New withholding',
        'Issuers',
        'API keys',
        'Webhooks',
        'Notifications',
      ]) {
        await openSection(section);
        await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), section).toBeLessThanOrEqual(
          0,
        );
        await look(`phone-${section.toLowerCase().replaceAll(' ', '-')}`);
      }
      await page.keyboard.press('Shift+Tab');
      await page.getByRole('link', { name: 'Skip to content' }).focus();
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('content');
    });

    it('forgets the former user', async () => {
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto(`${server.url}/console#/documents`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    it('ran without an error in the browser', () => {
      expect(complaints).toEqual([]);
    });
  },
);

// --- internal ---

/** Takes a screenshot of the page, and checks it against WCAG 2.2 AA as far as a program can. */
async function look(name: string): Promise<void> {
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  await page.evaluate(AXE);
  const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const found = await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`);
  expect(found, name).toEqual([]);
}

interface WrittenMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
}

/** The mails that the server wrote instead of sending them. */
async function writtenMails(): Promise<readonly WrittenMail[]> {
  const answer = await fetch(`${server.url}/console/mails`);
  return ((await answer.json()) as { readonly mails: readonly WrittenMail[] }).mails;
}

/** Opens the link in the requested mail. */
async function verifyAccount(): Promise<void> {
  for (const { id } of await writtenMails()) {
    const shown = await (await fetch(`${server.url}/console/mails/${id}/page`)).text();
    const [link] = /http[^"<\s]*verify-email\?[^"<\s]*/.exec(shown.replaceAll('&amp;', '&')) ?? [];
    if (link) expect((await fetch(link)).status).toBe(200);
  }
}

async function openSection(name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Opens the first invoice. */
async function openInvoice(): Promise<void> {
  await openSection('Comprobantes');
  await page
    .getByRole('row', { name: /Factura.*María/ })
    .getByRole('link', { name: '001-001-000000001' })
    .click();
  await page.getByRole('heading', { name: /Factura 001-001-000000001/ }).waitFor();
}

/** Issues the document of the form, until the SRI authorizes it. */
async function issue(heading: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Emitir y enviar al SRI' }).click();
  await page.getByRole('heading', { name: heading }).waitFor();
  await untilShown('Autorizado');
}

async function fillParty(
  role: string,
  { id, name, email }: { readonly id: string; readonly name: string; readonly email?: string },
): Promise<void> {
  const party = page.getByRole('group', { name: role });
  await party.getByLabel('Identificación', { exact: true }).fill(id);
  await party.getByLabel('Nombre', { exact: true }).fill(name);
  if (email) await party.getByLabel('Correo electrónico').fill(email);
}

async function fillLine(
  place: number,
  item: { readonly code: string; readonly text: string; readonly quantity: string; readonly price: string },
): Promise<void> {
  const line = page.locator('.line').nth(place);
  await line.getByLabel('Código').fill(item.code);
  await line.getByLabel('Descripción').fill(item.text);
  await line.getByLabel('Cantidad').fill(item.quantity);
  await line.getByLabel('Precio unitario').fill(item.price);
}

async function expectSum(...amounts: readonly string[]): Promise<void> {
  await page.locator('.sums .grand').waitFor();
  expect(await page.locator('.sums .amount').allTextContents()).toEqual(amounts);
}

/** Waits until the page, which polls the document, shows that status. */
async function untilShown(status: string): Promise<void> {
  for (let round = 0; round < 60; round += 1) {
    const heading = page.getByRole('heading', { level: 1 });
    await heading.locator('.badge').waitFor();
    if ((await heading.locator('.badge').textContent()) === status) return;
    await page.waitForTimeout(200);
  }
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(status);
}
