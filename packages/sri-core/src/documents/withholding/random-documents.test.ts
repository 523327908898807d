import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAccessKey } from '../../access-key.js';
import { taxRates } from '../../catalogs/tax-rates.js';
import { signCanonicalXml } from '../../signing/xades.js';
import { findSumFaults } from '../../sri/rules/content.js';
import { readSubmissionText } from '../../sri/rules/submission.js';
import { hasSchemas, schemaComplaints } from '../../testing/official-schemas.js';
import { randomOldWithholding, randomWithholding } from '../../testing/random-bodies/withholding.js';
import { RANDOM_TODAY, randomIssuer } from '../../testing/random-bodies.js';
import { createTestSigner } from '../../testing/test-p12.js';
import { hasTool, xmlsecComplaints } from '../../testing/xml-tools.js';
import type { CanonicalXml } from '../../xml/canonical-xml.js';
import { child, children, readXml, type XmlElement } from '../../xml/reader.js';
import type { Issuer } from '../issuer.js';
import { prepareDocument } from '../prepare.js';
import { readComprobante } from '../read-comprobante.js';
import { writeComprobante } from '../write-comprobante.js';
import type { SupportingDocumentBody, WithheldBody, WithholdingBody } from './body.js';

const RUNS = 1_000;
const signingTime = new Date();
const setting = fc.record({
  environment: fc.constantFrom('sandbox' as const, 'production' as const),
  sequential: fc.integer({ min: 1, max: 999_999_999 }),
  numericCode: fc.stringMatching(/^[0-9]{8}$/),
});

describe.each([
  { version: '2.0.0', bodies: randomWithholding, special: 5, published: 'official/ComprobanteRetencion_V2.0.0.xsd' },
  { version: '1.0.0', bodies: randomOldWithholding, special: 13, published: null },
])(`${RUNS} random withholding receipts of schema $version`, ({ version, bodies, special, published }) => {
  const written: { readonly xml: CanonicalXml; readonly issuer: Issuer }[] = [];

  it('say what went in, add up, and read back', () => {
    fc.assert(
      fc.property(bodies, randomIssuer, setting, (body, anyIssuer, numbering) => {
        const issuer = { ...anyIssuer, specialTaxpayer: anyIssuer.specialTaxpayer?.slice(0, special) ?? null };
        const document = prepareDocument(body, { issuer, today: RANDOM_TODAY, requireAmounts: true });
        const { xml, accessKey } = writeComprobante(document, issuer, numbering);
        written.push({ xml, issuer });
        expect(contentOf(readXml(xml))).toEqual(expectedContent(body, issuer));
        expect(document.warnings.map(({ code }) => code).join()).not.toMatch(
          /AMOUNT_MISMATCH|SUM_MISMATCH|TAX_MISMATCH/,
        );
        expect(parseAccessKey(accessKey)).toMatchObject({ ...numbering, documentType: '07', issueDate: '21/11/2026' });
        const submission = readSubmissionText(xml);
        expect('root' in submission && findSumFaults(submission, 'refuses')).toEqual([]);
        const read = readComprobante(xml);
        if (read.documentType !== '07') throw new Error(read.documentType);
        const amounts = read.supportingDocuments.flatMap(({ withholdings }) => withholdings);
        expect(amounts).toHaveLength(body.supportingDocuments.flatMap(({ withholdings }) => withholdings).length);
        expect(amounts.reduce((total, { amount }) => total + cents(amount), 0n)).toBe(cents(document.total));
      }),
      { numRuns: RUNS },
    );
  }, 240_000);

  it.skipIf(!hasSchemas())("are valid by the SRI's schema", () => {
    expect(written.length).toBeGreaterThanOrEqual(RUNS);
    const unsigned = written.map(({ xml }) => xml);
    expect(schemaComplaints(`ComprobanteRetencion_V${version}.xsd`, unsigned)).toBe('');
  });

  it.skipIf(!hasTool('xmlsec1'))(
    'signed with one algorithm and the other in turns, verify with xmlsec1 and are valid as they are',
    async () => {
      const signer = await createTestSigner();
      const signed = await Promise.all(
        written.map(({ xml }, index) => {
          const algorithm = index % 2 === 0 ? 'rsa-sha1' : 'rsa-sha256';
          return signCanonicalXml(xml, signer, { algorithm, signingTime });
        }),
      );
      expect(xmlsecComplaints(signed, signer.certificate.x509.toString(), ['comprobanteRetencion'])).toBe('');
      if (!published || !hasSchemas()) return;
      // The published schema lacks the legend of this group of issuers, which the SRI's own rules prescribe.
      const others = signed.filter((_, index) => written[index]?.issuer.rimpe !== 'POPULAR');
      expect(others.length).toBeGreaterThan(RUNS / 2);
      expect(schemaComplaints(published, others)).toBe('');
    },
    120_000,
  );
});

