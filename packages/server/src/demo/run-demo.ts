import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestP12 } from 'sri-core/testing';
import { startServer } from '../server.js';
import { type ApiClient, createApiClient, type DocumentBody } from './api-client.js';
import { creditNoteOn, INVOICE } from './sample-bodies.js';
import { DemoError, Steps } from './steps.js';

/**
 * The main job from nothing: a server with a built-in SRI, a tenant with a made-up certificate, an invoice and a credit
 * note, both authorized, their XML and RIDE written to `demo-output/`.
 *
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
    await issueBoth(steps, createApiClient(server.url), dataDir);
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
/** The SRI's own RUC: nobody is invoiced by mistake. */
const RUC = '1760013210001';

interface Registration {
  readonly apiKey: string;
  readonly issuer: {
    readonly id: string;
    readonly branchCode: string;
    readonly issuePointCode: string;
  };
}

async function issueBoth(steps: Steps, api: ApiClient, dataDir: string): Promise<void> {
  const p12 = await steps.run(
    'Make a test certificate',
    () => createTestP12({ ruc: RUC, password: PASSWORD }),
    (bytes) => `P12 of ${bytes.length} bytes`,
  );
  const { apiKey, issuer } = await steps.run(
    'Register a tenant',
    () => register(api, p12),
    (registration) => `issuer ${registration.issuer.branchCode}-${registration.issuer.issuePointCode}, one API key`,
  );
  await steps.run(
    'Verify the e-mail with the link of the mail',
    () => verifyEmail(api, join(dataDir, 'mail')),
    (email) => email,
  );

  const headers = {
    authorization: `Bearer ${apiKey}`,
    'x-issuer-id': issuer.id,
  };
  const create = async (body: unknown) =>
    (await api.postJson<{ document: DocumentBody }>('/v1/documents', headers, body)).document;
  const describe = (document: DocumentBody) => `${document.sequential}, $${document.total}, ${document.status}`;

  const invoice = await steps.run('Create an invoice', () => create(INVOICE), describe);
  const number = `${issuer.branchCode}-${issuer.issuePointCode}-${invoice.sequential}`;
  const creditNote = await steps.run(
    'Create a credit note on it',
    () => create(creditNoteOn({ number, issueDate: invoice.issueDate })),
    describe,
  );

  const both = { invoice, 'credit-note': creditNote };
  for (const [name, { accessKey }] of Object.entries(both)) {
    await steps.run(`Send the ${name}`, () => api.postJson(`/v1/documents/${accessKey}/send`, headers));
  }
  for (const [name, { accessKey }] of Object.entries(both)) {
    await steps.run(
      `Wait for the SRI to authorize the ${name}`,
      () => untilAuthorized(api, headers, accessKey),
      (document) => `${document.status}, ${accessKey}`,
    );
  }
  for (const [name, { accessKey }] of Object.entries(both)) {
    await steps.run(
      `Fetch XML and RIDE of the ${name}`,
      () => fetchFiles(api, headers, accessKey, name),
      (files) => files.join(', '),
    );
  }
}

function register(api: ApiClient, p12: Uint8Array): Promise<Registration> {
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
  return api.json<Registration>('/v1/register', { method: 'POST', body: form });
}

async function verifyEmail(api: ApiClient, mailDir: string): Promise<string> {
  const token = await until('the verification mail', async () => {
    for (const file of await readdir(mailDir).catch(() => [])) {
      const mail = (await readFile(join(mailDir, file), 'utf8')).replace(/=\r?\n/g, '').replace(/=3D/g, '=');
      const found = /token=([0-9a-f]{64})/.exec(mail)?.[1];
      if (found) return found;
    }
    return null;
  });
  const answer = await api.postJson<{ email: string }>('/v1/verify-email', {}, { token });
  return answer.email;
}

function untilAuthorized(api: ApiClient, headers: Record<string, string>, accessKey: string): Promise<DocumentBody> {
  return until('the authorization', async () => {
    const { document } = await api.json<{ document: DocumentBody }>(`/v1/documents/${accessKey}`, { headers });
    if (document.status === 'AUTHORIZED') return document;
    if (document.status === 'RETURNED' || document.status === 'NOT_AUTHORIZED') {
      const answers = await api.text(`/v1/documents/${accessKey}/sri-responses`, { headers });
      throw new Error(`the SRI refused it (${document.status}): ${answers}`);
    }
    return null;
  });
}

async function fetchFiles(
  api: ApiClient,
  headers: Record<string, string>,
  accessKey: string,
  name: string,
): Promise<string[]> {
  const files = {
    [`${name}-authorized.xml`]: await api.bytes(`/v1/documents/${accessKey}/xml`, { headers }),
    [`${name}-signed.xml`]: await api.bytes(`/v1/documents/${accessKey}/xml?variant=signed`, { headers }),
    [`${name}-ride.pdf`]: await api.bytes(`/v1/documents/${accessKey}/ride`, {
      headers,
    }),
  };
  await mkdir(OUTPUT, { recursive: true });
  for (const [file, bytes] of Object.entries(files)) await writeFile(join(OUTPUT, file), bytes);
  return Object.keys(files);
}

/** Asks every tenth of a second, for ten seconds at most. */
async function until<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const answer = await ask();
    if (answer !== null) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} did not come within ten seconds`);
}
