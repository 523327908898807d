import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ecuadorDate } from '../../calendar.js';
import { systemClock } from '../../clock.js';
import { prepareDocument } from '../../documents/prepare.js';
import { uncheckedBody } from '../../documents/registry.js';
import { systemRandom } from '../../random.js';
import { fetchAuthorized } from '../../received/fetch-authorized.js';
import { magicKey } from '../../sri/simulator/magic-keys.js';
import { createSimulator } from '../../sri/simulator/simulator.js';
import { createSriClient } from '../../sri/soap-client.js';
import { runCoreCli } from '../testing/run-core-cli.js';

const sri = createSriClient({ transport: createSimulator().handle, clock: systemClock, random: systemRandom });
const folder = await mkdtemp(join(tmpdir(), 'sri-draft-'));
afterAll(() => rm(folder, { recursive: true }));

async function receive(documentType: string): Promise<string> {
  const key = magicKey({ state: 'authorized', documentType, issueDate: '05/11/2026' });
  const found = await fetchAuthorized(key, { sri });
  if (found.outcome !== 'authorized') throw new Error(found.outcome);
  const path = join(folder, `${key}.xml`);
  await writeFile(path, found.xml);
  return path;
}

const draft = async (path: string, ...options: readonly string[]) =>
  runCoreCli(['withholding', 'draft', path, '--lang', 'es', ...options]);
const REST = ['--email', 'proveedor@example.com', '--support-code', '01'] as const;

describe('withholding draft', () => {
  it('writes a body that can be issued, and names the missing fields', async () => {
    const path = await receive('01');
    const bare = await draft(path);
    expect(bare.code).toBe(0);
    for (const field of ['subject.email', 'supportCode', 'withholdings']) expect(bare.errors).toContain(field);
    const whole = await draft(path, ...REST, '--income', '312:2', '--iva', '1:30');
    expect([whole.code, whole.errors]).toEqual([0, '']);
    const issuer = {
      ruc: '1799999990001',
      businessName: '-',
      branchCode: '001',
      issuePointCode: '001',
      requiredAccounting: false,
    };
    const today = ecuadorDate(new Date('2026-11-21T15:00:00Z'));
    const prepared = prepareDocument(uncheckedBody(JSON.parse(whole.out)), { issuer, today, strict: true });
    expect(prepared).toMatchObject({ documentType: '07' });
  });

  it('accepts a rate with a decimal comma', async () => {
    const { code, out } = await draft(await receive('01'), '--income', '312:1,75', '--json');
    const document = code === 0 && JSON.parse(out).body.supportingDocuments[0];
    expect(document).toMatchObject({ withholdings: [{ code: '312', rate: '1.75' }] });
  });

  it('reads a file in latin-1, as some issuers mail it', async () => {
    const path = await receive('01');
    const xml = (await readFile(path, 'utf8')).replace('UTF-8', 'ISO-8859-1').replace('<razonSocial>', '$&Ñandú ');
    await writeFile(path, xml, 'latin1');
    const { body } = JSON.parse((await draft(path, '--json')).out);
    expect(body.subject.name).toContain('Ñandú ');
  });

  it('refuses other types, other files and any document except a withholding', async () => {
    const note = await draft(await receive('04'), '--json');
    expect([note.code, JSON.parse(note.out)]).toMatchObject([1, { ok: false, code: 'NOT_WITHHOLDABLE' }]);
    await writeFile(join(folder, 'x.xml'), '<x/>');
    expect((await draft(join(folder, 'x.xml'))).code).toBe(1);
    expect((await draft(await receive('01'), '--iva', 'thirty')).code).toBe(2);
  });
});
