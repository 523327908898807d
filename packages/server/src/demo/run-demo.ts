import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, type Document, type DocumentInput } from 'sri-core/client';
import { createTestP12 } from 'sri-core/testing';
import { formatAmount } from '../platform/formats.js';
import { startServer } from '../server.js';
import { creditNoteOn, INVOICE } from './sample-bodies.js';
import { DemoError, Steps } from './steps.js';

/**
 * The main task from scratch: a server with a built-in SRI, a tenant with a test certificate, an invoice and a credit
 * note, both authorized, their XML and RIDE written to `demo-output/`.
 * @returns the exit code.
 */
export async function runDemo(): Promise<number> {
  const steps = new Steps((line) => process.stdout.write(`${line}\n`));
  const dataDir = await mkdtemp(join(tmpdir(), 'sri-demo-'));
  let server: Awaited<ReturnType<typeof startServer>> | null = null;
  try {
    server = await steps.run(
      'Start the server',
      () =>
        startServer({
          DATA_DIR: dataDir,
          PORT: '0',
          SRI_MODE: 'simulator',
          SRI_AUTH_FIRST_DELAY: '300ms',
          LOG_LEVEL: 'error',
        }),
      ({ url }) => `${url}, SQLite in ${dataDir}, SRI simulator, mail as files`,
    );
    await issueBoth(steps, server.url, dataDir);
    await steps.run('Stop the server', async () => server?.close());
    server = null;
    process.stdout.write(`Done in ${steps.total}. Look into ${OUTPUT}/.\n`);
    return 0;
  } catch (error) {
    const message = error instanceof DemoError ? error.message : `unexpected: ${String(error)}`;
    process.stderr.write(`The demo failed at «${message}»\n`);
    return 1;
  } finally {
    await server?.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

// --- internal ---

const OUTPUT = 'demo-output';
const PASSWORD = 'demo-password';
/** The SRI's own RUC: no real business receives an invoice by mistake. */
const RUC = '1760013210001';

const PATIENCE_MS = 10_000;

async function issueBoth(steps: Steps, baseUrl: string, dataDir: string): Promise<void> {
  const publicApi = createClient({ baseUrl, apiKey: '', timeoutMs: PATIENCE_MS });
  const p12 = await steps.run(
    'Make a test certificate',
    () => createTestP12({ ruc: RUC, password: PASSWORD }),
    (bytes) => `P12 of ${bytes.length} bytes`,
  );
  const { apiKey, issuer } = await steps.run(
    'Register a tenant',
    () => register(publicApi, p12),
    (registration) => `issuer ${registration.issuer.branchCode}-${registration.issuer.issuePointCode}, one API key`,
  );
  await steps.run(
    'Verify the e-mail with the link of the mail',
    () => verifyEmail(publicApi, join(dataDir, 'mail')),
    (email) => email,
  );

  const api = createClient({ baseUrl, apiKey, issuerId: issuer.id, timeoutMs: PATIENCE_MS });
  const create = async (body: DocumentInput) => (await api.documents.create(body)).document;
  const describe = (document: Document) =>
    `${document.sequential}, ${formatAmount(document.total)}, ${document.status}`;

  const invoice = await steps.run('Create an invoice', () => create(INVOICE), describe);
  const number = `${issuer.branchCode}-${issuer.issuePointCode}-${invoice.sequential}`;
  const creditNote = await steps.run(
    'Create a credit note on it',
    () => create(creditNoteOn({ number, issueDate: invoice.issueDate })),
    describe,
  );

  const both = { invoice, 'credit-note': creditNote };
  for (const [name, { accessKey }] of Object.entries(both)) {
    await steps.run(`Send the ${name}`, () => api.documents.sendOnce(accessKey));
  }
  for (const [name, { accessKey }] of Object.entries(both)) {
    await steps.run(
      `Wait for the SRI to authorize the ${name}`,
      () => untilAuthorized(api, accessKey),
      (document) => `${document.status}, ${accessKey}`,
    );
  }
  for (const [name, { accessKey }] of Object.entries(both)) {
    await steps.run(
      `Fetch XML and RIDE of the ${name}`,
      () => fetchFiles(api, accessKey, name),
      (files) => files.join(', '),
    );
  }
}

function register(api: Client, p12: Uint8Array) {
  const form = new FormData();
  form.set('cert', new Blob([new Uint8Array(p12)]), 'demo.p12');
  const fields = {
    certPassword: PASSWORD,
    email: 'facturacion@example.com',
    ruc: RUC,
    businessName: 'Café & Cultura Ñandú Cía. Ltda.',
    tradeName: 'El Ñandú',
    mainAddress: 'Av. Amazonas N37-101 y Naciones Unidas, Quito',
    branchCode: '001',
    issuePointCode: '001',
    emissionType: '1',
    requiredAccounting: 'true',
    documentTypes: '["01","04"]',
    language: 'es',
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return api.call('register', { body: form });
}

/** Checks for the mail every tenth of a second. */
async function verifyEmail(api: Client, mailDir: string): Promise<string> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    for (const file of await readdir(mailDir).catch(() => [])) {
      const mail = (await readFile(join(mailDir, file), 'utf8')).replace(/=\r?\n/g, '').replace(/=3D/g, '=');
      const token = /token=([0-9a-f]{64})/.exec(mail)?.[1];
      if (token) return (await api.call('verifyEmail', { body: { token } })).email;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the verification mail did not come within ten seconds');
}

async function untilAuthorized({ documents }: Client, accessKey: string): Promise<Document> {
  const document = await documents.wait(accessKey, { waitMs: PATIENCE_MS });
  if (document.status === 'AUTHORIZED') return document;
  const answers = JSON.stringify(await documents.sriResponses(accessKey));
  throw new Error(`the SRI did not authorize it within ten seconds (${document.status}): ${answers}`);
}

async function fetchFiles({ documents }: Client, accessKey: string, name: string): Promise<string[]> {
  const files = {
    [`${name}-authorized.xml`]: await documents.xml(accessKey),
    [`${name}-signed.xml`]: await documents.xml(accessKey, { variant: 'signed' }),
    [`${name}-ride.pdf`]: await documents.ride(accessKey),
  };
  await mkdir(OUTPUT, { recursive: true });
  for (const [file, bytes] of Object.entries(files)) await writeFile(join(OUTPUT, file), bytes);
  return Object.keys(files);
}