// --- what the XML says, and what it should say ---

type Content = readonly [name: string, content: string | readonly Content[]];

const text = (value: string) => value.replaceAll(/[\r\n\t]+/g, ' ').trim();
const optional = (value: string | null | undefined) => (value && text(value)) || null;

/** An amount of the body or the XML, in cents. */
function cents(amount: string): bigint {
  const [whole = '', decimals = ''] = amount.split('.');
  return BigInt(whole + decimals.padEnd(2, '0'));
}
const money = (value: bigint) =>
  value
    .toString()
    .padStart(3, '0')
    .replace(/(\d\d)$/, '.$1');
const percentage = (base: string, rate: string) => (cents(base) * cents(rate) + 5_000n) / 10_000n;
const rateText = (rate: string) => (cents(rate) < 10_000n ? money(cents(rate)) : String(cents(rate) / 100n));
const yesNo = (value: boolean | null | undefined) =>
  value === null || value === undefined ? null : value ? 'SI' : 'NO';
const add = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** Names and texts of an element's content, in order. */
function listOf(element: XmlElement | null): readonly Content[] {
  return (element?.children ?? []).map((each) => [each.name, each.children.length > 0 ? listOf(each) : each.text]);
}

function contentOf(root: XmlElement) {
  return {
    info: listOf(child(root, 'infoCompRetencion')),
    list: listOf(child(root, 'docsSustento') ?? child(root, 'impuestos')),
    additional: children(child(root, 'infoAdicional'), 'campoAdicional').map((field) => [
      field.attributes['nombre'],
      field.text,
    ]),
  };
}

/** Pairs with a value. */
function present(pairs: readonly (readonly [string, string | readonly Content[] | null])[]): readonly Content[] {
  return pairs.filter((pair): pair is Content => pair[1] !== null);
}

function expectedContent(body: WithholdingBody, issuer: Issuer) {
  const { subject } = body;
  const isOld = body.version === '1.0.0';
  return {
    info: present([
      ['fechaEmision', '21/11/2026'],
      ['dirEstablecimiento', optional(issuer.branchAddress) ?? optional(issuer.mainAddress) ?? 'S/D'],
      ['contribuyenteEspecial', issuer.specialTaxpayer ?? null],
      ['obligadoContabilidad', issuer.requiredAccounting ? 'SI' : 'NO'],
      ['tipoIdentificacionSujetoRetenido', subject.idType],
      ['tipoSujetoRetenido', isOld ? null : (subject.kind ?? null)],
      ['parteRel', isOld ? null : subject.relatedParty ? 'SI' : 'NO'],
      ['razonSocialSujetoRetenido', text(subject.name)],
      ['identificacionSujetoRetenido', text(subject.id)],
      ['periodoFiscal', body.fiscalPeriod ?? '11/2026'],
    ]),
    list: isOld
      ? body.supportingDocuments.flatMap((document) =>
          document.withholdings.map((withheld) => [
            'impuesto',
            [
              ...expectedAmounts(withheld),
              ['codDocSustento', document.documentType],
              ['numDocSustento', (document.number ?? '').replaceAll('-', '')],
              ['fechaEmisionDocSustento', document.issueDate],
            ],
          ]),
        )
      : body.supportingDocuments.map((document) => ['docSustento', expectedDocument(document)]),
    additional: (body.additionalInfo ?? []).map(({ name, value }) => [text(name), text(value)]),
  };
}

function expectedAmounts({ tax, code, taxableBase, rate, amount }: WithheldBody): readonly Content[] {
  return [
    ['codigo', tax],
    ['codigoRetencion', code],
    ['baseImponible', money(cents(taxableBase))],
    ['porcentajeRetener', rateText(rate)],
    ['valorRetenido', amount ?? money(percentage(taxableBase, rate))],
  ];
}

