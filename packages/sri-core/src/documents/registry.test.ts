import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { documentTypes } from '../catalogs/document-types.js';
import { systemRandom } from '../random.js';
import { layoutRide } from '../ride/layout.js';
import { renderRide } from '../ride/pdf.js';
import { layoutTicket } from '../ride/ticket.js';
import { formatSequential } from '../sequential.js';
import { createKeySigner } from '../signing/key-signer.js';
import { signCanonicalXml } from '../signing/xades.js';
import { createSimulator } from '../sri/simulator/simulator.js';
import { createSriClient } from '../sri/soap-client.js';
import { hasSchemas, schemaComplaints } from '../testing/official-schemas.js';
import { expectSound, pictureOf } from '../testing/ride-picture.js';
import { SAMPLE_ISSUER } from '../testing/sample-bodies.js';
import { createTestClock } from '../testing/test-clock.js';
import { createTestIdentity } from '../testing/test-p12.js';
import { readXml } from '../xml/reader.js';
import { describeFailure } from './describe-rule.js';
import { prepareDocument } from './prepare.js';
import { readComprobante } from './read-comprobante.js';
import { readFigures } from './read-figures.js';
import { DOCUMENT_TYPES, documentTypeOf, isDocumentType } from './registry.js';
import { writeComprobante, writePreview } from './write-comprobante.js';

/** The files of every type's folder. */
const FILES = ['body', 'examples', 'index', 'prepare', 'ride', 'sri-checks', 'structure', 'texts', 'xml'];
const TODAY = '2026-11-21';
const here = new URL('./', import.meta.url);
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'parts')
  .map(({ name }) => name);
const types = DOCUMENT_TYPES.map((code) => ({ code, type: documentTypeOf(code) }));
const examples = types.flatMap(({ code, type }) => type.examples.map((body, index) => ({ code, index, type, body })));
const DOCS = '../../../../docs/';
/** The expected documents and RIDEs of the examples. */
const GOLDEN = fileURLToPath(new URL('../../fixtures/examples/', import.meta.url));
const hasOfficialSchemas = hasSchemas();
const identity = await createTestIdentity({ ruc: SAMPLE_ISSUER.ruc, validFrom: new Date('2026-01-01T00:00:00Z') });
const signer = createKeySigner(identity);
const clock = createTestClock(`${TODAY}T17:00:00Z`);

/** The folder of a type: the one whose index names its code. */
function folderOf(code: string): string {
  const found = folders.find((folder) =>
    readFileSync(new URL(`${folder}/index.ts`, here), 'utf8').includes(`code: '${code}'`),
  );
  return found ?? expect.fail(`No folder has the type ${code}.`);
}

