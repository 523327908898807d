import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { silentLogger } from 'sri-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../server.js';
import { chromiumPath, openBrowser } from '../testing/browser.js';
import { testFolder } from '../testing/test-folder.js';

const SCREENSHOTS = fileURLToPath(new URL('../../../../console-screenshots/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Pages that together contain every element: lists, wide tables, long code, a diagram, headings within headings. */
const SHOWN = [
  ['index', '/guide/es'],
  ['quick-start', '/guide/es/quick-start-server'],
  ['billing', '/guide/en/billing'],
  ['concepts', '/guide/es/concepts'],
  ['webhooks', '/guide/en/webhooks'],
  ['start', '/'],
  ['error', '/docs/errors/validation-error'],
] as const;

/** Pages that together contain every colour. */
const IN_THE_DARK: readonly string[] = ['index', 'quick-start', 'concepts', 'error'];
const ALL: readonly string[] = SHOWN.map(([name]) => name);

const SCREENS = [
  ['wide', ALL, { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['wide-dark', IN_THE_DARK, { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ['phone', ALL, { viewport: { width: 390, height: 844 }, colorScheme: 'light' }],
  ['phone-dark', IN_THE_DARK, { viewport: { width: 320, height: 700 }, colorScheme: 'dark' }],
] as const;

const dataDir = testFolder('guide');
let server: RunningServer;
let browser: Browser;
const complaints: string[] = [];

describe.skipIf(chromiumPath === null)(
  'the guide, in Chromium (skipped if it is not installed)',
  { timeout: 60_000 },
  () => {
    beforeAll(async () => {
      mkdirSync(SCREENSHOTS, { recursive: true });
      server = await startServer({ PORT: '0', DATA_DIR: dataDir }, { logger: silentLogger });
      browser = await openBrowser();
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await server?.close();
    });

    it.each(SCREENS)('the guide is accessible and fits the screen: %s', async (screen, pages, options) => {
      const { context, page } = await open(options);
      for (const [name, path] of SHOWN.filter(([shown]) => pages.includes(shown))) {
        await page.goto(`${server.url}${path}`);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), name).toBeLessThanOrEqual(0);
        await page.screenshot({ path: join(SCREENSHOTS, `guide-${screen}-${name}.png`), fullPage: true });
        await page.evaluate(AXE);
        const found = await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`);
        expect(found, `${screen} ${name}`).toEqual([]);
      }
      await context.close();
    });

    it('the guide can be navigated by its links and by keyboard', async () => {
      const { context, page } = await open({ viewport: { width: 1440, height: 900 } });
      await page.goto(`${server.url}/guide`);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('content');
      await page.getByRole('navigation', { name: 'Páginas' }).getByRole('link', { name: 'Conceptos' }).click();
      await page.getByRole('heading', { name: 'Conceptos', level: 1 }).waitFor();
      await page.getByRole('link', { name: /^Siguiente/ }).click();
      await page.getByRole('heading', { name: 'El servidor', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'English' }).click();
      await page.getByRole('heading', { name: 'The server', level: 1 }).waitFor();
      const contents = page.getByRole('navigation', { name: 'On this page' });
      await contents.getByRole('link', { name: 'Going to production' }).click();
      await page.waitForURL(/#going-to-production$/);
      expect(
        await page.evaluate("document.getElementById('going-to-production').getBoundingClientRect().top"),
      ).toBeLessThan(300);
      await context.close();
    });

    it('the guide folds its lists on a phone, and copies code', async () => {
      const { context, page } = await open({ viewport: { width: 390, height: 844 } });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(`${server.url}/guide/es/quick-start-cli`);
      const menu = page.getByRole('navigation', { name: 'Páginas' });
      expect(await menu.isVisible()).toBe(false);
      await page.getByText('Páginas', { exact: true }).click();
      expect(await menu.isVisible()).toBe(true);
      const block = page.locator('.block').first();
      await block.getByRole('button', { name: 'Copiar' }).click();
      await block.getByRole('button', { name: 'Copiado' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npm ci && npm run build:js');
      await context.close();
    });

    it('the console links to the guide', async () => {
      const { context, page } = await open({ viewport: { width: 1280, height: 900 } });
      await page.goto(`${server.url}/console`);
      expect(await page.getByRole('link', { name: 'Guía' }).getAttribute('href')).toBe('/guide/es');
      await context.close();
    });

    it('the guide ran without an error in the browser', () => {
      expect(complaints).toEqual([]);
    });
  },
);

// --- internal ---

/** A fresh page that records failed scripts and blocked files. */
async function open(
  options: Parameters<Browser['newContext']>[0],
): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  const context = await browser.newContext({ locale: 'es-EC', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { context, page };
}
