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

const SCREENSHOTS = fileURLToPath(new URL('../../../../console-screenshots/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PASSWORD = 'secreta';
/** The simulator returns whatever is sold to this passport, with code 35. */
const RETURNED_BUYER = 'SRI-RETURNED-35';

let dataDir: string;
let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the browser complained of: broken scripts, and whatever the content security policy refused. */
const complaints: string[] = [];

describe.skipIf(chromiumPath === null)(
  'the console, in Chromium (skipped where there is none)',
  { timeout: 60_000 },
  () => {
    beforeAll(async () => {
      mkdirSync(SCREENSHOTS, { recursive: true });
      dataDir = await mkdtemp(join(tmpdir(), 'sri-console-'));
      const plans = join(dataDir, 'plans.json');
      await writeFile(plans, JSON.stringify({ FREE: { documentTypes: ['01', '04'] } }));
      const settings = { PORT: '0', DATA_DIR: dataDir, SRI_AUTH_FIRST_DELAY: '10ms', PLANS_FILE: plans };
      server = await startServer(settings, { logger: silentLogger });
      browser = await openBrowser();
      context = await browser.newContext({ locale: 'es-EC', viewport: { width: 1280, height: 900 } });
      page = await context.newPage();
      page.setDefaultTimeout(20_000);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        // An answer of 4xx is what some steps ask for; the browser notes each.
        if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
      });
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await server?.close();
      await rm(dataDir, { recursive: true, force: true });
    });

    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail')
        await page.screenshot({ path: join(SCREENSHOTS, 'failed.png'), fullPage: true });
    });

    it('asks for a key, tells it from a wrong one, and keeps nothing', async () => {
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
      const buffer = Buffer.from(await createTestP12({ ruc: TEST_RUC, password: PASSWORD }));
      await page
        .getByLabel('Certificado de firma')
        .setInputFiles({ name: 'firma.p12', mimeType: 'application/x-pkcs12', buffer });
      await page.getByLabel('Contraseña del certificado').fill('otra');
      await page.getByLabel('RUC').fill(TEST_RUC);
      await page.getByLabel('Correo electrónico').fill('ana@example.com');
      await page.getByLabel('Razón social').fill('Cafetería Ñandú & Hijos');
      await page.getByLabel('Dirección matriz').fill('Av. Amazonas N21-45, Quito');
      await look('register');
      await page.getByRole('button', { name: 'Registrar una cuenta' }).click();
      await page.getByRole('alert').getByText('contraseña', { exact: false }).first().waitFor();
      await page.getByLabel('Contraseña del certificado').fill(PASSWORD);
      await page.getByRole('button', { name: 'Registrar una cuenta' }).click();
      await page.getByRole('heading', { name: 'La cuenta está registrada.' }).waitFor();
      await look('registered');
      await page.getByRole('button', { name: 'Continuar a la consola' }).click();
      await page.getByRole('heading', { name: 'Resumen' }).waitFor();
    });

    it('issues an invoice whose sums are there before it is sent', async () => {
      await openSection('Nueva factura');
      await page.getByLabel('Identificación', { exact: true }).fill('1710034065');
      await page.getByLabel('Nombre', { exact: true }).fill('María José Ñacata');
      await page.getByLabel('Correo electrónico').fill('maria@example.com');
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
      await look('document');
    });

    it('shows the RIDE and the XML of a document', async () => {
      await page.getByRole('button', { name: 'Ver el XML' }).click();
      await page.getByText('<razonSocialComprador>María José Ñacata', { exact: false }).waitFor();
      await page.getByRole('button', { name: 'Ver el RIDE' }).click();
      await page.locator('iframe[title="RIDE"]').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Descargar RIDE' }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^RIDE-\d{49}\.pdf$/);
    });

    it('lets an issuer issue credit notes', async () => {
      await openSection('Emisores');
      await page.getByRole('button', { name: 'Permitir Nota de crédito' }).click();
      await page.getByRole('button', { name: 'Quitar Nota de crédito' }).waitFor();
    });

    it('credits an invoice, and voids it after asking', async () => {
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
      await page.getByRole('dialog').getByRole('button', { name: 'Anular' }).click();
      await untilShown('Anulado');
    });

    it('explains a refusal of the SRI, and corrects the document', async () => {
      await openSection('Nueva factura');
      await page.getByLabel('Tipo de identificación').selectOption('06');
      await page.getByLabel('Identificación', { exact: true }).fill(RETURNED_BUYER);
      await page.getByLabel('Nombre', { exact: true }).fill('Comprador de prueba');
      await page.getByLabel('Correo electrónico').fill('comprador@example.com');
      await fillLine(0, { code: 'X', text: 'Producto', quantity: '1', price: '10' });
      await page.getByRole('button', { name: 'Emitir y enviar al SRI' }).click();
      await untilShown('Devuelto');
      await page.getByText('Qué hacer').first().waitFor();
      await look('returned');
      await page.getByText('Corregir y reconstruir').first().click();
      const content = page.getByLabel('Contenido (JSON)');
      await content.fill((await content.inputValue()).replace(RETURNED_BUYER, 'AB123456'));
      await page.getByRole('button', { name: 'Corregir y reconstruir' }).click();
      await untilShown('Firmado');
      await page.getByRole('button', { name: 'Enviar al SRI' }).click();
      await untilShown('Autorizado');
    });

    it('lists documents by their filters', async () => {
      await openSection('Comprobantes');
      await page.getByText('3 encontrados').waitFor();
      await look('documents');
      await page.getByLabel('Estado').selectOption('VOIDED');
      await page.getByRole('button', { name: 'Buscar' }).click();
      await page.getByText('1 encontrados').waitFor();
    });

    it('shows the account at a glance', async () => {
      await openSection('Resumen');
      await page.getByText('Cupo').waitFor();
      await page.getByText('3 emitidos', { exact: false }).waitFor();
      await look('overview');
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

    it('shows a written mail as its reader sees it', async () => {
      await openSection('Correos escritos');
      await page
        .locator('main')
        .getByRole('link', { name: /^Factura/ })
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

    it('forgets who was there', async () => {
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto(`${server.url}/console#/documents`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    it('ran without a complaint of the browser', () => {
      expect(complaints).toEqual([]);
    });
  },
);

// --- internal ---

/** Keeps a picture of the page, and holds it to WCAG 2.2 AA as far as a program can. */
async function look(name: string): Promise<void> {
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  await page.evaluate(AXE);
  const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const found = await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`);
  expect(found, name).toEqual([]);
}

async function openSection(name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
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

/** Until the page, which follows a document on its way, shows that status. */
async function untilShown(status: string): Promise<void> {
  for (let round = 0; round < 60; round += 1) {
    const heading = page.getByRole('heading', { level: 1 });
    await heading.locator('.badge').waitFor();
    if ((await heading.locator('.badge').textContent()) === status) return;
    await page.waitForTimeout(200);
  }
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(status);
}
