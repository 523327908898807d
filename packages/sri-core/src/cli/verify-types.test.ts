import { beforeAll, describe, expect, it } from 'vitest';
import { DOCUMENT_TYPES, type DocumentTypeCode, documentTypeOf, uncheckedBody } from '../documents/registry.js';
import { signDocument } from '../lifecycle/sign-document.js';
import { createKeySigner, type KeySigner } from '../signing/key-signer.js';
import { signXml } from '../signing/sign-xml.js';
import { SAMPLE_ISSUER } from '../testing/sample-bodies.js';
import { createTestClock } from '../testing/test-clock.js';
import { createTestIdentity } from '../testing/test-p12.js';
import { diagnose } from './diagnosis/diagnose.js';

const clock = createTestClock('2026-11-21T17:00:00Z');
const LATER = new Date('2026-11-21T18:00:00Z');

let signer: KeySigner;
beforeAll(async () => {
  signer = createKeySigner(
    await createTestIdentity({ ruc: SAMPLE_ISSUER.ruc, validFrom: new Date('2026-01-01T00:00:00Z') }),
  );
});

async function signed(code: DocumentTypeCode, example = 0): Promise<string> {
  const body = uncheckedBody(documentTypeOf(code).examples[example]);
  const options = { issuer: SAMPLE_ISSUER, signer, environment: 'production', sequential: 7, clock } as const;
  return (await signDocument(body, options)).signedXml;
}

/** A changed document, signed again as another program would. */
async function resigned(code: DocumentTypeCode, from: RegExp, to: string): Promise<string> {
  const xml = (await signed(code)).replace(/<ds:Signature .*<\/ds:Signature>/s, '');
  const changed = xml.replace(from, to);
  if (changed === xml) throw new Error(`There is no ${from} in ${code}.`);
  return signXml(changed, signer, { signingTime: clock.now() });
}

/** The faults except the authority of the test certificate, which is unknown. */
async function faultsOf(xml: string, day = LATER) {
  const { findings, document } = await diagnose(Buffer.from(xml), LATER, { from: day, to: day });
  return {
    document,
    findings,
    faults: findings.filter(({ verdict, area }) => verdict !== 'ok' && area !== 'certificate'),
  };
}

const EXAMPLES = DOCUMENT_TYPES.flatMap((code) =>
  documentTypeOf(code).examples.map((_, example) => ({ code, example })),
);

describe('verify', () => {
  it.each(EXAMPLES)('finds no fault in example $example of type $code', async ({ code, example }) => {
    const { document, faults } = await faultsOf(await signed(code, example));
    expect(document).toBe(documentTypeOf(code).root);
    expect(faults).toEqual([]);
  });

  it.each(DOCUMENT_TYPES)('explains structure, key and date of type %s in both languages', async (code) => {
    const { info, root } = documentTypeOf(code);
    const cases = [
      {
        sriCode: '35',
        area: 'structure',
        ...(await faultsOf(await resigned(code, new RegExp(`<${info}>`), '$&<otro/>'))),
      },
      {
        sriCode: '58',
        area: 'accessKey',
        ...(await faultsOf(await resigned(code, /<secuencial>\d+/, '<secuencial>000000008'))),
      },
      {
        sriCode: '36',
        area: 'structure',
        ...(await faultsOf(await resigned(code, /(id="comprobante" version=)"[\d.]+"/, '$1"9.0.0"'))),
      },
      { sriCode: '65', area: 'date', ...(await faultsOf(await signed(code), new Date('2027-02-21T00:00:00Z'))) },
    ];
    for (const { sriCode, area, faults } of cases) {
      expect(faults, root).toMatchObject([{ verdict: 'fail', area, sriCode }]);
      expect(faults[0]?.message.es).not.toBe(faults[0]?.message.en);
      expect(faults[0]?.advice?.es).not.toBe('');
    }
  });

  /** A change, and the findings that it leads to: `SRI code verdict`. */
  it.each<{ code: DocumentTypeCode; of: string; from: RegExp; to: string; found: string }>([
    { code: '01', of: 'its total', from: /<importeTotal>[\d.]+/, to: '<importeTotal>1.00', found: '52 fail' },
    {
      code: '01',
      of: "the buyer's check digit",
      from: /(<identificacionComprador>)\d+/,
      to: '$11710034066',
      found: '62 warn',
    },
    { code: '03', of: 'its total', from: /<importeTotal>[\d.]+/, to: '<importeTotal>1.00', found: '52 fail' },
    {
      code: '03',
      of: "the supplier's check digit",
      from: /(<identificacionProveedor>)\d+/,
      to: '$11710034066',
      found: '62 warn',
    },
    { code: '04', of: 'its total', from: /<valorModificacion>[\d.]+/, to: '<valorModificacion>1.00', found: '52 fail' },
    { code: '04', of: 'an unknown type', from: /(<codDocModificado>)\d+/, to: '$199', found: '64 fail' },
    { code: '04', of: 'an unnamed consumer', from: /(<tipoIdentificacionComprador>)\d+/, to: '$107', found: '69 fail' },
    { code: '05', of: 'its total', from: /<valorTotal>[\d.]+/, to: '<valorTotal>1.00', found: '52 fail' },
    { code: '05', of: 'an unknown type', from: /(<codDocModificado>)\d+/, to: '$199', found: '64 fail' },
    { code: '05', of: 'an unnamed consumer', from: /(<tipoIdentificacionComprador>)\d+/, to: '$107', found: '69 fail' },
    {
      code: '05',
      of: 'a refund to a buyer without a cédula',
      from: /(<tipoIdentificacionComprador>)\d+(.*?<\/valor>)/s,
      to: '$108$2<valorDevolucionIva>0.01</valorDevolucionIva>',
      found: '92 fail',
    },
    { code: '06', of: 'an early start', from: /(<fechaIniTransporte>)[\d/]+/, to: '$120/11/2026', found: '82 fail' },
    { code: '06', of: 'an unknown type', from: /(<codDocSustento>)\d+/, to: '$199', found: '64 fail' },
    {
      code: '07',
      of: 'an amount withheld',
      from: /<valorRetenido>[\d.]+/,
      to: '<valorRetenido>9.99',
      found: '52 fail',
    },
    { code: '07', of: 'an unknown type', from: /(<codDocSustento>)\d+/, to: '$199', found: '64 fail' },
    {
      code: '07',
      of: "the subject's check digit",
      from: /(<tipoIdentificacionSujetoRetenido>)\d+(.*?<identificacionSujetoRetenido>)\d+/s,
      to: '$105$21710034066',
      found: '62 warn',
    },
  ])('names a fault in type $code: $of', async ({ code, from, to, found }) => {
    const { faults } = await faultsOf(await resigned(code, from, to));
    expect(faults.map(({ sriCode, verdict }) => `${sriCode} ${verdict}`)).toEqual([found]);
    expect(faults[0]?.message.es).not.toBe(faults[0]?.message.en);
  });

  it('names the referenced document that only the SRI knows', async () => {
    const { findings } = await faultsOf(await signed('04'));
    expect(findings.map(({ message }) => message.es).join('\n')).toContain(
      'Se refiere al 001-001-000000123. Solo el SRI sabe si consta; si no, lo autoriza con una advertencia (68).',
    );
  });
});
