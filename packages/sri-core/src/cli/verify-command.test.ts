import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ecuadorDate, toIssueDate } from '../calendar.js';
import type { InvoiceBody } from '../documents/invoice/body.js';
import type { ItemBody } from '../documents/parts/bodies.js';
import { signDocument } from '../lifecycle/sign-document.js';
import { createKeySigner, type KeySigner } from '../signing/key-signer.js';
import { signXml } from '../signing/sign-xml.js';
import { type AuthorizationFile, writeAuthorization } from '../sri/authorization-file.js';
import { resign } from '../testing/resign.js';
import { createTestClock } from '../testing/test-clock.js';
import { createTestIdentity, createTestSigner } from '../testing/test-p12.js';
import { runCoreCli } from './testing/run-core-cli.js';

const RUC = '1799999990001';
const ISSUER = {
  ruc: RUC,
  businessName: 'Ñandú & Hijos',
  mainAddress: 'Quito',
  branchCode: '001',
  issuePointCode: '001',
  requiredAccounting: false,
};
const BODY: InvoiceBody & { readonly items: readonly [ItemBody] } = {
  documentType: '01',
  buyer: { idType: '05', id: '1710034065', name: 'María José', email: 'maria@example.com' },
  items: [
    {
      mainCode: 'A',
      description: 'Café de Loja',
      quantity: '2',
      unitPrice: '7.25',
      taxes: [{ code: '2', rateCode: '4', rate: '15' }],
    },
  ],
  payments: [{ method: '01' }],
};
const DAY_MS = 86_400_000;

