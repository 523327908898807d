import { mkdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core';
import { silentLogger } from 'sri-core';
import { createTestP12 } from 'sri-core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../server.js';
import { chromiumPath, openBrowser } from '../testing/browser.js';
import { databaseSettings } from '../testing/database-settings.js';
import { databaseKinds, type TestDatabase } from '../testing/test-databases.js';
import { testFolder } from '../testing/test-folder.js';
import { openReceiver, type WebhookReceiver } from '../testing/webhook-receiver.js';
import { ROUTES } from '../v1-routes.js';

const SCREENSHOTS = fileURLToPath(new URL('../../../../console-screenshots/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The simulator rejects any document for this passport with code 35. */
const RETURNED_BUYER = 'SRI-RETURNED-35';
const ANA = { id: '1710034065', name: 'Ana Torres', email: 'ana@example.com' };
const PLAN = {
  documentTypes: ['01', '03', '04', '05', '06', '07'],
  maxApiKeys: 5,
  maxWebhookEndpoints: 2,
  readsPerMinute: 6000,
  writesPerMinute: 600,
};

const { TEXTS } = (await import(new URL('../../console/src/texts/texts.ts', import.meta.url).href)) as {
  TEXTS: Readonly<Record<string, Readonly<Record<'es' | 'en', string>>>>;
};

const ADMIN_TOKEN = 'operador-de-las-pruebas';

/** The rules checked in each scheme. The schemes differ in their colours alone. */
const RULES_OF_SCHEMES = {
  light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  dark: ['color-contrast', 'link-in-text-block'],
} as const;

/** A text that runs a script if a page treats it as HTML. */
const SCRIPT = '<img src=x onerror=document.title=1><script>document.title=1</script>';

const HAS_EXPORT = ROUTES.some(({ path }) => path === '/v1/documents/export');

const kinds = (await databaseKinds()).filter(({ missing }) => missing === null);
/** The whole story runs twice, with another language, screen and database each time. */
const STORIES = [
  { language: 'es', viewport: { width: 1280, height: 860 }, colorScheme: 'light', kind: kinds[0] },
  { language: 'en', viewport: { width: 390, height: 844 }, colorScheme: 'dark', kind: kinds[1] ?? kinds[0] },
] as const;

describe.skipIf(chromiumPath === null).each(STORIES)(
  'the console in $language, $viewport.width wide, on $kind.name (skipped without Chromium)',
  { timeout: 120_000 },
  ({ language, viewport, colorScheme, kind }) => {
    const isPhone = viewport.width < 800;
    const dataDir = testFolder('console');
    let database: TestDatabase | undefined;
    let server: RunningServer;
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;
    let receiver: WebhookReceiver;
    let clicks = 0;
    /** Errors in the browser: failed scripts, and everything that the content security policy blocked. */
    const complaints: string[] = [];
    const t = (name: string, values: Readonly<Record<string, string | number>> = {}) =>
      (TEXTS[name]?.[language] ?? `no text ${name}`).replace(/\{(\w+)\}/g, (_whole, key) => String(values[key]));

    beforeAll(async () => {
      mkdirSync(SCREENSHOTS, { recursive: true });
      database = await kind?.create();
      const plans = join(dataDir, 'plans.json');
      await writeFile(plans, JSON.stringify({ FREE: PLAN }));
      receiver = await openReceiver();
      const settings = {
        PORT: '0',
        DATA_DIR: dataDir,
        ...databaseSettings(database?.url),
        SRI_AUTH_FIRST_DELAY: '10ms',
        PLANS_FILE: plans,
        WEBHOOK_ALLOW_INSECURE: 'true',
        ADMIN_TOKEN,
        BANK_TRANSFER: JSON.stringify({
          bankName: 'Banco',
          accountType: 'Corriente',
          accountNumber: '2100',
          accountHolder: 'Proveedor',
          identification: '1790011674001',
        }),
      };
      server = await startServer(settings, { logger: silentLogger });
      browser = await openBrowser();
      context = await browser.newContext({ locale: language === 'es' ? 'es-EC' : 'en-US', viewport, colorScheme });
      page = await context.newPage();
      page.setDefaultTimeout(30_000);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        // Some steps expect an error status or a lost connection; the browser logs each.
        if (message.type() === 'error' && !/status of (?:4\d\d|50[23])|ERR_FAILED/.test(message.text()))
          complaints.push(message.text());
      });
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await server?.close();
      receiver?.close();
      await database?.remove();
    });
    // The tests are one story. After a failed step the later ones are skipped.
    let isBroken = false;
    beforeEach(({ skip }) => skip(isBroken));
    afterEach(async ({ task }) => {
      if (task.result?.state !== 'fail') return;
      isBroken = true;
      await page.screenshot({ path: join(SCREENSHOTS, `failed-${language}.png`), fullPage: true });
    });

    const open = (path: string) => page.goto(`${server.url}/console${path}`);
    const heading = () => page.getByRole('heading', { level: 1 });
    const button = (name: string) => page.getByRole('button', { name: t(name), exact: true });
    const link = (name: string) => page.getByRole('link', { name: t(name), exact: true });
    const label = (name: string, inside: Page | Locator = page) => inside.getByLabel(t(name), { exact: true });
    const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name: t(name) });
    const fold = (name: string) => page.locator('summary').filter({ hasText: t(name) });
    /** Revokes the key with this label on the page of the keys. */
    const revokeKey = async (name: string) => {
      const entry = page.locator('li').filter({ hasText: name });
      await entry.getByRole('button', { name: t('revoke') }).click();
      await inDialog('revoke').click();
      await entry.waitFor({ state: 'detached' });
    };
    async function click(place: Locator): Promise<void> {
      clicks += 1;
      await place.click();
    }
    const untilStatus = (status: string) =>
      heading()
        .getByText(t(`status.${status}`), { exact: true })
        .waitFor();
    const line = (place: number, list = 'items') =>
      page.getByRole('group', { name: `${t(list)} ${place}`, exact: true });
    async function fillLine(place: number, item: { text: string; code: string; quantity?: string; price: string }) {
      await label('description', line(place)).fill(item.text);
      await label('mainCode', line(place)).fill(item.code);
      if (item.quantity) await label('quantity', line(place)).fill(item.quantity);
      await label('unitPrice', line(place)).fill(item.price);
    }
    async function fillParty(role: string, party: { id: string; name: string; email?: string; idType?: string }) {
      const group = page.getByRole('group', { name: t(role), exact: true });
      if (party.idType) await label('idType', group).selectOption(party.idType);
      await label('id', group).fill(party.id);
      await label('name', group).fill(party.name);
      if (party.email) await label('email', group).fill(party.email);
    }
    const total = (amount: string) => page.locator('.sums .grand').getByText(amount, { exact: true }).waitFor();
    /** Writes an invoice of one line to Ana, and does not issue it. */
    async function draftTea(price: string, sum: string): Promise<void> {
      await open('/new/01');
      await fillParty('role.BUYER', ANA);
      await fillLine(1, { text: 'Té de Ambato', code: 'TE', price });
      await total(sum);
    }
    async function issue(button_ = 'createAndSend'): Promise<void> {
      await button(button_).click();
      await untilStatus('AUTHORIZED');
    }
    /** Issues the document of the form; the server creates it, and its answer is lost. */
    async function loseAnswer(): Promise<void> {
      await page.route('**/v1/documents', async (route) => {
        await route.fetch();
        await route.abort();
      });
      await button('createAndSend').click();
      await page.getByText(t('unreachable')).waitFor();
      await page.unroute('**/v1/documents');
    }
    async function more(name: string): Promise<void> {
      await fold('moreActions').click();
      expect((await page.locator('.menu[open] > .choices').boundingBox())?.x).toBeGreaterThanOrEqual(0);
      await page.getByText(t(name), { exact: true }).first().click();
    }

    /** Takes a picture of the page in both schemes, and checks each against WCAG 2.2 AA as far as a program can. */
    async function look(name: string, part?: string): Promise<void> {
      await page.locator('.outline').first().waitFor({ state: 'detached' });
      await page.evaluate('scrollTo(0, 0)');
      if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
      for (const [scheme, rules] of Object.entries(RULES_OF_SCHEMES) as ['light' | 'dark', readonly string[]][]) {
        await page.emulateMedia({ colorScheme: scheme });
        const file = `${name}-${viewport.width}-${scheme}-${language}.png`;
        // Colours that still fade from one scheme to the other are at their end before they are judged.
        const picture = { path: join(SCREENSHOTS, file), animations: 'disabled' } as const;
        await (part ? page.locator(part).screenshot(picture) : page.screenshot({ ...picture, fullPage: true }));
        const scope = `${JSON.stringify(part ?? 'html')}, { runOnly: ${JSON.stringify(rules)} }`;
        const found = await page.evaluate(`axe.run(${scope}).then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`);
        expect(found, file).toEqual([]);
      }
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), name).toBeLessThanOrEqual(0);
    }

    it('the first link opens the console, and at most ten clicks issue a first invoice', async () => {
      await page.goto(server.firstLink ?? '');
      await look('start');
      await click(button('startTest'));
      await page.getByText(t('noDocumentsYet')).waitFor();
      await look('overview-empty');
      await click(page.getByRole('main').getByRole('link', { name: t('new.01') }));
      const missing = page.locator('label.missing');
      await missing.getByText(t('unitPrice'), { exact: true }).waitFor();
      await click(button('finalConsumer'));
      await label('email').first().fill('caja@example.com');
      await fillLine(1, { text: 'Café de Loja', code: 'CAF', price: '7,50' });
      await total('$8.63');
      expect(await missing.count()).toBe(0);
      expect(await page.title()).toBe(`${t('new.01')} · ${t('title')}`);
      await look('new-invoice');
      await click(button('createAndSend'));
      await untilStatus('AUTHORIZED');
      expect(await page.title()).toBe(`${t('type.01')} 001-001-000000001 · ${t('title')}`);
      expect(clicks).toBeLessThanOrEqual(10);
      // A final consumer gets no note.
      await page.getByRole('link', { name: t('on.06') }).waitFor();
      expect(await page.getByRole('link', { name: t('on.04') }).count()).toBe(0);
      await look('document');
      const invoice = page.url();
      await open('/notifications');
      const way = page.getByRole('main').locator('.cards a');
      expect(new URL((await way.getAttribute('href')) ?? '', invoice).href).toBe(invoice);
      await page.goto(invoice);
      await untilStatus('AUTHORIZED');
    });

    it('keeps page and session over a reload', async () => {
      const before = page.url();
      await page.reload();
      await untilStatus('AUTHORIZED');
      expect(page.url()).toBe(before);
      // No script can read the key.
      const readable = (await page.evaluate(
        'document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })',
      )) as string;
      expect(readable).not.toMatch(/sri_test_|csrf/i);
    });

    it('shows the events of a document newest first, also within one moment', async () => {
      const events = '**/v1/documents/*/events';
      await page.route(events, async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as { events: readonly object[] };
        const createdAt = '2020-01-01T00:00:00.000Z';
        await route.fulfill({
          response,
          json: { ...answer, events: answer.events.map((each) => ({ ...each, createdAt })) },
        });
      });
      await page.reload();
      await page.locator('.timeline li').last().getByText(t('event.CREATED')).waitFor();
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('reads the balance of a document once while the document moves', async () => {
      let [reads, balances] = [0, 0];
      await page.route(/\/v1\/documents\/\d{49}$/, async (route) => {
        reads += 1;
        const response = await route.fetch();
        const { document, ...answer } = (await response.json()) as { readonly document: object };
        const dispatch = { status: 'PENDING', attemptCount: 1 };
        await route.fulfill({
          response,
          json: { ...answer, document: reads === 1 ? { ...document, dispatch } : document },
        });
      });
      await page.route('**/credit-notes', (route) => {
        balances += 1;
        return route.continue();
      });
      await page.reload();
      await page.getByText(t('inFlight')).waitFor();
      await page.getByText(t('inFlight')).waitFor({ state: 'detached' });
      expect([reads, balances]).toEqual([2, 1]);
      await page.unrouteAll({ behavior: 'wait' });
      await page.route('**/credit-notes', (route) => route.abort());
      await page.reload();
      await page.getByText(t('unreachable')).waitFor();
      await page.unrouteAll({ behavior: 'wait' });
      await button('again').click();
      await page.getByText(t('unreachable')).waitFor({ state: 'detached' });
    });

    it.each(['/nix', '/issuers/nix', '/new/99'])('leads from the unknown page %s to the overview', async (path) => {
      await open(path);
      await heading().getByText(t('notHere')).waitFor();
      await page
        .getByRole('main')
        .getByRole('link', { name: t('overview') })
        .click();
      await page.getByRole('heading', { name: t('sales') }).waitFor();
    });

    it('keeps words and amounts of the sums whole on a narrow screen', async () => {
      await draftTea('999999999', '$1,149,999,998.85');
      await page.setViewportSize({ width: 320, height: viewport.height });
      const broken = await page.evaluate(`[...document.querySelectorAll('.sums dt')].flatMap(({ firstChild: text }) =>
        [...text.data.matchAll(/\\S+/g)].map(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1 ? word : '';
        })).filter(Boolean)`);
      expect(broken).toEqual([]);
      await page.setViewportSize(viewport);
    });

    it('shows the last page of the list for a page after it', async () => {
      await open('/documents?page=9');
      await page.getByText(t('page', { page: 1, pages: 1 })).waitFor();
    });

    it('shows the refusal of the SRI, and corrects the document in its form', async () => {
      await open('/new/01');
      await fillParty('role.BUYER', {
        idType: '06',
        id: RETURNED_BUYER,
        name: 'Comprador',
        email: 'comprador@example.com',
      });
      // A passport has letters, which a keyboard of digits cannot type.
      expect(await label('id').first().getAttribute('inputmode')).not.toBe('numeric');
      await fillLine(1, { text: 'Producto', code: 'X', price: '10' });
      // Only an authorized invoice is credited.
      let balances = 0;
      const count = (request: Request) => {
        balances += Number(request.url().endsWith('/credit-notes'));
      };
      page.on('request', count);
      await button('createAndSend').click();
      await untilStatus('RETURNED');
      page.off('request', count);
      expect(balances).toBe(0);
      await page.getByText(`${t('whatToDo')}:`).waitFor();
      await look('returned');
      await open('');
      await page.getByRole('link', { name: t('attentionReturned', { count: 1 }) }).waitFor();
      await look('overview');
      await page.getByRole('link', { name: t('attentionReturned', { count: 1 }) }).click();
      await page.getByRole('main').getByRole('link', { name: 'Comprador' }).click();
      await link('correct').first().click();
      // The SRI refuses again for another reason: the page shows the newest reason.
      await fillParty('role.BUYER', { id: 'SRI-RETURNED-65', name: 'Comprador' });
      await total('$11.50');
      await button('correctAndSend').click();
      await page.locator('.said code').getByText('65', { exact: true }).waitFor();
      expect(await page.locator('.said').count()).toBe(1);
      await link('correct').first().click();
      await fillParty('role.BUYER', { id: 'AB123456', name: 'Comprador' });
      await total('$11.50');
      // The preview has the day of the document.
      await Promise.all([page.waitForRequest(/preview\?.*issueDate=/), label('redate').uncheck()]);
      await page.reload();
      await total('$11.50');
      expect(await label('redate').isChecked()).toBe(false);
      const tab = await context.newPage();
      await tab.goto(page.url());
      const correct = tab.getByRole('button', { name: t('correctAndSend') });
      await correct.waitFor();
      await issue('correctAndSend');
      // The refusal of the other tab names the new status in words.
      await correct.click();
      const said = tab.locator('.problem').first();
      await said.getByText(t('status.AUTHORIZED')).waitFor();
      expect(await said.locator('p').first().textContent()).not.toContain('AUTHORIZED');
      await tab.close();
      // The form is over: Back does not lead to it.
      await page.goBack();
      await untilStatus('AUTHORIZED');
      // The SRI holds another document under the key: its warning is no refusal.
      await open('/new/01');
      await fillParty('role.BUYER', { idType: '06', id: 'SRI-FOREIGN-43', name: 'Comprador', email: 'a@example.com' });
      await fillLine(1, { text: 'Producto', code: 'X', price: '10' });
      await button('createAndSend').click();
      await untilStatus('RETURNED');
      await page
        .locator('.notice.bad')
        .getByText(/otro documento|another document/)
        .waitFor();
      expect(await page.locator('.said').count()).toBe(0);
    });

    it('keeps every field that a password manager fills in at once', async () => {
      await open('/new/01');
      await fillLine(1, { text: 'Pan', code: 'PAN', price: '1' });
      await page.evaluate(`for (const field of document.querySelectorAll('.cell-name input, .cell-email input, .cell-address input')) {
        field.value = field.type === 'email' ? 'ana@example.com' : 'Ana';
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }`);
      for (const name of ['name', 'address']) {
        await expect.poll(() => label(name).first().inputValue()).toBe('Ana');
      }
      expect(await label('email').first().inputValue()).toBe('ana@example.com');
      await page.reload();
      await page.getByText(t('draftRestored')).waitFor();
      expect(await label('name').first().inputValue()).toBe('Ana');
      await button('startAgain').click();
    });

    it('warns before it issues, even if the user is faster than the preview', async () => {
      const { promise: clicked, resolve } = Promise.withResolvers<void>();
      await page.route('**/v1/documents/preview*', async (route) => {
        await clicked;
        await route.continue().catch(() => {});
      });
      await open('/new/01');
      await fillParty('role.BUYER', { id: '1710034064', name: 'Ana', email: 'ana@example.com' });
      await fillLine(1, { text: 'Producto', code: 'X', quantity: '2', price: '10' });
      await button('createAndSend').click();
      resolve();
      await page.getByText(t('warnings'), { exact: true }).waitFor();
      await page.unroute('**/v1/documents/preview*');
      await expect.poll(() => button('createAndSend').isEnabled()).toBe(true);
      expect(page.url()).toContain('/new/01');
      await look('warnings');
    });

    it('keeps a fold open when the user deletes its last text', async () => {
      await page
        .locator('summary')
        .filter({ hasText: new RegExp(`^${t('more')}$`) })
        .click();
      await label('tip').pressSequentially('5');
      await label('tip').press('Backspace');
      expect(await label('tip').isVisible()).toBe(true);
    });

    it('shows how it reads a number with three digits after the separator', async () => {
      await label('unitPrice', line(1)).fill('1,234');
      await page.getByText(t('readAs', { value: '1.234', whole: '1234' })).waitFor();
      await label('unitPrice', line(1)).fill('10');
    });

    it('typing in one line does not draw other lines again', async () => {
      await button('addItem').click();
      await fillLine(2, { text: 'Otro', code: 'Y', price: '1' });
      await total('$24.15');
      // Drawing a field reads its value first.
      await page.evaluate(`{
        const field = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
        window.read = new Set();
        const get = function () { read.add(this.closest('.entry')?.ariaLabel); return field.get.call(this); };
        Object.defineProperty(HTMLInputElement.prototype, 'value', { ...field, get });
      }`);
      await label('description', line(1)).pressSequentially(' dos');
      await expect.poll(() => page.evaluate('[...read]')).toContain(`${t('items')} 1`);
      expect(await page.evaluate('[...read]')).not.toContain(`${t('items')} 2`);
      // A new total of the line does not draw other lines either.
      await page.evaluate('read.clear()');
      await label('quantity', line(1)).fill('3');
      await total('$35.65');
      await line(1).locator('output').getByText('$30.00').waitFor();
      expect(await page.evaluate('[...read]')).not.toContain(`${t('items')} 2`);
      await label('quantity', line(1)).fill('2');
      // A closed fold has no fields yet.
      expect(await label('auxiliaryCode', line(2)).count()).toBe(0);
      await button('addItem').click();
      await label('description', line(3)).fill('Tercero');
      // A double click removes one line.
      await page.getByRole('button', { name: `${t('remove')} ${t('items')} 2` }).dblclick();
      await line(3).waitFor({ state: 'detached' });
      expect(await label('description', line(2)).inputValue()).toBe('Tercero');
      await page.getByRole('button', { name: `${t('remove')} ${t('items')} 2` }).click();
      await line(2).waitFor({ state: 'detached' });
      await page.locator('.add:focus').getByText(t('addItem')).waitFor();
    });

    it('keeps the draft over a reload and a lost connection, and issues once', async () => {
      await page.reload();
      await page.getByText(t('draftRestored')).waitFor();
      await total('$23.00');
      // A text in place of a whole number is wrong, and not missing.
      const payment = line(1, 'payments');
      await label('term', payment).fill('1,5');
      await payment.locator('.complaint').waitFor();
      expect(await page.locator('label.missing').count()).toBe(0);
      await label('term', payment).fill('');
      await label('iva', line(1)).selectOption('');
      await line(1).locator('label.missing').getByText(t('iva'), { exact: true }).waitFor();
      await label('iva', line(1)).selectOption('2 4');
      await total('$23.00');
      await fillParty('role.BUYER', { id: '1710034065', name: 'María Ñacata', email: 'maria@example.com' });
      let lost = 0;
      await page.route('**/v1/documents', async (route) => {
        lost += 1;
        // The first answer is lost after the document was created.
        if (lost > 1) return route.continue();
        await route.fetch();
        return route.abort();
      });
      // The client repeats the creation with its key, which returns the existing document.
      await button('createAndSend').click();
      await untilStatus('AUTHORIZED');
      await page.unroute('**/v1/documents');
      expect(lost).toBe(2);
    });

    it('makes no draft of typing during the sending, and leaves a user who went on', async () => {
      for (const path of ['/new/01', '/documents']) {
        await draftTea('2', '$2.30');
        const { promise: typed, resolve } = Promise.withResolvers<void>();
        await page.route('**/v1/documents/*/send', async (route) => {
          await typed;
          await route.continue();
        });
        const sent = page.waitForResponse('**/v1/documents/*/send');
        await Promise.all([page.waitForRequest('**/v1/documents/*/send'), button('createAndSend').click()]);
        if (path === '/new/01') await label('address').first().fill('Quito');
        else await page.evaluate('document.querySelector(\'nav a[href$="/documents"]\').click()');
        await page.waitForURL(`**/console${path}`);
        resolve();
        await sent;
        await page.unroute('**/v1/documents/*/send');
        if (path === '/new/01') await untilStatus('AUTHORIZED');
        else {
          await page.evaluate("fetch('/readyz').then(() => {})");
          expect(page.url()).toMatch(/documents$/);
        }
        await open('/new/01');
        await label('description', line(1)).waitFor();
        expect(await page.getByText(t('draftRestored')).count()).toBe(0);
      }
    });

    it('keeps the draft over a refusal, and shows the known result of a lost answer', async () => {
      await open('/new/01');
      await fillLine(1, { text: 'Producto', code: 'X', price: '10' });
      await page.route('**/v1/documents/preview*', (route) =>
        route.fulfill({ status: 409, json: { code: 'CONFLICT', detail: 'Ahora no.' } }),
      );
      await button('createAndSend').click();
      await page.getByText('Ahora no.').waitFor();
      await page.unroute('**/v1/documents/preview*');
      expect(await label('description', line(1)).inputValue()).toBe('Producto');
      await fillParty('role.BUYER', { id: '1710034065', name: 'María Ñacata', email: 'maria@example.com' });
      await total('$11.50');
      // The answer is lost, and then the form changes: the server refuses the same key for another invoice.
      await loseAnswer();
      await label('unitPrice', line(1)).fill('11');
      await total('$12.65');
      await button('createAndSend').click();
      await page.getByText(t('cure.issued')).waitFor();
      await look('refused');
      expect(await label('name').first().inputValue()).toBe('María Ñacata');
      expect(await label('unitPrice', line(1)).inputValue()).toBe('11');
      await page.reload();
      await page.getByText(t('draftRestored')).waitFor();
      expect(await label('description', line(1)).inputValue()).toBe('Producto');
      await label('name').first().fill('');
      await button('createAndSend').click();
      // The missing field shows its error and has the focus.
      await page.locator('.field.wrong').first().waitFor();
      await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true');
      await look('missing');
      await label('name').first().fill('María Ñacata');
      await page.locator('.field.wrong').first().waitFor({ state: 'detached' });
      // A scanner ends a code with Enter.
      await label('mainCode', line(1)).press('Enter');
      expect(await button('createAndSend').isEnabled()).toBe(true);
      await page.reload();
      await button('startAgain').click();
    });

    it('issues in a browser whose storage is full', async () => {
      await page.evaluate(`for (let size = 2 ** 22; size >= 1; size /= 2) {
        try { for (let place = 0; ; place += 1) localStorage.setItem('full ' + size + ' ' + place, 'x'.repeat(size)); } catch {}
      }`);
      await open('/new/01');
      await button('finalConsumer').click();
      await label('email').first().fill('caja@example.com');
      await fillLine(1, { text: 'Café de Loja', code: 'CAF', price: '7.50' });
      await total('$8.63');
      await issue();
      await page.evaluate(`for (const name of Object.keys(localStorage)) {
        if (name.startsWith('full ')) localStorage.removeItem(name);
      }`);
    });

    it('completes buyers and products from earlier documents', async () => {
      await open('/new/01');
      // The data of the buyer that the form had before.
      await label('email').first().fill('otro@example.com');
      await label('address').first().fill('Otra dirección');
      await label('name').first().pressSequentially('Ñac');
      await page.getByRole('option', { name: /María Ñacata/ }).click();
      await expect.poll(() => label('id').first().inputValue()).toBe('1710034065');
      expect(await label('email').first().inputValue()).toBe('maria@example.com');
      expect(await label('address').first().inputValue()).toBe('');
      await label('description', line(1)).pressSequentially('caf');
      await look('suggestions');
      const suggestion = page.getByRole('option', { name: /Café de Loja/ });
      // The first touch may begin a swipe through the list.
      await suggestion.dispatchEvent('pointerdown');
      await suggestion.click();
      await expect.poll(() => label('unitPrice', line(1)).inputValue()).toBe('7.50');
      await total('$8.63');
    });

    it('issues ICE, further taxes and several payments', async () => {
      await line(1).getByText(t('moreOfLine')).click();
      await line(1)
        .getByRole('button', { name: t('addOtherTax') })
        .click();
      const other = page.getByRole('group', { name: `${t('others')} 1` });
      await label('otherTax', other).selectOption({ index: 1 });
      // The percentage is still to be filled in.
      await other.locator('label.missing').getByText(t('percentage'), { exact: true }).waitFor();
      await button('createAndSend').click();
      await other.locator('.field.wrong').first().waitFor();
      for (const name of ['percentage', 'taxableBase', 'taxAmount']) {
        if ((await label(name, other).count()) > 0) await label(name, other).fill('1');
      }
      await label('discount', line(1)).fill('0,10');
      await label('unsubsidizedPrice', line(1)).fill('9');
      await page.getByText(t('more'), { exact: true }).click();
      await label('ivaRefund').fill('0,50');
      await page.getByRole('button', { name: t('addPayment') }).click();
      await label('amount', line(1, 'payments')).fill('1');
      await label('amount', line(2, 'payments')).fill('2');
      // The payments do not match the total yet. The server warns of it before the document is issued.
      await page.getByText(t('warnings'), { exact: true }).waitFor();
      await page.locator('.sums').getByText(t('ivaRefund')).waitFor();
      expect(await page.locator('.sums').textContent()).not.toContain('VALOR TOTAL');
      const whole = (await page.locator('.sums .grand .amount').textContent()) ?? '';
      const rest = (Number(whole.replace(/[$,]/g, '')) - 1).toFixed(2);
      await label('amount', line(2, 'payments')).fill(rest);
      await page.getByText(t('warnings'), { exact: true }).waitFor({ state: 'detached' });
      await issue();
      await page
        .locator('.sheet .sums')
        .getByText(/ICE|IRBPNR/)
        .waitFor();
      await page.locator('.sheet .sums').getByText(t('ivaRefund')).waitFor();
    });

    it('credits with every tax of the invoice, shows the remaining balance, and voids', async () => {
      // An invoice of no value has nothing left, and no credit note yet.
      await page.route('**/credit-notes', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as object), remaining: '0.00' } });
      });
      await page.reload();
      await page.getByRole('link', { name: t('on.04') }).waitFor();
      await page.unrouteAll({ behavior: 'wait' });
      const amount = (await page.locator('.document-head .figure').textContent()) ?? '';
      await page.getByRole('link', { name: t('on.04') }).click();
      await label('motive').fill('Devolución');
      await total(amount);
      await look('new-credit-note');
      await issue();
      await page.locator('.sheet .sums').getByText(t('discount')).waitFor();
      const note = page.url();
      await open('/documents');
      await page.getByRole('link', { name: 'María Ñacata' }).nth(1).click();
      await page.getByRole('heading', { name: t('balance') }).waitFor();
      await look('balance');
      expect(await page.getByRole('link', { name: t('on.04') }).count()).toBe(0);
      await open(`/new/04?from=${page.url().slice(-49)}`);
      await label('motive').fill('Devolución');
      await page.getByText(t('overCredit', { amount: '$0.00' })).waitFor();
      await page.goto(note);
      await untilStatus('AUTHORIZED');
      await more('void');
      await page.keyboard.press('Escape');
      // A dialog that closes loses its role before the page removes it.
      await page.locator(`dialog[aria-label="${t('void')}"]`).waitFor({ state: 'detached' });
      expect((await page.locator(':focus').textContent())?.trim()).toBe(t('void'));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: t('close'), exact: true }).click();
      expect((await page.locator(':focus').textContent())?.trim()).toBe(t('void'));
      await page.keyboard.press('Enter');
      await label('voidConfirmed').check();
      await label('reason').fill('Emitida por error');
      // A renewed session leaves the page as it is.
      await Promise.all([
        page.waitForResponse('**/console/session'),
        page.evaluate("dispatchEvent(new Event('sri-session-ended'))"),
      ]);
      await page.waitForLoadState('networkidle');
      await look('void');
      // The page of a public network, which answers in place of the server, does not change it either.
      await page.route('**/console/session', (route) => route.fulfill({ contentType: 'text/html', body: 'Wi-Fi' }));
      await Promise.all([
        page.waitForResponse('**/console/session'),
        page.evaluate("dispatchEvent(new Event('sri-session-ended'))"),
      ]);
      await page.unroute('**/console/session');
      await page.evaluate("fetch('/readyz').then(() => {})");
      expect(await label('reason').inputValue()).toBe('Emitida por error');
      await inDialog('void').click();
      await untilStatus('VOIDED');
      await page.locator('dialog:focus').getByRole('status').waitFor();
      expect(await page.locator('.menu[open]').count()).toBe(0);
      await page.getByRole('button', { name: t('close'), exact: true }).click();
      await page.locator('#content:focus').waitFor();
      await page.locator('.timeline').getByText('Emitida por error').waitFor();
    });

    it.each([
      { type: '03', role: 'role.SUPPLIER' },
      { type: '05', role: 'role.BUYER' },
      { type: '06', role: 'carrier' },
      { type: '07', role: 'role.SUBJECT' },
    ])('issues a document of type $type', async ({ type, role }) => {
      await open(`/new/${type}`);
      await fillParty(role, { id: '1710034065', name: 'Rosa Chimbo', email: 'rosa@example.com' });
      const today = new Date().toLocaleDateString('en-CA', { timeZone: 'America/Guayaquil' });
      if (type === '03') await fillLine(1, { text: 'Sombreros', code: 'ART', quantity: '10', price: '12' });
      if (type === '05') {
        await label('originalNumber').fill('001-001-000000001');
        await label('originalDate').fill(today);
        await label('chargeReason').fill('Interés por mora');
        await label('amount', line(1, 'reasons')).fill('12,50');
      }
      if (type === '06') {
        await label('licensePlate').fill('ABC0123');
        await label('departureAddress').fill('Quito');
        await label('startDate').fill(today);
        await label('endDate').fill(today);
        const recipient = line(1, 'recipients');
        await label('id', recipient).fill('1790011674001');
        await label('name', recipient).fill('Comercial Sierra');
        await label('arrivalAddress', recipient).fill('Guayaquil');
        await label('transferReason', recipient).fill('Venta');
        await label('description', line(1, 'goods')).fill('Cajas');
      }
      if (type === '07') {
        const [address, box] = await Promise.all(
          [label('address').first(), label('relatedParty')].map((each) => each.boundingBox()),
        );
        expect(box?.y).toBeGreaterThan((address?.y ?? 0) + (address?.height ?? 0));
        await label('documentNumber').fill('001-001-000000123');
        await label('issuedOn').fill(today);
        await label('taxableBase').fill('100');
        await label('withholdingCode').fill('312');
        expect(await label('withheldBase').inputValue()).toBe('100.00');
        expect(await label('percentage').inputValue()).not.toBe('');
        // A warning says which of several documents it is about.
        await label('withheldBase').fill('101');
        await page.getByText(`${t('supportingDocuments')} 1: `).waitFor();
        await label('withheldBase').fill('100');
        await page.getByText(t('warnings'), { exact: true }).waitFor({ state: 'detached' });
      }
      await look(`new-${type}`);
      await issue();
      expect(await button('downloadTicket').count()).toBe(type === '06' ? 0 : 1);
      await look(`document-${type}`);
    });

    it('finds, sorts and marks documents', async () => {
      await open('/documents');
      await page.locator('table.list tbody tr').nth(3).waitFor();
      await look('documents');
      expect(await page.locator('td.day').first().isVisible()).toBe(true);
      const names = () => page.locator('td.who a').allTextContents();
      const isSorted = async (by: 'ascending' | 'descending') => {
        await page.locator(`th[aria-sort=${by}]`).waitFor();
        const found = (await names()).map((name) => name.toLowerCase());
        const sorted = found.toSorted();
        return JSON.stringify(found) === JSON.stringify(by === 'ascending' ? sorted : sorted.toReversed());
      };
      const byParty = page.locator('th').getByRole('link', { name: t('counterparty') });
      await byParty.click();
      await expect.poll(() => isSorted('ascending')).toBe(true);
      await page.locator('th[aria-sort=ascending] a:focus').waitFor();
      await page.reload();
      await page.locator('table.list tbody tr').nth(3).waitFor();
      expect(await isSorted('ascending')).toBe(true);
      await byParty.click();
      await expect.poll(() => isSorted('descending')).toBe(true);
      await look('documents-sorted');
      await page.getByRole('searchbox').fill('Chimbo');
      await page.keyboard.press('Enter');
      await page.getByText(t('found', { total: 3 })).waitFor();
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      const entries = Number(await page.evaluate('history.length'));
      await fold('moreFilters').click();
      await label('from').pressSequentially('01012026', { delay: 50 });
      await expect.poll(() => page.url()).toContain('from=2026-01-01');
      expect(await page.evaluate('history.length')).toBe(entries + 1);
      await open('/documents');
      await page.getByRole('searchbox').fill('ninguno');
      await page.keyboard.press('Enter');
      await page.getByText(t('noDocuments')).waitFor();
      await look('documents-none');
      await button('clearFilters').click();
      const head = label('chooseAll');
      await head.waitFor();
      const before = await head.boundingBox();
      await head.check();
      await page.getByText(t('chosen', { count: await page.locator('td.tick').count() })).waitFor();
      expect(await head.boundingBox()).toEqual(before);
      // On the narrowest phone the bar has three lines.
      await page.setViewportSize({ width: isPhone ? 320 : viewport.width, height: 480 });
      for (const tick of await page.locator('td.tick input').all()) {
        await tick.focus();
        const isShown = await page.evaluate(`(() => {
          const { x, y, width, height } = document.activeElement.getBoundingClientRect();
          return document.elementFromPoint(x + width / 2, y + height / 2) === document.activeElement;
        })()`);
        expect(isShown, 'a control with the focus is not under the bar').toBe(true);
      }
      await page.setViewportSize(viewport);
      await look('documents-chosen');
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.bulk').isVisible(), 'the bar is on paper').toBe(false);
      await page.emulateMedia({ media: null });
      await page.route(/\/v1\/documents\?/, async (route) => {
        const response = await route.fetch();
        const { data, ...answer } = (await response.json()) as { readonly data: readonly object[] };
        await route.fulfill({
          response,
          json: { ...answer, data: data.map((each) => ({ ...each, status: 'SIGNED' })) },
        });
      });
      let sent = 0;
      await page.route('**/send', (route) => {
        sent += 1;
        return route.fulfill(sent > 1 ? { json: {} } : { status: 409, json: { code: 'CONFLICT', detail: 'No.' } });
      });
      await open('/documents');
      await label('chooseAll').check();
      await label('chooseAll').press('Shift+Tab');
      await page.locator('.bulk button:focus').waitFor();
      await page.getByRole('button', { name: t('send') }).click();
      await page.getByText(t('someFailed', { count: 1 })).waitFor();
      await page.getByText(t('someQueued', { count: sent - 1 })).waitFor();
      // A list that is loading still waits for its answer.
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('follows moving documents, also over a failed read, and asks less and less often', async () => {
      const reads: number[] = [];
      await page.route(/\/v1\/documents\?/, async (route) => {
        reads.push(Date.now());
        if (reads.length === 2) return route.fulfill({ status: 409, json: { code: 'CONFLICT', detail: 'No.' } });
        const response = await route.fetch();
        const { data, ...answer } = (await response.json()) as { readonly data: readonly object[] };
        const moving = { status: 'RECEIVED', dispatch: { status: 'PENDING' } };
        const left = 4 - reads.length;
        return route.fulfill({
          response,
          json: { ...answer, data: data.map((each, place) => (place < left ? { ...each, ...moving } : each)) },
        });
      });
      await open('/documents');
      const state = page.locator('td.state').first();
      await state.getByText(t('status.RECEIVED'), { exact: true }).waitFor();
      await label('chooseAll').check();
      await state.getByText(t('status.AUTHORIZED'), { exact: true }).waitFor();
      const [, , third = 0, fourth = 0] = reads;
      expect(fourth - third).toBeGreaterThan(2_000);
      expect(await label('chooseAll').isChecked()).toBe(true);
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('goes back from a document to its row', async () => {
      const row = page.locator('td.who a').last();
      const accessKey = await row.getAttribute('id');
      await row.click();
      await page.locator('#content:focus .timeline').waitFor();
      await page.goBack();
      await page.locator(`[id="${accessKey}"]:focus`).waitFor();
      expect(await page.evaluate('scrollY')).toBeGreaterThan(0);
    });

    it('leads to all documents that the server gave up, also if the SRI received them', async () => {
      const received = /\/v1\/documents\?.*status=RECEIVED/;
      const json = { data: [{ dispatch: { status: 'FAILED' } }], pagination: { total: 1, page: 1, limit: 50 } };
      await page.route(received, (route) => route.fulfill({ json }));
      await open('');
      const attention = page.getByRole('link', { name: t('attentionGivenUp', { count: 1 }) });
      expect(await attention.getAttribute('href')).toContain('status=RECEIVED');
      await page.unroute(received);
    });

    it.each(['documents', 'notifications', 'keys', 'webhooks'])(
      'shows the error of the page of %s, and tries again',
      async (name) => {
        const answers = new RegExp(`/v1/${name}(\\?|$)`);
        await page.route(answers, (route) => route.fulfill({ status: 409, json: { code: 'CONFLICT', detail: 'No.' } }));
        await open(`/${name}`);
        await button('again').waitFor();
        await look(`${name}-error`);
        await page.unroute(answers);
        await button('again').click();
        await button('again').waitFor({ state: 'detached' });
      },
    );

    it('shows the files of a document, and sends its mail again', async () => {
      await open('/documents');
      await page.getByRole('main').getByRole('link', { name: 'María Ñacata' }).first().click();
      await button('showRide').click();
      await page.locator('dialog iframe.ride').waitFor();
      // The policy of the page allows the browser's own viewer.
      await expect.poll(() => page.frames().some((frame) => frame.url().startsWith('chrome-extension:'))).toBe(true);
      await page.keyboard.press('Escape');
      await page.locator('dialog iframe.ride').waitFor({ state: 'detached' });
      expect((await page.locator(':focus').textContent())?.trim()).toBe(t('showRide'));
      await button('showXml').click();
      await expect.poll(() => page.getByLabel('XML').last().inputValue()).toContain('<razonSocialComprador>María');
      expect(await page.evaluate("document.querySelector('dialog textarea').scrollTop")).toBe(0);
      await button('close').click();
      for (const [name, file] of [
        ['downloadRide', /^RIDE-\d{49}\.pdf$/],
        ['downloadTicket', /^ticket-\d{49}\.pdf$/],
        ['downloadXml', /^\d{49}\.xml$/],
      ] as const) {
        const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
        expect(download.suggestedFilename()).toMatch(file);
      }
      await page.emulateMedia({ media: 'print' });
      // Pages of paper do not split a row of a grid.
      expect(await page.evaluate("getComputedStyle(document.querySelector('.sides')).display")).toBe('block');
      await page.emulateMedia({ media: null });
      await more('resendMail');
      expect(await page.locator(':focus').getAttribute('name')).toBe('email');
      await page.getByText(t('mailToHint')).waitFor();
      await inDialog('resendMail').click();
      await page.getByRole('dialog').getByRole('status').waitFor();
      expect(await inDialog('resendMail').count()).toBe(0);
    });

    it('manages the company: points, certificate, numbers, pause', async () => {
      await open('/issuers');
      await look('issuers');
      await button('addIssuer').click();
      const dialog = page.getByRole('dialog');
      await label('branchCode', dialog).fill('001');
      await label('issuePointCode', dialog).fill('002');
      await dialog.getByRole('button', { name: t('addIssuer') }).click();
      await heading().getByText('001-002').waitFor();
      await label('tradeName').fill(`Caja dos ${SCRIPT}`);
      await button('save').first().click();
      await heading().getByText('Caja dos').waitFor();
      await page.getByText(t('saved')).waitFor();
      for (const name of ['mainAddress', 'branchAddress']) await label(name).fill(SCRIPT);
      await label('rimpe').selectOption('GENERAL');
      await label('requiredAccounting').setChecked(false);
      // The form still shows the word of the first save.
      const stored = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await button('save').first().click();
      expect((await stored).status()).toBe(200);
      await page.reload();
      expect(await label('mainAddress').inputValue()).toBe(SCRIPT);
      expect(await label('rimpe').inputValue()).toBe('GENERAL');
      expect(await label('requiredAccounting').isChecked()).toBe(false);
      const buffer = Buffer.from(await createTestP12({ ruc: '1799999990001', password: 'nueva' }));
      await label('certificateFile').setInputFiles({ name: 'nueva.p12', mimeType: 'application/x-pkcs12', buffer });
      await label('certPassword').fill('otra');
      await button('renew').click();
      // The error of a wrong password appears once, at its field.
      const refused = page.locator('.field.wrong').filter({ hasText: t('certPassword') });
      const said = (await refused.locator('.complaint').textContent()) ?? '';
      expect(said).not.toBe('');
      expect(await page.getByText(said).count()).toBe(1);
      await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('certPassword');
      await look('certificate-refused');
      await label('certPassword').fill('nueva');
      await button('renew').click();
      await page.getByText(t('saved')).waitFor();
      await refused.waitFor({ state: 'detached' });
      await expect.poll(() => label('certPassword').inputValue()).toBe('');
      expect(await label('certificateFile').inputValue()).toBe('');
      await look('certificate-renewed');
      await page.getByText(t('changeNumber')).click();
      await label('nextNumber').fill('500');
      await button('save').last().click();
      await page.getByText('500', { exact: true }).waitFor();
      await button('pause').click();
      await inDialog('pause').click();
      await button('resume').waitFor();
      await look('issuer');
      await button('resume').click();
      await button('pause').waitFor();
      await open('/issuers');
      await page.getByText(SCRIPT, { exact: true }).waitFor();
      expect(await page.locator('img[src=x], main script').count()).toBe(0);
      // The list shows the documents of all points.
      await open('/documents');
      await label('issuer').selectOption('');
      await page.locator('table.list tbody tr').nth(3).waitFor();
      const figures = page.waitForResponse(/documents\/stats\?issuerId=all/);
      await open('');
      expect((await figures).status()).toBe(200);
      await page.getByText(t('sales'), { exact: true }).waitFor();
      await label('issuer').selectOption({ index: 1 });
      // A month may credit more than it sells.
      await page.route(/documents\/stats\?.*from=01/, async (route) => {
        const { stats } = await (await route.fetch()).json();
        await route.fulfill({ json: { ok: true, stats: { ...stats, netTotal: '-1234.5' } } });
      });
      await open('');
      await page.getByText('-$1,234.50').waitFor();
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('credits and copies a document of another point from the list of all', async () => {
      await open('/new/01');
      await label('issuer').selectOption({ index: 2 });
      await fillParty('role.BUYER', ANA);
      await fillLine(1, { text: 'Té de Ambato', code: 'TE', price: '2' });
      await total('$2.30');
      await issue();
      expect(await heading().textContent()).toContain('001-002-');
      await label('issuer').selectOption('');
      await more('duplicate');
      await total('$2.30');
      await page.goBack();
      await page.getByRole('link', { name: t('on.04') }).click();
      await label('motive').fill('Devolución');
      await total('$2.30');
      await issue();
      expect(await heading().textContent()).toContain('001-002-');
      await label('issuer').selectOption({ index: 1 });
    });

    it('issues at the point of the first attempt unless the user chooses another', async () => {
      await draftTea('3', '$3.45');
      await loseAnswer();
      await label('issuer').selectOption({ index: 2 });
      const places = { tried: '001-001', point: '001-002' };
      await page.getByText(t('triedElsewhere', places)).waitFor();
      expect(await button('createAndSend').isDisabled()).toBe(true);
      await look('tried-elsewhere');
      await page.getByRole('button', { name: t('backToPoint', { point: places.tried }) }).click();
      await total('$3.45');
      await issue();
      expect(await heading().textContent()).toContain('001-001-');
      await open('/documents?q=Ana+Torres&totalFrom=3.45&totalTo=3.45');
      await page.getByText(t('found', { total: 1 })).waitFor();
      await draftTea('4', '$4.60');
      await loseAnswer();
      await label('issuer').selectOption({ index: 2 });
      await page.getByRole('button', { name: t('issueAtPoint', { point: places.point }) }).click();
      await issue();
      expect(await heading().textContent()).toContain('001-002-');
      await label('issuer').selectOption({ index: 1 });
    });

    it('issues a draft of two tabs once, also if they show two points', async () => {
      await draftTea('5', '$5.75');
      const tab = await context.newPage();
      await tab.goto(page.url());
      await tab.getByText(t('draftRestored')).waitFor();
      // A third tab shows another page, and still holds the draft.
      const away = await context.newPage();
      await away.goto(page.url());
      await label('email', away).first().fill('ana@example.com');
      await away.goto(`${server.url}/console/documents`);
      await issue();
      await away.goto(tab.url());
      for (const each of [away, tab]) {
        await label('issuer', each).selectOption({ index: 2 });
        await each.getByText(t('triedElsewhere', { tried: '001-001', point: '001-002' })).waitFor();
        expect(await each.getByRole('button', { name: t('createAndSend') }).isDisabled()).toBe(true);
        await each.getByRole('button', { name: t('backToPoint', { point: '001-001' }) }).click();
      }
      await away.close();
      await tab.getByText('$5.75', { exact: true }).waitFor();
      await tab.getByRole('button', { name: t('createAndSend') }).click();
      await tab.waitForURL(page.url());
      await tab.close();
    });

    it('an open page shows that the SRI does not answer', async () => {
      await open('/documents');
      await page.locator('table.list').waitFor();
      await page.route('**/readyz', (route) => route.fulfill({ json: { sri: { sandbox: 'held' } } }));
      await page.getByRole('main').locator('td.who a').first().click();
      await page.getByText(t('sri.held')).waitFor();
      await page.unroute('**/readyz');
    });

    it('shows that a page did not load, and loads it again', async () => {
      await open('/documents');
      await page.route('**/assets/issuers-*', (route) => route.abort());
      if (isPhone) await button('menu').click();
      await page
        .getByRole('navigation')
        .getByRole('link', { name: t('issuers') })
        .click();
      await page.getByText(t('unexpected')).waitFor();
      expect(await page.getByRole('banner').count()).toBe(1);
      await page.unroute('**/assets/issuers-*');
      await button('again').click();
      await page.getByRole('heading', { level: 1, name: t('issuers') }).waitFor();
    });

    it('a session has the scopes of its key, and ends with the key', async () => {
      await open('/keys');
      await button('newKey').click();
      await label('label').fill(`Caja ${SCRIPT}`);
      await inDialog('newKey').click();
      const apiKey = (await page.locator('.notice.good code').textContent()) ?? '';
      await page.getByRole('main').getByText(SCRIPT).waitFor();
      // The page shows the key once, in either language.
      const other = (name: string) => TEXTS[name]?.[language === 'es' ? 'en' : 'es'] ?? '';
      await button('language').click();
      await page.getByText(other('shownOnce')).waitFor();
      expect(await page.locator('.notice.good code').textContent()).toBe(apiKey);
      await page.getByRole('button', { name: other('language'), exact: true }).click();
      await page.getByText(t('shownOnce')).waitFor();
      expect(await page.locator('img[src=x], main script').count()).toBe(0);
      await look('keys');
      const cashier = await browser.newContext({ locale: 'es-EC', viewport, colorScheme });
      const till = await cashier.newPage();
      await till.goto(`${server.url}/console/sign-in`);
      await till.getByLabel(TEXTS['apiKey']?.es ?? '').fill(apiKey);
      await till.keyboard.press('Enter');
      await till.getByRole('heading', { level: 1, name: TEXTS['overview']?.es ?? '' }).waitFor();
      expect(await till.getByRole('link', { name: TEXTS['keys']?.es ?? '' }).count()).toBe(0);
      // Another tab of this browser signs in with that key. This tab keeps its own.
      const tab = await context.newPage();
      await tab.goto(`${server.url}/console/sign-in`);
      await tab.getByLabel(t('apiKey')).fill(apiKey);
      await tab.keyboard.press('Enter');
      await tab.getByRole('heading', { level: 1, name: t('overview') }).waitFor();
      const keysLink = (of: Page) => of.locator('nav a[href="/console/keys"]').count();
      expect(await keysLink(tab)).toBe(0);
      await tab.close();
      await open('/keys');
      await page.locator('li').filter({ hasText: 'Caja' }).waitFor();
      expect(await keysLink(page)).toBeGreaterThan(0);
      await revokeKey('Caja');
      await till.goto(`${server.url}/console/documents`);
      await till.getByRole('heading', { name: TEXTS['signIn']?.es ?? '' }).waitFor();
      await till.getByText(TEXTS['signInReturn']?.es ?? '').waitFor();
      await cashier.close();
    });

    it('shows what a key cannot read instead of a failing page', async () => {
      await open('/keys');
      await button('newKey').click();
      await label('label').fill('Lectura');
      await label('scope.issuers:read').uncheck();
      await inDialog('newKey').click();
      const apiKey = (await page.locator('.notice.good code').textContent()) ?? '';
      const elsewhere = await browser.newContext({ locale: 'es-EC', viewport, colorScheme });
      const reader = await elsewhere.newPage();
      await reader.goto(`${server.url}/console/documents`);
      await reader.getByLabel(TEXTS['apiKey']?.es ?? '').fill(apiKey);
      await reader.keyboard.press('Enter');
      await reader.locator('td.who a').first().click();
      await reader.getByText(TEXTS['notReadable']?.es ?? '').waitFor();
      await reader.goto(`${server.url}/console/new/01`);
      await reader.getByText(TEXTS['notReadable']?.es ?? '').waitFor();
      await reader.goto(`${server.url}/console/issuers`);
      await reader.getByText(TEXTS['notReadable']?.es ?? '').waitFor();
      await reader.goto(`${server.url}/console/notifications`);
      await reader.getByText(TEXTS['preferences']?.es ?? '').click();
      expect(await reader.getByRole('checkbox').first().isDisabled()).toBe(true);
      await elsewhere.close();
      await revokeKey('Lectura');
    });

    it('delivers a test to a webhook, and delivers it again', async () => {
      await open('/webhooks');
      await look('webhooks-empty');
      await button('newWebhook').click();
      await label('url').fill(`${receiver.url}avisos`);
      await inDialog('newWebhook').click();
      await page.getByText('whsec_', { exact: false }).waitFor();
      await page.getByRole('link', { name: `${receiver.url}avisos` }).click();
      await page.getByText(t('noDeliveries')).waitFor();
      await button('testWebhook').click();
      await page.getByText(t('status.DELIVERED'), { exact: true }).last().waitFor();
      expect(receiver.seen).toHaveLength(1);
      await button('redeliver').click();
      await expect.poll(() => receiver.seen.length, { timeout: 10_000 }).toBe(2);
      await look('deliveries');
      await fold('changeWebhook').click();
      await label('url').fill('https://example.com/otra');
      await label('status').selectOption('FAILED');
      await page.getByText(t('noDocuments')).waitFor();
      expect(await label('url').inputValue()).toBe('https://example.com/otra');
    });

    it('another page on the same machine can neither frame the console nor use its session', async () => {
      const other = await context.newPage();
      await other.goto(receiver.url);
      await other.setContent(`<iframe src="${server.url}/console"></iframe>`);
      await expect.poll(() => other.frames()[1]?.url()).toMatch(/^chrome-error:/);
      // Another port is the same site: SameSite alone does not block such a request.
      const [answer] = await Promise.all([
        other.waitForResponse(`${server.url}/v1/keys`),
        other.evaluate(
          `fetch('${server.url}/v1/keys', { method: 'POST', mode: 'no-cors', body: '{"label":"x"}', credentials: 'include' })`,
        ),
      ]);
      expect(answer.status()).toBe(401);
      await other.close();
    });

    it('shows notifications with links, and lets the user choose their channels', async () => {
      await open('/notifications');
      await page.getByRole('main').locator('.cards a').first().waitFor();
      await look('notifications');
      // Another tab has read one of them.
      const tab = await context.newPage();
      await tab.goto(page.url());
      const one = tab.getByRole('button', { name: t('markRead'), exact: true });
      await one.first().waitFor();
      const unread = await one.count();
      await one.first().press('Enter');
      await expect.poll(() => one.count()).toBe(unread - 1);
      // The next Tab leads on from that notification.
      await tab.locator('.cards > li:focus').waitFor();
      await tab.close();
      await button('markAllRead').click();
      await button('markAllRead').waitFor({ state: 'detached' });
      await page.getByText(t('preferences')).click();
      const box = page.getByLabel(`${t('notice.DOCUMENT_RETURNED')}, ${t('channel.EMAIL')}`);
      const was = await box.isChecked();
      await box.click();
      await expect.poll(() => box.isChecked()).toBe(!was);
      await look('preferences');
    });

    it('opens the links of a written mail outside its frame', async () => {
      await page.route('**/console/mails', async (route) => {
        const response = await route.fetch();
        const { mails } = (await response.json()) as { readonly mails: readonly object[] };
        const to = `${'ventas'.repeat(10)}@${'empresa'.repeat(8)}.ec`;
        await route.fulfill({ response, json: { mails: mails.map((mail) => ({ ...mail, to })) } });
      });
      await open('/written-mails');
      await look('mails');
      await page.unroute('**/console/mails');
      // The oldest: it verifies the address of the account.
      await page.getByRole('main').getByRole('link').last().click();
      const inMail = page.frameLocator('iframe.mail').getByRole('link').first();
      await inMail.waitFor();
      await look('mail');
      const [opened] = await Promise.all([context.waitForEvent('page'), inMail.click()]);
      await opened.waitForLoadState();
      expect(new URL(opened.url()).origin).toBe(server.url);
      expect(await opened.locator('h1').count()).toBe(1);
      await opened.close();
      await page.goBack();
      await page
        .getByRole('main')
        .getByRole('link', { name: /001-00\d-/ })
        .first()
        .click();
      await page.frameLocator('iframe.mail').locator('table').last().waitFor();
      await look('mail-document');
    });

    it('shows the account with the way to production', async () => {
      await open('/account');
      await page.getByText(t('check.certificates')).waitFor();
      await look('account');
      await page.getByText(t('plan.FREE'), { exact: true }).first().waitFor();
      await label('plan').selectOption('GROWTH MONTHLY');
      await button('choosePlan').click();
      await button('withdrawPayment').click();
      await inDialog('withdrawPayment').click();
      await page.getByText(`$103.50 ${t('payment.CANCELLED')} · Growth, ${t('interval.MONTHLY')}`).waitFor();
      await label('plan').selectOption('STARTER YEARLY');
      expect(await label('plan').locator('option:checked').textContent()).toContain('$230.00');
      expect(await page.getByRole('main').textContent()).not.toMatch(/FREE|STARTER|GROWTH|BUSINESS/);
      await button('choosePlan').click();
      await page.getByText(`$230.00 ${t('payment.PENDING')} · Starter, ${t('interval.YEARLY')}`).waitFor();
      await page.getByText(t('transferTo')).waitFor();
      await open('');
      await page.getByRole('link', { name: '$230.00' }).click();
      await fold('reportPayment').click();
      await label('referenceNumber').fill('4471');
      await label('proof').setInputFiles({
        name: 'pago.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.4'),
      });
      await button('reportPayment').click();
      await page.getByText(t('payment.REPORTED')).waitFor();
      // The page does not ask again for a reported payment.
      expect(await page.getByText(t('transferTo')).count()).toBe(0);
      await look('payment');
      await open('');
      await page.getByRole('heading', { name: t('sales') }).waitFor();
      expect(await page.getByRole('link', { name: '$230.00' }).count()).toBe(0);
      // A verified payment allows the choice of another plan.
      await page.route('**/v1/subscriptions/me', async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as { subscription: object; subscriptions: [{ payments: object[] }] };
        const verified = { status: 'ACTIVE', currentPeriodEnd: '2030-01-01T00:00:00Z', pendingTier: 'FREE' };
        const [latest] = answer.subscriptions;
        const paid = { verifiedAt: '2029-01-02T03:00:00Z' };
        const subscriptions = [{ ...latest, payments: latest.payments.map((each) => ({ ...each, ...paid })) }];
        const subscription = { ...answer.subscription, ...verified };
        await route.fulfill({ response, json: { ...answer, subscription, subscriptions } });
      });
      await open('/account');
      await page.getByText(t('planThen', { plan: t('plan.FREE') })).waitFor();
      expect(await label('otherPlan').locator('option[value="STARTER YEARLY"]').count()).toBe(0);
      // The day in Ecuador.
      const date = language === 'es' ? '1 ene 2029' : 'Jan 1, 2029';
      await page.getByText(t('verifiedOn', { date })).first().waitFor();
      await page.emulateMedia({ media: 'print' });
      expect(await label('otherPlan').isVisible(), 'the choice of a plan is on paper').toBe(false);
      expect(await page.getByText(t('reportPayment')).first().isVisible(), 'a form is on paper').toBe(false);
      await page.emulateMedia({ media: null });
      const asked = page.waitForRequest('**/v1/subscriptions/change-tier');
      await button('changePlan').click();
      expect((await asked).postDataJSON()).toEqual({ tier: 'STARTER', billingInterval: 'MONTHLY' });
      await page.locator('form [role=alert]').getByText(/./).first().waitFor();
      await page.unroute('**/v1/subscriptions/me');
      await open('/account');
      await button('read').first().click();
      await page.getByRole('dialog').getByText('1799999990001').first().waitFor();
      await look('agreement');
      expect(await page.locator('.agreement').textContent()).not.toMatch(/<\/|##/);
      await page.locator('.agreement:focus h1').waitFor();
      await inDialog('close').click();
      await label('acceptedByName').fill('Ana Pérez');
      await button('accept').click();
      await page.getByText(t('agreementsDone')).waitFor();
      // A new version of another text leaves the terms as they were accepted.
      const publish = async (version: string) => {
        const published = await fetch(`${server.url}/v1/admin/agreements`, {
          method: 'POST',
          headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
          body: JSON.stringify({ documentType: 'PRIVACY', version, contentMarkdown: '# Privacidad' }),
        });
        expect(published.status).toBe(201);
      };
      await publish('2.0');
      // No reload of the page, which would read the account again.
      for (const path of ['/keys', '/account']) {
        await page.evaluate(
          `history.pushState(null, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
        );
      }
      await page.getByText('2.0', { exact: true }).waitFor();
      await publish('2.1');
      await label('acceptedByName').fill('Ana Pérez');
      await button('accept').click();
      // The acceptance is of the shown version.
      await page.getByText(t('agreementsChanged')).waitFor();
      await page.getByText('2.1', { exact: true }).waitFor();
      await button('accept').click();
      await page.getByText(t('agreementsDone')).waitFor();
      await fold('promote').waitFor();
    });

    it('the overview shows the suspension of the account', async () => {
      const ask = async (method: string, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
        const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
        return (await fetch(`${server.url}/v1/admin/tenants${path}`, init)).json();
      };
      const { tenants } = (await ask('GET', '')) as { tenants: readonly { readonly id: string }[] };
      const place = `/${tenants[0]?.id}/status`;
      await ask('PATCH', place, { status: 'SUSPENDED', suspensionReasonCode: 'OTHER' });
      await open('');
      await page.getByRole('link', { name: t('attentionSuspended') }).click();
      await page.getByText(`${t('account.SUSPENDED')}: ${t('suspension.OTHER')}`).waitFor();
      await ask('PATCH', place, { status: 'ACTIVE' });
      await open('');
      await page.getByRole('heading', { name: t('sales') }).waitFor();
      expect(await page.getByText(t('attentionSuspended')).count()).toBe(0);
    });

    it('offers every type of document, also in the menu of a phone', async () => {
      await open('');
      if (isPhone) await button('menu').click();
      const menu = page.getByRole('navigation', { name: t('menu') });
      await menu.locator('summary').click();
      await look('types');
      await menu.getByRole('link', { name: t('new.07') }).click();
      await page.getByRole('heading', { name: t('new.07') }).waitFor();
      // The narrowest screen of WCAG, also reached by a zoom of 400 %.
      await page.setViewportSize({ width: 320, height: viewport.height });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.setViewportSize(viewport);
    });

    it('follows the text size of the browser', async () => {
      const large = await openBrowser(['--blink-settings=defaultFontSize=32']);
      try {
        const storageState = await context.storageState();
        const other = await large.newPage({ storageState, viewport: { width: 640, height: 860 } });
        for (const path of ['', '/documents', '/new/01']) {
          await other.goto(`${server.url}/console${path}`);
          await other.getByRole('heading', { level: 1 }).waitFor();
          expect(await other.evaluate('getComputedStyle(document.documentElement).fontSize')).toBe('30px');
          expect(await other.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBe(0);
        }
      } finally {
        await large.close();
      }
    });

    it('the form shows that the key may not issue', async () => {
      await page.route('**/console/session', async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as { accounts: readonly { scopes: readonly string[] }[] };
        const accounts = answer.accounts.map((each) => ({
          ...each,
          scopes: each.scopes.filter((scope) => scope !== 'documents:write'),
        }));
        await route.fulfill({ response, json: { ...answer, accounts } });
      });
      await open('/new/01');
      await page.getByText(t('notAllowed')).waitFor();
      expect(await button('createAndSend').isDisabled()).toBe(true);
      await page.unroute('**/console/session');
    });

    it('works by keyboard: n, then fields and button, and / for the list', async () => {
      await open('/documents');
      await page.locator('table.list').waitFor();
      await page.keyboard.press('/');
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      await page.keyboard.type('n');
      expect(page.url()).toMatch(/documents$/);
      // The checkbox of a row takes no text.
      await label('chooseAll').focus();
      await page.keyboard.press('n');
      await label('idType').first().waitFor();
      for (const [name, text] of [
        ['id', '1710034065'],
        ['name', 'Ana'],
        ['email', 'ana@example.com'],
      ] as const) {
        await tabTo(label(name).first());
        await page.keyboard.type(text);
      }
      for (const [name, text] of [
        ['description', 'Té'],
        ['mainCode', 'TE'],
        ['unitPrice', '2'],
      ] as const) {
        await tabTo(label(name, line(1)));
        await page.keyboard.type(text);
      }
      await total('$2.30');
      await tabTo(button('createAndSend'));
      // The banner hides no field on the way back.
      const bottomOf = (place: string) => `${place}.getBoundingClientRect().bottom`;
      const isSeen = `${bottomOf('document.activeElement')} > ${bottomOf("document.querySelector('.banner')")}`;
      await tabTo(label('idType').first(), 'Shift+Tab', async () => expect(await page.evaluate(isSeen)).toBe(true));
      await tabTo(button('createAndSend'));
      await page.keyboard.press('Enter');
      await untilStatus('AUTHORIZED');
    });
    async function tabTo(place: Locator, key = 'Tab', check = async () => {}): Promise<void> {
      for (let step = 0; step < 60; step += 1) {
        await check();
        if (await place.evaluate((element) => element === element.ownerDocument.activeElement)) return;
        await page.keyboard.press(key);
      }
      expect.fail(`The keyboard does not reach ${String(place)}.`);
    }

    it('switches to the other language', async () => {
      await button('language').click();
      const other = (name: string) => TEXTS[name]?.[language === 'es' ? 'en' : 'es'] ?? '';
      await page.getByRole('button', { name: other('language'), exact: true }).click();
      await untilStatus('AUTHORIZED');
    });

    let liveKey = '';
    it('moves the company to production, and shows its keys until the user goes on', async () => {
      await open('/account');
      const promote = (kind: string) => page.locator(kind).filter({ hasText: t('promote') });
      await promote('summary').click();
      // Enter in a field moves nothing.
      await page.locator('details[open] input').first().press('Enter');
      await page.locator('.check.wrong').waitFor();
      await label('promoteConfirmed').check();
      await promote('button.danger').click();
      const heading = page.getByRole('heading', { name: t('promoted') });
      await heading.waitFor();
      const keys = () => page.locator('code').allTextContents();
      const shown = await keys();
      expect(shown.join()).toContain('sri_live_');
      liveKey = shown.find((code) => code.startsWith('sri_live_')) ?? '';
      // The session is read again, and no longer has the revoked key.
      await Promise.all([
        page.waitForResponse('**/console/session'),
        page.evaluate("dispatchEvent(new Event('sri-session-ended'))"),
      ]);
      await page.waitForLoadState('networkidle');
      // The page is drawn again, and reads the agreements before it shows them.
      await expect.poll(keys).toEqual(shown);
      await look('promoted');
      await button('goOn').click();
      await heading.waitFor({ state: 'detached' });
      await open('/keys');
      await button('newKey').click();
      await label('label').fill('Contabilidad');
      await inDialog('newKey').click();
      expect(await page.locator('.notice.good code').textContent()).toContain('sri_live_');
    });

    it('signs out, also in the other tabs', async () => {
      const tab = await context.newPage();
      await tab.goto(`${server.url}/console/new/01`);
      await label('name', tab).first().fill('Luz Ñacata');
      // A tab in the background draws too rarely to be clicked.
      await page.bringToFront();
      if (isPhone) await button('menu').click();
      // Another tab has signed in again, which changed the token of this session.
      await page.evaluate(
        `fetch('/console/session', { method: 'POST', headers: { authorization: 'Bearer ${liveKey}' } })`,
      );
      await Promise.all([page.waitForResponse('**/console/session'), button('signOut').last().click()]);
      await page.locator('.companies .problem').last().waitFor();
      await expect
        .poll(
          async () => {
            await button('signOut')
              .last()
              .click({ timeout: 1_000 })
              .catch(() => {});
            return page.getByRole('heading', { name: t('signIn') }).isVisible();
          },
          { timeout: 30_000 },
        )
        .toBe(true);
      await page.getByRole('heading', { name: t('signIn') }).waitFor();
      await look('sign-in');
      // The first link leads here once the server has a company.
      await page.goto(server.firstLink ?? '');
      await button('startTest').click();
      await page.getByRole('heading', { name: t('signIn') }).waitFor();
      await open('/documents');
      await page.getByRole('heading', { name: t('signIn') }).waitFor();
      await tab.getByRole('heading', { name: t('signIn') }).waitFor();
      for (const each of [page, tab]) {
        const kept = (await each.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')) as string;
        expect(kept).not.toContain('Ñacata');
      }
      await tab.close();
    });

    let ownP12: Buffer;
    beforeAll(async () => {
      ownP12 = Buffer.from(await createTestP12({ ruc: '1790012345001', password: 'secreta' }));
    });
    it('registers a company with its certificate', async () => {
      await link('register').click();
      const buffer = ownP12;
      await label('certificateFile').setInputFiles({ name: 'firma.p12', mimeType: 'application/x-pkcs12', buffer });
      await label('certPassword').fill('secreta');
      await button('register').click();
      await page.locator('.field.wrong').first().waitFor();
      await look('register');
      await label('ruc').fill('1790012345001');
      await label('email').fill('ana@example.com');
      await label('businessName').fill('Cafetería Ñandú & Hijos');
      await label('rimpe').selectOption('GENERAL');
      await label('withholdingAgent').fill('1');
      await label('specialTaxpayer').fill('5368');
      expect(await page.locator('.field.wrong').count()).toBe(0);
      await page.getByText(t('typesAndNumbers')).click();
      await page.getByLabel(t('type.07'), { exact: true }).uncheck();
      const first = page.getByLabel(`${t('firstNumber')}: ${t('type.01')}`);
      await first.fill('1.200');
      await page.getByText(t('typesAndNumbers')).click();
      await button('register').click();
      await page.getByText(t('digitsHint')).waitFor();
      await first.fill('120');
      await look('register-filled');
      await button('register').click();
      await page.getByRole('heading', { name: t('registered') }).waitFor();
      await look('registered');
      await button('goOn').click();
      await page.getByText(t('attentionEmail')).waitFor();
      await open('/issuers');
      await page
        .getByRole('main')
        .getByRole('link', { name: /001-001/ })
        .click();
      await page.getByText('120', { exact: true }).waitFor();
      expect(await label('rimpe').inputValue()).toBe('GENERAL');
      expect(await label('withholdingAgent').inputValue()).toBe('1');
      expect(await label('specialTaxpayer').inputValue()).toBe('5368');
      expect(
        await page
          .locator('li')
          .filter({ hasText: t('type.07') })
          .getByText(t('no'), { exact: true })
          .count(),
      ).toBe(1);
      await open('');
      await page.getByText(t('attentionEmail')).waitFor();
    });

    it('gives a new key to the holder of the certificate, and returns to the earlier page', async () => {
      const lost = page.url();
      const buffer = ownP12;
      const elsewhere = await browser.newContext({ locale: 'es-EC', viewport, colorScheme });
      const other = await elsewhere.newPage();
      await other.goto(`${server.url}/console/recover`);
      const es = (name: string) => other.getByLabel(TEXTS[name]?.es ?? '', { exact: true });
      await es('certificateFile').setInputFiles({ name: 'firma.p12', mimeType: 'application/x-pkcs12', buffer });
      await es('certPassword').fill('secreta');
      await es('email').fill('ana@example.com');
      await other.getByRole('button', { name: TEXTS['recover']?.es ?? '' }).click();
      await other.getByRole('heading', { name: TEXTS['recovered']?.es ?? '' }).waitFor();
      const apiKey = (await other.locator('.notice.good code').textContent()) ?? '';
      await elsewhere.close();
      // The former key was revoked, and its session ended.
      await page.reload();
      await label('apiKey').fill(apiKey);
      await page.keyboard.press('Enter');
      await page.getByText(t('attentionEmail')).waitFor();
      expect(page.url()).toBe(lost);
    });

    it('shows markup in texts as text on every page', async () => {
      const shown = () => page.getByText(SCRIPT).first().waitFor();
      await open('/new/01');
      await fillParty('role.BUYER', { id: '1710034065', name: SCRIPT, email: 'ana@example.com' });
      await label('address').first().fill(SCRIPT);
      await fillLine(1, { text: SCRIPT, code: '<b>X</b>', price: '1' });
      await page.getByText(t('additionalInfo'), { exact: true }).click();
      await button('addInfo').click();
      await label('infoName').last().fill('<i>x</i>');
      await label('infoValue').last().fill(SCRIPT);
      await issue();
      await shown();
      expect(await page.locator('.sheet').getByText(SCRIPT).count()).toBeGreaterThan(2);
      await more('void');
      await label('voidConfirmed').check();
      await label('reason').fill(SCRIPT);
      // Another user voids it at the same moment.
      await page.route('**/void', async (route) => {
        await route.fetch();
        await route.continue();
      });
      await inDialog('void').click();
      await untilStatus('VOIDED');
      await page.unroute('**/void');
      await open(`/new/04?from=${page.url().split('/').at(-1)}`);
      await page.getByText(t('originalNotAuthorized', { status: t('status.VOIDED') })).waitFor();
      for (const path of ['/documents', '', '/notifications', '/account', '/written-mails']) {
        await open(path);
        await page.locator('.outline').first().waitFor({ state: 'detached' });
        expect(await page.locator('img[src=x], main script').count(), path).toBe(0);
      }
      await open('/documents');
      await page.getByRole('link', { name: SCRIPT }).waitFor();
      await open('/new/01');
      await label('name').first().pressSequentially('onerror');
      await page.getByRole('option', { name: SCRIPT }).waitFor();
      expect(await page.title()).not.toBe('1');
    });

    it('the reference acts for its company: its example makes an invoice at the first click', async () => {
      await page.goto(`${server.url}/docs`);
      const operation = page.locator('#operations-Documents-createDocument');
      await operation.waitFor();
      await look('reference');
      await operation.locator('.opblock-summary-control').click();
      // The address names the open operation.
      expect(page.url()).toMatch(/#\/Documents\/createDocument$/);
      await page.getByRole('button', { name: 'Try it out' }).click();
      await page.getByRole('button', { name: 'Execute', exact: true }).click();
      await page.locator('.live-responses-table .response-col_status').getByText('201').waitFor();
      await look('reference-tried', '.opblock.is-open');
      await page.locator('.btn.authorize').first().click();
      await page.getByRole('heading', { name: 'Available authorizations' }).waitFor();
      await look('reference-keys', '.dialog-ux .modal-ux');
      await open('');
    });

    it.skipIf(!HAS_EXPORT)('exports the list with its filter (skipped by a server without that route)', async () => {
      await open('/documents');
      await page.locator('table.list').waitFor();
      for (const format of ['csv', 'xlsx', 'zip']) {
        await fold('export').click();
        const [download] = await Promise.all([page.waitForEvent('download'), button(`export.${format}`).click()]);
        expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${format}$`));
        await page.keyboard.press('Escape');
      }
    });

    it('the console ran without an error in the browser', () => {
      expect(complaints).toEqual([]);
    });
  },
);
