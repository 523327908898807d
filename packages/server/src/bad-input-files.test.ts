import { createTestP12 } from 'sri-core/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type ContainerOutcome,
  hostileContainers,
  ownContainers,
  type SentContainer,
} from './testing/bad-input/containers.js';
import { formBodies } from './testing/bad-input/form-bodies.js';
import { HIDDEN, type SentImage, sentImages } from './testing/bad-input/images.js';
import { longestBlock } from './testing/bad-input/longest-block.js';
import { type Expected, faultOfRefusal, type Seen, see } from './testing/bad-input/refusal.js';
import { sampleOn, TRIES_ALL } from './testing/bad-input/sample.js';
import { storedRows } from './testing/bad-input/stored-rows.js';
import { readRows } from './testing/change-rows.js';
import { formOf } from './testing/form-of.js';
import { activeTenant } from './testing/production-tenant.js';
import { databaseKinds } from './testing/test-databases.js';
import { describeOnDatabases, TEST_PASSWORD, type TestServer } from './testing/test-server.js';
import type { TestTenant } from './testing/test-tenant.js';

/** The longest time that any input may block the event loop. */
const LONGEST_BLOCK_MS = 100;
/** The longest time that a caller waits for a certificate. */
const LONGEST_ANSWER_MS = 5000;

const OWN = await ownContainers(new Date());
const HOSTILE = hostileContainers();
const IMAGES = sentImages();

let server: TestServer;
let tenant: TestTenant;
let certificate: Uint8Array;
let accounts = 0;

/** The routes that take a certificate. Each new route needs an entry here. */
const CERTIFICATE_ROUTES: readonly {
  readonly name: string;
  readonly method: 'POST' | 'PATCH';
  readonly path: () => string;
  /** Fields next to the certificate and its password. */
  readonly fields: () => Readonly<Record<string, string>>;
  /** A text field that can be invalid. */
  readonly text: { readonly name: string; readonly good: string; readonly takesAny: boolean };
  readonly takesJson: boolean;
  /** Whether the route stores an accepted certificate. */
  readonly keeps: boolean;
  readonly refusal: (outcome: ContainerOutcome) => Expected;
}[] = [
  {
    name: 'POST /v1/register',
    method: 'POST',
    path: () => '/v1/register',
    fields: newAccount,
    text: { name: 'businessName', good: 'Comercial', takesAny: true },
    takesJson: false,
    keeps: true,
    refusal: (outcome) => ({ status: 400, code: 'BAD_REQUEST', reason: `CERTIFICATE_${outcome}` }),
  },
  {
    name: 'POST /v1/recover',
    method: 'POST',
    path: () => '/v1/recover',
    // No account has that address, so a valid certificate finds nothing.
    fields: () => ({ email: 'nadie@ejemplo.ec' }),
    text: { name: 'email', good: 'nadie@ejemplo.ec', takesAny: false },
    takesJson: false,
    keeps: false,
    refusal: certificateRefusal,
  },
  {
    name: 'POST /v1/issuers',
    method: 'POST',
    path: () => '/v1/issuers',
    fields: () => ({ branchCode: threeDigits(accounts), issuePointCode: threeDigits(++accounts) }),
    text: { name: 'tradeName', good: 'Comercial', takesAny: true },
    takesJson: true,
    keeps: true,
    refusal: certificateRefusal,
  },
  {
    name: 'PATCH /v1/issuers/:id/certificate',
    method: 'PATCH',
    path: () => `/v1/issuers/${tenant.issuerId}/certificate`,
    fields: () => ({}),
    text: { name: 'applyToAll', good: 'true', takesAny: false },
    takesJson: true,
    keeps: true,
    refusal: certificateRefusal,
  },
];

const FORMS = formBodies({ fields: { a: 'x' }, file: 'cert', bytes: new Uint8Array(400), text: 'a' }).length;
const FILES = CERTIFICATE_ROUTES.length * (OWN.length + HOSTILE.length);
const COUNT = FILES + CERTIFICATE_ROUTES.length * FORMS + 3 * IMAGES.length;