const identity = createTestIdentity({ ruc: RUC });
let folder: string;
let signer: KeySigner;
let xml: string;
let accessKey: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sri-verify-'));
  signer = createKeySigner(await identity);
  ({ signedXml: xml, accessKey } = await signDocument(BODY, {
    issuer: ISSUER,
    signer,
    environment: 'sandbox',
    sequential: 1,
  }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Report {
  readonly ok: boolean;
  readonly findings: readonly {
    readonly area: string;
    readonly verdict: string;
    readonly sriCode: string | null;
    readonly message: Record<'es' | 'en', string>;
    readonly advice: Record<'es' | 'en', string> | null;
  }[];
}

async function verify(content: string | Uint8Array, ...options: readonly string[]) {
  const path = join(folder, 'file.xml');
  await writeFile(path, content);
  const { code, out } = await runCoreCli(['verify', path, '--json', ...options]);
  const report = JSON.parse(out) as Report;
  expect(code).toBe(report.ok ? 0 : 1);
  const plain = await runCoreCli(['verify', path, '--lang', 'es', ...options]);
  expect(plain.code).toBe(code);
  expect(plain.out).toMatch(
    report.ok
      ? /marcado con «!» puede|ya lo autorizó/
      : /El SRI lo rechazaría|lo contradice|No se revisó ningún comprobante/,
  );
  return { ...report, failed: report.findings.filter(({ verdict }) => verdict === 'fail'), text: plain.out };
}

const swap = (from: string | RegExp, to: string) => {
  const changed = xml.replace(from, to);
  if (changed === xml) throw new Error(`nothing to replace: ${from}`);
  return changed;
};
/** The document as the SRI hands it out. */
function authorized(comprobante: string, more: Partial<AuthorizationFile> = {}): string {
  const date = '2026-11-21T10:00:00-05:00';
  return writeAuthorization({ number: accessKey, date, environment: 'sandbox', messages: null, comprobante, ...more });
}

/** Changes a document and signs it again, as a program with wrong sums or a wrong key would. */
const resigned = async (from: string | RegExp, to: string) =>
  signXml(swap(from, to).replace(/<ds:Signature .*<\/ds:Signature>/s, ''), signer, { signingTime: new Date() });

describe('ride', () => {
  it('`ride` prints a ticket of 80 mm, and refuses another paper', async () => {
    const path = join(folder, 'ticket.xml');
    await writeFile(path, xml);
    const print = (format: string) => runCoreCli(['ride', path, '--force', '--format', format, '--lang', 'es']);
    expect(await print('ticket')).toMatchObject({ code: 0 });
    // 640 dots of an eighth of a millimetre.
    expect(await readFile(join(folder, 'ticket.pdf'), 'latin1')).toContain('/MediaBox [0 0 226.77');
    expect(await print('A5')).toMatchObject({ code: 2, errors: expect.stringContaining('a4 o ticket') });
  });

  it('`ride` warns when the printed content is not the signed content', async () => {
    const print = async (content: string, language: string) => {
      const path = join(folder, 'print.xml');
      await writeFile(path, content);
      return runCoreCli(['ride', path, '--force', '--lang', language]);
    };
    const changed = swap('Hijos', 'Hijas');
    expect(await print(changed, 'es')).toMatchObject({ code: 0, errors: expect.stringContaining('no es válida') });
    expect(await print(changed, 'en')).toMatchObject({ code: 0, errors: expect.stringContaining('is not valid') });
    expect(await print(xml, 'es')).toMatchObject({ code: 0, errors: '' });
    const unprefixed = changed
      .replaceAll(/(<\/?)ds:/g, '$1')
      .replace('<Signature ', '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#" ');
    expect(await print(unprefixed, 'es')).toMatchObject({ code: 0, errors: expect.stringContaining('no es válida') });
    const draft = swap(/<ds:Signature .*<\/ds:Signature>/s, '');
    expect(await print(draft, 'es')).toMatchObject({ code: 0, errors: '' });
  });
});

describe('verify', () => {
  it("finds no fault in a signature of this library, and warns of the certificate's unknown authority", async () => {
    const { ok, findings, text } = await verify(xml);
    expect(ok).toBe(true);
    expect(findings.filter(({ verdict }) => verdict === 'warn').map(({ area }) => area)).toEqual(['certificate']);
    expect(text).toContain('cadena de confianza');
    expect(text).toContain('Si no es una entidad acreditada, el SRI lo rechaza. [posible: SRI 39, FIRMA INVÁLIDA]');
    expect(text).not.toContain('Nada de lo que aquí');
    const english = await runCoreCli(['verify', join(folder, 'file.xml'), '--lang', 'en']);
    expect(english.out).toContain('[possible: SRI 39');
    expect(english.out).toContain('what is marked «!» may have it refused');
  });

  it('warns of a tax that is rounded line by line, with both figures', async () => {
    const tax = { code: '2', rateCode: '4', rate: '15', taxableBase: '0.90', taxAmount: '0.14' } as const;
    const line = { mainCode: 'A', description: 'Chicle', quantity: '1', unitPrice: '0.90', taxes: [tax] };
    const body = { ...BODY, items: Array.from({ length: 100 }, () => line) };
    const rounded = await signDocument(body, { issuer: ISSUER, signer, environment: 'sandbox', sequential: 1 });
    const { ok, findings, text } = await verify(rounded.signedXml);
    expect(ok).toBe(true);
    const [reported] = findings.filter(({ area }) => area === 'sums');
    expect(reported).toMatchObject({ verdict: 'warn', sriCode: '52' });
    expect(reported?.message.es).toMatch(/14\.00.*13\.50/);
    expect(reported?.message.en).toMatch(/14\.00.*13\.50/);
    expect(text).toContain('línea por línea');
  });

  it("reads the SRI's answer, whatever its age", async () => {
    const authorization = authorized(xml);
    const elements = xml.slice(xml.indexOf('<factura'));
    const later = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10);
    for (const answer of [
      authorization,
      authorization.replace('<autorizacion>', '<autorizacion xmlns="http://ec.gob.sri.ws.autorizacion">'),
      `<autorizacion><estado>AUTORIZADO</estado><comprobante>${elements}</comprobante></autorizacion>`,
      `\uFEFF${authorization}`,
      authorized(xml, {
        messages: [{ identifier: '60', message: 'PRUEBAS', type: 'INFORMATIVO', additionalInfo: null }],
      }),
    ]) {
      const { ok, text } = await verify(answer, '--at', later);
      expect([ok, text.includes('AUTORIZADO')]).toEqual([true, true]);
    }
    const forged = await verify(authorization.replace('Hijos', 'Hijas'));
    expect([forged.ok, forged.text.includes('El SRI lo rechazaría')]).toEqual([false, false]);
    expect(forged.text).toContain('lo marcado con «✗» lo contradice');
    const key = `${accessKey.slice(0, 48)}${(Number(accessKey[48]) + 1) % 10}`;
    const comprobante = resign(swap(`>${accessKey}<`, `>${key}<`), (await identity).privateKey);
    expect((await verify(authorized(comprobante))).failed).toMatchObject([{ area: 'accessKey' }]);
  });

  it.each([
    {
      name: 'an element of an older schema',
      edit: () => swap('</dirMatriz>', '</dirMatriz><regimenMicroempresas>X</regimenMicroempresas>'),
      area: 'structure',
      code: '35',
    },
    {
      name: 'a sum that is checked since',
      edit: () => swap(/<totalSinImpuestos>[^<]*/, '<totalSinImpuestos>0.01'),
      area: 'sums',
      code: '52',
    },
  ])('does not say that the SRI would refuse what it authorized: $name', async ({ edit, area, code }) => {
    const comprobante = resign(edit(), (await identity).privateKey);
    expect((await verify(comprobante)).failed).toMatchObject([{ area, sriCode: code }]);
    const old = { date: '2021-06-21T10:00:00-05:00' };
    const { ok, findings, text } = await verify(authorized(comprobante, old));
    expect(ok).toBe(true);
    expect(findings).toContainEqual(expect.objectContaining({ area, verdict: 'warn', sriCode: code }));
    expect(text).toContain('las reglas de ese día lo admitían');
  });

  it("prints the SRI's messages next to its own findings", async () => {
    const soap = (inner: string) => `<soap:Envelope xmlns:soap="x"><soap:Body>${inner}</soap:Body></soap:Envelope>`;
    const message =
      '<mensajes><mensaje><identificador>39</identificador><mensaje>FIRMA INVALIDA</mensaje><tipo>ERROR</tipo></mensaje></mensajes>';
    const refused = `<autorizacion><estado>NO AUTORIZADO</estado><comprobante><![CDATA[${xml}]]></comprobante>${message}</autorizacion>`;
    const { failed, findings } = await verify(soap(refused));
    expect(failed).toMatchObject([
      { area: 'file', sriCode: null },
      { area: 'file', sriCode: '39' },
    ]);
    const silent = await verify(soap(refused.replace(message, '<mensajes/>')));
    expect([silent.ok, silent.failed.length]).toEqual([false, 1]);
    expect(findings).toContainEqual(expect.objectContaining({ area: 'signature', verdict: 'ok' }));
    const bare = await verify(soap(message));
    expect(bare.failed.map(({ sriCode }) => sriCode)).toEqual([null, '39']);
    const chain = '<informacionAdicional>La validacion de la cadena de confianza ha fallado</informacionAdicional>';
    const detailed = await verify(soap(message.replace('<tipo>', `${chain}<tipo>`)));
    expect(detailed.text).toContain('La validacion de la cadena de confianza ha fallado [SRI 39');
    expect(detailed.text).toContain('Suba un certificado de una entidad acreditada');
    expect(detailed.text).toContain('No se revisó ningún comprobante');
  });

  it.each([
    { name: 'pretty print', edit: () => swap(/></g, '>\n  <'), reported: 'pretty print' },
    {
      name: 'an amount edited after signing',
      edit: () => swap('16.68</importeTotal>', '16.69</importeTotal>'),
      reported: 'cambió después de firmarse',
    },
    { name: 'a name edited after signing', edit: () => swap('Hijos', 'Hijas'), reported: '#comprobante' },
    { name: 'no signature', edit: () => swap(/<ds:Signature .*<\/ds:Signature>/s, ''), reported: 'no está firmado' },
    {
      name: 'two signatures',
      edit: () => swap(/(<ds:Signature .*<\/ds:Signature>)/s, '$1$1'),
      reported: 'más de una firma',
    },
    {
      name: 'a value of the signature damaged',
      edit: () => swap(/(<ds:SignatureValue[^>]*>)\s*..../, '$1AAAA'),
      reported: 'clave privada',
    },
    {
      name: 'another canonicalization',
      edit: () => swap('http://www.w3.org/TR/2001/REC-xml-c14n-20010315', 'http://www.w3.org/2006/12/xml-c14n11'),
      reported: 'C14N',
    },
    { name: 'a byte order mark', edit: () => `\uFEFF${xml}`, area: 'file', code: '35', reported: 'BOM' },
    { name: 'cut off', edit: () => xml.slice(0, -40), code: '35', reported: 'bien formado' },
    {
      name: 'a DOCTYPE',
      edit: () => xml.replace('<factura', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><factura'),
      code: '35',
      reported: 'DOCTYPE',
    },
  ])('explains $name', async ({ edit, area = 'signature', code = '39', reported }) => {
    const { ok, failed, text } = await verify(edit());
    expect(ok).toBe(false);
    expect(failed).toContainEqual(expect.objectContaining({ area, sriCode: code }));
    expect(failed.filter(({ sriCode }) => sriCode === '35').length).toBeLessThan(2);
    expect(text).toContain(reported);
    expect(text).not.toContain('root:');
  });

  it('explains a file in another encoding', async () => {
    const { failed, text } = await verify(Buffer.from(xml, 'latin1'));
    expect(failed[0]).toMatchObject({ area: 'file', sriCode: '35' });
    expect(text).toContain('UTF-8');
  });

  it.each([
    {
      name: 'sums that do not add up',
      edit: () => resigned('16.68</importeTotal>', '17.68</importeTotal>'),
      area: 'sums',
      code: '52',
      reported: 'no cuadran',
    },
    {
      name: 'a wrong check digit, with the right digit',
      edit: () => resigned(/\d<\/claveAcceso>/, `${(Number(accessKey[48]) + 1) % 10}</claveAcceso>`),
      area: 'accessKey',
      code: '58',
      reported: 'debe ser {digit}',
    },
    {
      name: 'a short key',
      edit: () => resigned(/\d\d<\/claveAcceso>/, '</claveAcceso>'),
      area: 'accessKey',
      code: '58',
      reported: '47 caracteres',
    },
    {
      name: 'a key that says something else',
      edit: () => resigned('<secuencial>000000001', '<secuencial>000000002'),
      area: 'accessKey',
      code: '58',
      reported: 'secuencial',
    },
    {
      name: 'another taxpayer’s certificate',
      edit: () => resigned(`<ruc>${RUC}`, '<ruc>1760013210001'),
      area: 'certificate',
      code: '39',
      reported: 'otro contribuyente',
    },
    {
      name: 'a fault of the schema',
      edit: () => resigned('<moneda>DOLAR</moneda>', '<moneda>DOLAR</moneda><monedas/>'),
      area: 'structure',
      code: '35',
      reported: 'monedas',
    },
  ])('explains $name, with a valid signature', async ({ edit, area, code, reported }) => {
    const { failed, findings, text } = await verify(await edit());
    expect(failed.filter(({ sriCode }) => sriCode === code)).toMatchObject([{ area }]);
    expect(findings).toContainEqual(expect.objectContaining({ area: 'signature', verdict: 'ok' }));
    expect(text).toContain(reported.replace('{digit}', accessKey[48] ?? ''));
  });

  it('checks a delivery guide, whose date is in its key only, and which has no sums', async () => {
    const today = toIssueDate(ecuadorDate(new Date()));
    const { signedXml } = await signDocument(
      {
        documentType: '06',
        carrier: { idType: '05', id: '1710034065', name: 'José Peña' },
        licensePlate: 'PBA1234',
        departureAddress: 'Cuenca',
        startDate: today,
        endDate: today,
        recipients: [
          { id: '1', name: 'Ana', address: 'Quito', reason: 'Venta', items: [{ description: 'Café', quantity: '1' }] },
        ],
      },
      { issuer: ISSUER, signer, environment: 'sandbox', sequential: 1 },
    );
    const { failed, findings, text } = await verify(signedXml);
    expect(failed).toEqual([]);
    expect(findings.map(({ area }) => area)).not.toContain('sums');
    expect(text).toContain(`Fecha de emisión: ${today}.`);
    const early = signedXml.replace(/(<fechaIniTransporte>)[^<]*/, '$101/01/2026');
    const wrong = await verify(
      await signXml(early.replace(/<ds:Signature .*<\/ds:Signature>/s, ''), signer, { signingTime: new Date() }),
    );
    expect(wrong.failed).toMatchObject([{ area: 'content', sriCode: '82' }]);
  });

  it('explains a certificate that was expired at signing, and a certificate that expired later', async () => {
    const validFrom = new Date(Date.now() - 60 * DAY_MS);
    const validTo = new Date(Date.now() - 30 * DAY_MS);
    const expired = await createTestSigner({ ruc: RUC, validFrom, validTo });
    const bare = xml.replace(/<ds:Signature .*<\/ds:Signature>/s, '');
    const late = await verify(await signXml(bare, expired, { signingTime: new Date() }));
    expect(late.failed).toContainEqual(expect.objectContaining({ area: 'signature', sriCode: '39' }));
    expect(late.text).toContain('no estaba vigente');
    const clock = createTestClock(new Date(validTo.getTime() - DAY_MS).toISOString());
    const input = { issuer: ISSUER, signer: expired, environment: 'sandbox', sequential: 3, clock } as const;
    const inTime = await verify((await signDocument(BODY, input)).signedXml);
    expect(inTime.failed).toEqual([]);
    expect(inTime.text).toMatch(/venció .*\[posible: SRI 42\]/);
  });

  it('accepts a signature with SHA-256', async () => {
    const bare = xml.replace(/<ds:Signature .*<\/ds:Signature>/s, '');
    const { ok, text } = await verify(
      await signXml(bare, signer, { signingTime: new Date(), algorithm: 'rsa-sha256' }),
    );
    expect([ok, text.includes('RSA-SHA256')]).toEqual([true, true]);
  });

  it('checks the date against the given day', async () => {
    const { failed } = await verify(xml, '--at', '2027-12-31');
    expect(failed).toContainEqual(expect.objectContaining({ area: 'date', sriCode: '65' }));
  });

  it('checks the date against the whole given day', async () => {
    const bare = xml.replace(/<ds:Signature .*<\/ds:Signature>/s, '');
    const day = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10);
    const late = await signXml(bare, signer, { signingTime: new Date(`${day}T23:59:59-05:00`) });
    expect((await verify(late, '--at', day)).failed).toEqual([]);
    const validTo = new Date(`${day}T10:00:00-05:00`);
    const ending = await createTestSigner({ ruc: RUC, validFrom: new Date(validTo.getTime() - 9 * DAY_MS), validTo });
    const last = await signXml(bare, ending, { signingTime: new Date(`${day}T09:00:00-05:00`) });
    const { text, failed } = await verify(last, '--at', day);
    expect([failed, text.includes('venció')]).toEqual([[], false]);
  });

  it('prints the days of a certificate in Ecuador', async () => {
    const [validFrom, validTo] = [new Date('2026-01-01T03:00:00Z'), new Date('2036-01-01T03:00:00Z')];
    const evening = await createTestSigner({ ruc: RUC, validFrom, validTo });
    const bare = xml.replace(/<ds:Signature .*<\/ds:Signature>/s, '');
    const { text } = await verify(await signXml(bare, evening, { signingTime: new Date() }));
    expect(text).toContain('Rige del 2025-12-31 al 2035-12-31');
  });

  it('checks the date against the signature when no day is given', async () => {
    const long = await createTestSigner({ ruc: RUC, validFrom: new Date('2025-01-01T00:00:00Z') });
    const input = { issuer: ISSUER, signer: long, environment: 'sandbox', sequential: 7 } as const;
    const clock = createTestClock('2025-03-02T04:30:00Z');
    const old = await signDocument(BODY, { ...input, clock });
    expect((await verify(old.signedXml)).failed).toEqual([]);
    expect((await verify(old.signedXml, '--at', '2025-05-30')).failed).toEqual([]);
    expect((await verify(old.signedXml, '--at', '2025-05-31')).failed).toMatchObject([{ area: 'date', sriCode: '65' }]);
    expect((await verify(old.signedXml, '--at', '2025-02-28')).failed.map(({ area }) => area)).toEqual([
      'date',
      'signature',
    ]);
    // Signed on the day before the issue date, and in the future.
    const bare = old.signedXml.replace(/<ds:Signature .*<\/ds:Signature>/s, '');
    const early = await signXml(bare, long, { signingTime: new Date('2025-03-01T04:59:59Z') });
    expect((await verify(early)).failed).toMatchObject([{ area: 'date', sriCode: '65' }]);
    const ahead = await signXml(bare, long, { signingTime: new Date(Date.now() + DAY_MS) });
    expect((await verify(ahead)).failed.map(({ area }) => area)).toEqual(['date', 'signature']);
  });

  it.each([
    { name: 'blanks around an amount', from: '>16.68</importeTotal>', to: '> 16.68\n</importeTotal>' },
    {
      name: 'a schema hint',
      from: '<factura ',
      to: '<factura xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b" ',
    },
  ])('accepts what the SRI accepts: $name', async ({ from, to }) => {
    expect((await verify(await resigned(from, to))).failed).toEqual([]);
  });

  it.each([
    { encoding: 'ISO-8859-1', code: '39' },
    { encoding: 'windows-1252', code: '39' },
    { encoding: 'UTF-16', code: '35' },
    { encoding: 'EBCDIC-CP-ES', code: '35' },
  ])('rejects a UTF-8 file that declares $encoding', async ({ encoding, code }) => {
    const { failed } = await verify(swap('encoding="UTF-8"', `encoding="${encoding}"`));
    expect(failed).toMatchObject([{ area: 'file', sriCode: code, message: { en: expect.stringContaining(encoding) } }]);
    const plain = await signDocument(
      { ...BODY, buyer: { ...BODY.buyer, name: 'Maria' }, items: [{ ...BODY.items[0], description: 'Te' }] },
      { issuer: { ...ISSUER, businessName: 'N' }, signer, environment: 'sandbox', sequential: 2 },
    );
    const ascii = plain.signedXml.replace(/[^\0-\x7f]/g, '').replace('UTF-8', encoding);
    const ofAscii = (await verify(ascii)).findings.filter(({ area }) => area === 'file');
    expect(ofAscii.map(({ verdict }) => verdict)).toEqual([code === '39' ? 'warn' : 'fail']);
  });

  it('ignores the declared encoding of a file inside an authorization', async () => {
    const comprobante = swap('encoding="UTF-8"', 'encoding="ISO-8859-1"');
    expect((await verify(authorized(comprobante))).failed).toEqual([]);
  });

  it('warns of files that the SRI has both authorized and refused', async () => {
    const { issuerName } = signer.certificate;
    const reversed = issuerName
      .split(/(?<!\\),/)
      .toReversed()
      .join(',');
    const path = join(folder, 'doubt.xml');
    const content = resign(swap(issuerName, reversed), (await identity).privateKey);
    await writeFile(path, content);
    const { failed, findings, text } = await verify(content);
    expect(failed).toEqual([]);
    expect(findings).toContainEqual(expect.objectContaining({ area: 'signature', verdict: 'warn', sriCode: '39' }));
    expect(text).toContain('sus partes en otro orden');
    const zoneless = resign(swap(/(:SigningTime>[^<]{19})[^<]*/, '$1'), (await identity).privateKey);
    expect((await verify(zoneless)).findings.filter(({ area }) => area === 'signature')).toMatchObject([
      { verdict: 'ok' },
      { verdict: 'warn' },
    ]);
    expect(await runCoreCli(['ride', path, '--lang', 'es'])).toMatchObject({ code: 0, errors: '' });
  });

  it.each([
    ['a PDF', '%PDF-1.7', 'RIDE'],
    ['a ZIP', 'PK\u0003\u0004', 'ZIP'],
    ['a P12', Buffer.from([0x30, 0x82, 1, 1]), 'cert inspect'],
    ['UTF-16', Buffer.from([0xff, 0xfe, 60, 0]), 'UTF-16'],
    ['UTF-16 of the other order', Buffer.from([0xfe, 0xff, 0, 60]), 'UTF-16'],
    ['bytes', Buffer.from([60, 0, 1, 2]), 'texto'],
    ['HTML', '<html><body>404</body></html>', 'raíz'],
    ['an authorization without a comprobante', '<autorizacion><estado>X</estado></autorizacion>', 'autorización'],
  ])('reports that the file is %s', async (_name, content, reported) => {
    const { ok, text } = await verify(content);
    expect(ok).toBe(false);
    expect(text).toContain(reported);
  });

  it('reports a text behind a hundred thousand blanks in little time', async () => {
    const began = performance.now();
    expect((await verify(`${' '.repeat(100_000)}x`)).ok).toBe(false);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('prints no control characters of a document to the terminal', async () => {
    const { text } = await verify(await resigned('María José', '\u202eMaría'));
    expect(text).not.toMatch(/[\u001b\u202e]/);
  });
});