function expectedDocument(document: SupportingDocumentBody): readonly Content[] {
  const { payment } = document;
  const taxes = document.taxes.map(({ rateCode, taxableBase, rate }) => {
    const percent = rate ?? taxRates.find((row) => row.taxCode === '2' && row.rateCode === rateCode)?.rate ?? '';
    return { rateCode, taxableBase, rate: percent, amount: percentage(taxableBase, percent) };
  });
  const reimbursements = (document.reimbursements ?? []).map((entry) => ({
    entry,
    taxes: entry.taxes.map((tax) => ({ ...tax, amount: percentage(tax.taxableBase, tax.rate) })),
  }));
  const reimbursed = reimbursements.flatMap((entry) => entry.taxes);
  const bases = add(reimbursed.map((tax) => cents(tax.taxableBase)));
  const amounts = add(reimbursed.map((tax) => tax.amount));
  const subtotal = add(taxes.map(({ taxableBase }) => cents(taxableBase)));
  const total = subtotal + add(taxes.map(({ amount }) => amount));
  const sums = reimbursements.length > 0;
  return present([
    ['codSustento', document.supportCode],
    ['codDocSustento', document.documentType],
    ['numDocSustento', (document.number ?? '').replaceAll('-', '')],
    ['fechaEmisionDocSustento', document.issueDate],
    ['fechaRegistroContable', document.registrationDate ?? null],
    ['numAutDocSustento', document.authorizationNumber ?? null],
    ['pagoLocExt', payment?.location ?? '01'],
    ['tipoRegi', payment?.regime ?? null],
    ['paisEfecPago', payment?.country ?? null],
    ['aplicConvDobTrib', yesNo(payment?.treaty)],
    ['pagExtSujRetNorLeg', yesNo(payment?.subjectToWithholding)],
    ['pagoRegFis', yesNo(payment?.taxHaven)],
    ['totalComprobantesReembolso', sums ? money(bases + amounts) : null],
    ['totalBaseImponibleReembolso', sums ? money(bases) : null],
    ['totalImpuestoReembolso', sums ? money(amounts) : null],
    ['totalSinImpuestos', money(subtotal)],
    ['importeTotal', money(total)],
    [
      'impuestosDocSustento',
      taxes.map(
        ({ rateCode, taxableBase, rate, amount }): Content => [
          'impuestoDocSustento',
          [
            ['codImpuestoDocSustento', '2'],
            ['codigoPorcentaje', rateCode],
            ['baseImponible', money(cents(taxableBase))],
            ['tarifa', rateText(rate)],
            ['valorImpuesto', money(amount)],
          ],
        ],
      ),
    ],
    [
      'retenciones',
      document.withholdings.map(
        (withheld): Content => [
          'retencion',
          present([
            ...expectedAmounts(withheld),
            [
              'dividendos',
              withheld.dividend
                ? [
                    ['fechaPagoDiv', withheld.dividend.paymentDate],
                    ['imRentaSoc', money(cents(withheld.dividend.incomeTax))],
                    ['ejerFisUtDiv', withheld.dividend.fiscalYear],
                  ]
                : null,
            ],
            [
              'compraCajBanano',
              withheld.bananas
                ? [
                    ['numCajBan', withheld.bananas.boxes],
                    ['precCajBan', money(cents(withheld.bananas.boxPrice))],
                  ]
                : null,
            ],
          ]),
        ],
      ),
    ],
    [
      'reembolsos',
      sums
        ? reimbursements.map(({ entry, taxes: entryTaxes }): Content => {
            const [branch = '', point = '', sequential = ''] = entry.number.split('-');
            return [
              'reembolsoDetalle',
              present([
                ['tipoIdentificacionProveedorReembolso', entry.supplier.idType],
                ['identificacionProveedorReembolso', text(entry.supplier.id)],
                ['codPaisPagoProveedorReembolso', entry.supplier.country ?? null],
                ['tipoProveedorReembolso', entry.supplier.kind],
                ['codDocReembolso', entry.documentType],
                ['estabDocReembolso', branch],
                ['ptoEmiDocReembolso', point],
                ['secuencialDocReembolso', sequential],
                ['fechaEmisionDocReembolso', entry.issueDate],
                ['numeroAutorizacionDocReemb', entry.authorizationNumber],
                [
                  'detalleImpuestos',
                  entryTaxes.map(
                    (tax): Content => [
                      'detalleImpuesto',
                      [
                        ['codigo', '2'],
                        ['codigoPorcentaje', tax.rateCode],
                        ['tarifa', String(cents(tax.rate) / 100n)],
                        ['baseImponibleReembolso', money(cents(tax.taxableBase))],
                        ['impuestoReembolso', money(tax.amount)],
                      ],
                    ],
                  ),
                ],
              ]),
            ];
          })
        : null,
    ],
    [
      'pagos',
      document.payments.map(
        (pago): Content => [
          'pago',
          [
            ['formaPago', pago.method],
            ['total', pago.total ? money(cents(pago.total)) : money(total)],
          ],
        ],
      ),
    ],
  ]);
}