describeOnDatabases(`${COUNT} files and forms`, await databaseKinds(), (open, database) => {
  const sample = sampleOn(database);
  const faults: unknown[] = [];

  beforeAll(async () => {
    const logger = { info: () => {}, warn: () => {}, error: (fields: unknown) => void faults.push(fields) };
    // The certificates are dated by the machine's clock.
    const now = new Date().toISOString();
    server = await open({ logger, now, settings: { ONBOARDING_RATE: '100000/1h' } });
    certificate = await createTestP12({ password: TEST_PASSWORD });
    tenant = await activeTenant(server, { cert: certificate });
  });

  async function send(
    method: string,
    path: string,
    body: NonNullable<RequestInit['body']>,
    type?: string,
  ): Promise<Seen> {
    const headers = { ...tenant.auth, ...(type === undefined ? {} : { 'content-type': type }) };
    const init = { method, headers, body, ...(body instanceof ReadableStream ? { duplex: 'half' as const } : {}) };
    accounts += 1;
    return see(server.request(path, init, `10.1.${(accounts >> 8) & 255}.${accounts & 255}`));
  }

  /** Runs a request that must be rejected, and expects that nothing has changed. */
  async function expectNothingStored(work: () => Promise<readonly (string | null)[]>): Promise<void> {
    const before = await storedRows(server);
    expect((await work()).filter((fault) => fault !== null)).toEqual([]);
    expect(await storedRows(server)).toEqual(before);
    expect(faults).toEqual([]);
  }

  describe.each(CERTIFICATE_ROUTES)('certificates of $name', (route) => {
    const { method, path, fields, text, takesJson, keeps, refusal } = route;

    function post({ bytes, password }: Pick<SentContainer, 'bytes' | 'password'>, asJson: boolean): Promise<Seen> {
      if (asJson) {
        const body = { ...fields(), cert: Buffer.from(bytes).toString('base64'), certPassword: password };
        return send(method, path(), JSON.stringify(body), 'application/json');
      }
      return send(method, path(), formOf({ ...fields(), cert: bytes, certPassword: password }));
    }

    async function judge(sent: SentContainer, asJson: boolean): Promise<string | null> {
      const startedAt = performance.now();
      const seen = await post(sent, asJson);
      const tookMs = performance.now() - startedAt;
      if (tookMs > LONGEST_ANSWER_MS) return `${sent.name}: took ${Math.round(tookMs)} ms`;
      if (sent.outcome === 'TAKEN') return seen.status < 300 ? null : `${sent.name}: ${seen.status} ${seen.text}`;
      const fault = faultOfRefusal(seen, refusal(sent.outcome), sent.password ?? undefined);
      return fault && `${sent.name}: ${fault}`;
    }

    const isJson = (index: number) => takesJson && index % 2 === 1;
    const lists: readonly (readonly [string, readonly SentContainer[]])[] = [
      ['files that are not containers, or are hostile', HOSTILE],
      ['containers of our own, whole and cut', OWN],
    ];
    it.for(lists.map(([name, list]) => ({ name, list })))(
      'stores nothing of invalid files, and accepts valid files: $name',
      { timeout: 120_000 },
      async ({ list }) => {
        // These cases replace separate tests of damaged files for every route.
        const sent = list === HOSTILE && database === 'SQLite' ? list : sample(list, route.name);
        await expectNothingStored(async () => {
          const found: (string | null)[] = [];
          for (const [index, one] of sent.entries()) {
            if (one.outcome !== 'TAKEN') found.push(await judge(one, isJson(index)));
          }
          return found;
        });
        const takeAll = async () => {
          const found: (string | null)[] = [];
          for (const [index, one] of sent.entries()) {
            if (one.outcome === 'TAKEN') found.push(await judge(one, isJson(index)));
          }
          return found;
        };
        if (keeps) expect((await takeAll()).filter((fault) => fault !== null)).toEqual([]);
        else await expectNothingStored(takeAll);
      },
    );

    const isMeasured = database === 'SQLite' && (TRIES_ALL || route.name === 'POST /v1/register');
    it.runIf(isMeasured)('no file blocks the event loop', { timeout: 120_000 }, async () => {
      for (const one of HOSTILE) {
        const ms = await longestBlock(() => post(one, false), LONGEST_BLOCK_MS);
        expect(ms, one.name).toBeLessThan(LONGEST_BLOCK_MS);
      }
    });

    it('rejects invalid forms and stores nothing', { timeout: 60_000 }, async () => {
      const wrong = { ...fields(), certPassword: 'otra' };
      const good = { ...wrong, [text.name]: text.good };
      const forms = sample(formBodies({ fields: good, file: 'cert', bytes: certificate, text: text.name }), route.name);
      // The password does not open the container, so a valid field stores nothing either.
      await expectNothingStored(async () => {
        const found: (string | null)[] = [];
        for (const { name, type, body, expected } of forms) {
          const bytes = body();
          const sent = bytes instanceof ReadableStream ? bytes : Uint8Array.from(bytes);
          const seen = await send(method, path(), sent, type);
          // A flag or an address may reject an otherwise valid text.
          const isOdd = !text.takesAny && expected === null && seen.text.includes(`"field":"${text.name}"`);
          const fine = isOdd ? null : faultOfRefusal(seen, refusal('PASSWORD_INVALID'));
          const fault = expected ? faultOfRefusal(seen, expected) : fine;
          found.push(fault && `${name}: ${fault}`);
        }
        return found;
      });
    });

    it('still accepts a valid certificate after invalid files', async () => {
      expect(
        await judge({ name: 'honest', bytes: certificate, password: TEST_PASSWORD, outcome: 'TAKEN' }, false),
      ).toBeNull();
    });
  });

  /** A route that takes a logo, and its answer when the logo is stored or would be. */
  const logoRoutes: readonly {
    readonly name: string;
    readonly post: (image: SentImage) => Promise<Seen>;
    readonly fine: (seen: Seen) => boolean;
  }[] = [
    {
      name: 'PATCH /v1/issuers/:id/logo as a form',
      post: ({ bytes }) => {
        const form = new FormData();
        form.append('logo', new Blob([Uint8Array.from(bytes)]), 'logo.svg');
        return send('PATCH', `/v1/issuers/${tenant.issuerId}/logo`, form);
      },
      fine: ({ status }) => status === 200,
    },
    {
      name: 'PATCH /v1/issuers/:id/logo as JSON',
      post: ({ bytes }) => {
        const body = JSON.stringify({ logo: Buffer.from(bytes).toString('base64') });
        return send('PATCH', `/v1/issuers/${tenant.issuerId}/logo`, body, 'application/json');
      },
      fine: ({ status }) => status === 200,
    },
    {
      name: 'POST /v1/register',
      post: ({ bytes }) => {
        const fields = { ...newAccount(), logo: bytes, cert: certificate, certPassword: 'otra' };
        return send('POST', '/v1/register', formOf(fields));
      },
      // The password is wrong on purpose: the image is accepted, and no account is registered.
      fine: (seen) => seen.text.includes('CERTIFICATE_PASSWORD_INVALID'),
    },
  ];

  describe.each(logoRoutes)('images of $name', ({ name, post, fine }) => {
    const images = sample(IMAGES, name);

    it('rejects invalid images and stores nothing', { timeout: 60_000 }, async () => {
      await expectNothingStored(async () => {
        const found: (string | null)[] = [];
        for (const image of images) {
          if (image.outcome === 'TAKEN') continue;
          // An empty text in JSON is not a file.
          const reason = name.endsWith('JSON') && image.bytes.byteLength === 0 ? 'FILE_REQUIRED' : image.outcome;
          const expected = { status: 400, code: 'INVALID_FILE_UPLOAD', reason };
          const fault = faultOfRefusal(await post(image), expected);
          found.push(fault && `${image.name}: ${fault}`);
        }
        return found;
      });
    });

    it('stores images without their hidden content', { timeout: 60_000 }, async () => {
      for (const image of images) {
        if (image.outcome !== 'TAKEN') continue;
        const seen = await post(image);
        expect(fine(seen), `${image.name}: ${seen.status} ${seen.text}`).toBe(true);
        const logos = await readRows(server, 'issuer_logos', {}, ['image']);
        for (const logo of logos) expect(Buffer.from(logo.image, 'base64').toString('latin1')).not.toMatch(HIDDEN);
      }
      expect(faults).toEqual([]);
    });

    const isMeasured = database === 'SQLite' && (TRIES_ALL || name.endsWith('form'));
    it.runIf(isMeasured)('no image blocks the event loop', { timeout: 120_000 }, async () => {
      for (const image of images) {
        const ms = await longestBlock(() => post(image), LONGEST_BLOCK_MS);
        expect(ms, image.name).toBeLessThan(LONGEST_BLOCK_MS);
      }
    });
  });
});

// --- internal ---

function certificateRefusal(outcome: ContainerOutcome): Expected {
  const isFiner = outcome === 'KEY_UNSUPPORTED' || outcome === 'NOT_YET_VALID';
  if (isFiner) return { status: 400, code: 'CERTIFICATE_INVALID', reason: `CERTIFICATE_${outcome}` };
  return { status: 400, code: `CERTIFICATE_${outcome}` };
}

/** The fields of a registration that does not exist yet. */
function newAccount(): Readonly<Record<string, string>> {
  accounts += 1;
  return {
    email: `archivo${accounts}@ejemplo.ec`,
    ruc: `1792${accounts.toString().padStart(6, '0')}001`,
    businessName: 'Comercial',
    branchCode: '001',
    issuePointCode: '001',
    emissionType: '1',
    requiredAccounting: 'true',
  };
}

function threeDigits(count: number): string {
  return (1 + (count % 999)).toString().padStart(3, '0');
}