describe('the registry', () => {
  it('the registry has one folder for each type', () => {
    expect(folders).toHaveLength(DOCUMENT_TYPES.length);
    expect(isDocumentType('00')).toBe(false);
    expect(isDocumentType('toString')).toBe(false);
  });

  it.each(folders)('each folder of a type has the same files: %s', (folder) => {
    const files = readdirSync(new URL(`${folder}/`, here)).filter((name) => !name.endsWith('.test.ts'));
    expect(files).toEqual(expect.arrayContaining(FILES.map((name) => `${name}.ts`)));
  });

  it('each rule has its text in one type only', () => {
    const rules = types.flatMap(({ type }) => Object.keys(type.texts.rules));
    expect(rules).toEqual([...new Set(rules)]);
  });

  it('no type and no part imports the registry, and no type imports another', () => {
    for (const folder of ['parts', ...folders]) {
      for (const file of readdirSync(new URL(`${folder}/`, here)).filter((name) => !name.endsWith('.test.ts'))) {
        const source = readFileSync(new URL(`${folder}/${file}`, here), 'utf8');
        const imported = [...source.matchAll(/from '\.\.\/([a-z-]+)[/.]/g)].map(([, name]) => name);
        const foreign = ['registry', ...folders].filter((name) => name !== folder);
        expect(
          imported.filter((name) => foreign.includes(String(name))),
          `${folder}/${file}`,
        ).toEqual([]);
      }
    }
  });
});

describe.each(types)('the type $code', ({ code, type }) => {
  it('a type has a name in both languages, matching the catalog', () => {
    expect(type.code).toBe(code);
    expect(documentTypes.find((row) => row.code === code)?.description).toEqual(type.texts.name);
    expect(type.texts.sriName).not.toBe('');
  });

  it('a type has a text in both languages for each of its rules', () => {
    for (const [rule, text] of Object.entries(type.texts.rules)) {
      expect(text.es, rule).not.toBe('');
      expect(text.en, rule).not.toBe(text.es);
      const params = Object.fromEntries([...text.es.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '1.00']));
      expect(describeFailure({ rule, params }, 'es')).toBe(text.es.replaceAll(/\{\w+\}/g, '1.00'));
    }
  });

  it.each(['en', 'es'])('a type has a page in docs/%s whose title names its code', (language) => {
    const page = readFileSync(new URL(`${DOCS}${language}/${folderOf(code)}.md`, import.meta.url), 'utf8');
    expect(page.split('\n')[0]).toMatch(new RegExp(`^# .+ \\(${code}\\)$`));
  });

  it.each([
    { readme: 'README.md', language: 'en' },
    { readme: 'README.es.md', language: 'es' },
  ])('a type has a line in $readme that leads to its page', ({ readme, language }) => {
    const text = readFileSync(new URL(`../../../../${readme}`, import.meta.url), 'utf8');
    expect(text).toMatch(new RegExp(`^\\| \`${code}\` \\|.+\\(docs/${language}/${folderOf(code)}\\.md\\) \\|$`, 'm'));
  });

  it('a type has an example, and a schema with required sums', () => {
    expect(type.examples.length).toBeGreaterThan(0);
    expect(type.body.name).toMatch(/^[A-Z][A-Za-z]+Input$/);
    expect(type.body.withSums['properties'].documentType.enum).toEqual([code]);
    expect(Object.keys(type.body.optionalSums['properties'])).toEqual(Object.keys(type.body.withSums['properties']));
  });
});

describe.each(examples)('example $index of type $code', ({ code, index, type, body }) => {
  const golden = `${GOLDEN}${folderOf(code)}-${index}`;
  const prepared = prepareDocument(body, { issuer: SAMPLE_ISSUER, today: TODAY, requireAmounts: true });
  const numbering = { environment: 'production', sequential: 7, numericCode: '12345678' } as const;
  const { xml, accessKey } = writeComprobante(prepared, SAMPLE_ISSUER, numbering);
  const summary = type.summary(prepared);
  const schema = type.schema(prepared);

  it('an example prepares without warnings', () => {
    expect(prepared).toMatchObject({ documentType: code, warnings: [] });
  });

  // Refreshed by `npm test -- -u`; a person reads the difference.
  it('the XML of an example equals its golden file', async () => {
    await expect(xml).toMatchFileSnapshot(`${golden}.xml`);
  });

  it.skipIf(!hasOfficialSchemas)("the XML of an example matches the SRI's schema", () => {
    const preview = writePreview(prepared, SAMPLE_ISSUER, numbering.environment);
    expect(schemaComplaints(schema, [xml, preview.xml])).toBe('');
  });

  it('an example reads back as written', () => {
    const read = readComprobante(xml);
    expect(read).toMatchObject({
      documentType: code,
      accessKey,
      version: schema.replace(/^.*_V|\.xsd$/g, ''),
      sequential: formatSequential(numbering.sequential),
      issueDate: '21/11/2026',
      environment: numbering.environment,
      issuer: { ruc: SAMPLE_ISSUER.ruc },
      additionalInfo: prepared.additionalInfo,
    });
    expect(type.counterpartyId(readXml(xml))).toBe(summary.counterparty.id);
    expect(JSON.stringify(read)).toContain(JSON.stringify(summary.counterparty.name));
    expect(JSON.stringify(read)).toContain(summary.modifies?.number ?? code);
  });

  it('the simulator authorizes a signed example', async () => {
    const signedXml = await signCanonicalXml(xml, signer, { signingTime: clock.now() });
    const simulator = createSimulator({ clock });
    const client = createSriClient({ transport: simulator.handle, clock, random: systemRandom });
    const { environment } = numbering;
    expect(await client.submit(environment, accessKey, signedXml)).toMatchObject({ status: 'RECIBIDA' });
    const answer = await client.authorization(environment, accessKey);
    expect(answer).toMatchObject({ outcome: 'authorized', comprobante: signedXml });
  });

  it('an example prints as in its picture, with no text over another', async () => {
    const document = readComprobante(xml);
    const authorization = { number: accessKey, date: '2026-11-21T12:00:00-05:00' };
    const pages = layoutRide({ document, authorization, voided: false, logo: null });
    expectSound(pages);
    await expect(pictureOf(pages)).toMatchFileSnapshot(`${golden}.svg`);
  });

  it.skipIf(type.ticket === false)(
    'an example prints as a ticket as in its picture, with no text over another',
    async () => {
      const document = readComprobante(xml);
      const authorization = { number: accessKey, date: '2026-11-21T12:00:00-05:00' };
      const pages = layoutTicket({ document, authorization, voided: false, logo: null });
      expectSound(pages, 11);
      await expect(pictureOf(pages)).toMatchFileSnapshot(`${golden}-ticket.svg`);
    },
  );

  it('an example prints as a RIDE that names type, number and counterparty', async () => {
    const pdf = await renderRide({ xml, authorization: { number: accessKey, date: '2026-11-21T12:00:00-05:00' } });
    expect(Buffer.from(pdf.subarray(0, 5)).toString('latin1')).toBe('%PDF-');
    const { blocks, sums } = type.ride(readComprobante(xml));
    expect(JSON.stringify(blocks)).toContain(JSON.stringify(summary.counterparty.name));
    const strong = sums.filter((row) => row.strong).map(({ amount }) => amount);
    expect(strong).toEqual(sums.length === 0 ? [] : [summary.total]);
  });

  it.each(['', 'constructor', '__proto__'])(
    'an example reads and prints with «%s» in place of every text',
    async (text) => {
      const strange = xml.replaceAll(/>[^<]+<\//g, `>${text}</`);
      expect(readFigures(strange)).toMatchObject({ tip: '0.00' });
      expect(Buffer.from(await renderRide({ xml: strange })).toString('latin1', 0, 5)).toBe('%PDF-');
    },
  );
});
