import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAccessKey } from '../../access-key.js';
import { taxRates } from '../../catalogs/tax-rates.js';
import { findSumFaults } from '../../sri/rules/content.js';
import { submissionOf } from '../../testing/judged-bodies.js';
import { randomOldWithholding, randomWithholding } from '../../testing/random-bodies/withholding.js';
import { RANDOM_TODAY, randomIssuer, randomNumbering } from '../../testing/random-bodies.js';
import { judgeRandomDocuments } from '../../testing/random-documents.js';
import { fromCents, optional, toCents, written } from '../../testing/second-calculation.js';
import { child, children, readXml, type XmlElement } from '../../xml/reader.js';
import type { Issuer } from '../issuer.js';
import { prepareDocument } from '../prepare.js';
import { readComprobante } from '../read-comprobante.js';
import { writeComprobante } from '../write-comprobante.js';
import type { SupportingDocumentBody, WithheldBody, WithholdingBody } from './body.js';

const RUNS = 1_000;

describe.each([
  { version: '2.0.0', body: randomWithholding, special: 5 },
  { version: '1.0.0', body: randomOldWithholding, special: 13 },
])('schema $version', ({ version, body: bodies, special }) => {
  // Schema 2.0.0 takes fewer characters than every other.
  const issuers = randomIssuer.map((issuer) => ({
    ...issuer,
    specialTaxpayer: issuer.specialTaxpayer?.slice(0, special) ?? null,
  }));

  it(`${RUNS} random withholding receipts contain exactly their bodies, add up, and read back`, () => {
    fc.assert(
      fc.property(bodies, issuers, randomNumbering, (body, issuer, numbering) => {
        const document = prepareDocument(body, { issuer, today: RANDOM_TODAY, requireAmounts: true });
        const { xml, accessKey } = writeComprobante(document, issuer, numbering);
        expect(contentOf(readXml(xml))).toEqual(expectedContent(body, issuer));
        expect(document.warnings.map(({ code }) => code).join()).not.toMatch(
          /AMOUNT_MISMATCH|SUM_MISMATCH|TAX_MISMATCH/,
        );
        expect(parseAccessKey(accessKey)).toMatchObject({ ...numbering, documentType: '07', issueDate: '21/11/2026' });
        expect(findSumFaults(submissionOf(xml), 'refuses')).toEqual([]);
        const read = readComprobante(xml);
        if (read.documentType !== '07') throw new Error(read.documentType);
        const amounts = read.supportingDocuments.flatMap(({ withholdings }) => withholdings);
        expect(amounts).toHaveLength(body.supportingDocuments.flatMap(({ withholdings }) => withholdings).length);
        expect(amounts.reduce((total, { amount }) => total + toCents(amount), 0n)).toBe(toCents(document.total));
      }),
      { numRuns: RUNS },
    );
  }, 240_000);

  const schema = `ComprobanteRetencion_V${version}.xsd`;
  judgeRandomDocuments({
    body: bodies,
    issuers,
    root: 'comprobanteRetencion',
    schema,
    isPublished: version === '2.0.0',
  });
});

// --- the content of the XML, and the expected content ---

type Content = readonly [name: string, content: string | readonly Content[]];

const percentage = (base: string, rate: string) => (toCents(base) * toCents(rate) + 5_000n) / 10_000n;
const rateText = (rate: string) => (toCents(rate) < 10_000n ? fromCents(toCents(rate)) : String(toCents(rate) / 100n));
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
      ['razonSocialSujetoRetenido', written(subject.name)],
      ['identificacionSujetoRetenido', written(subject.id)],
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
    additional: (body.additionalInfo ?? []).map(({ name, value }) => [written(name), written(value)]),
  };
}

function expectedAmounts({ tax, code, taxableBase, rate, amount }: WithheldBody): readonly Content[] {
  return [
    ['codigo', tax],
    ['codigoRetencion', code],
    ['baseImponible', fromCents(toCents(taxableBase))],
    ['porcentajeRetener', rateText(rate)],
    ['valorRetenido', amount ?? fromCents(percentage(taxableBase, rate))],
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
  const bases = add(reimbursed.map((tax) => toCents(tax.taxableBase)));
  const amounts = add(reimbursed.map((tax) => tax.amount));
  const subtotal = add(taxes.map(({ taxableBase }) => toCents(taxableBase)));
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
    ['totalComprobantesReembolso', sums ? fromCents(bases + amounts) : null],
    ['totalBaseImponibleReembolso', sums ? fromCents(bases) : null],
    ['totalImpuestoReembolso', sums ? fromCents(amounts) : null],
    ['totalSinImpuestos', fromCents(subtotal)],
    ['importeTotal', fromCents(total)],
    [
      'impuestosDocSustento',
      taxes.map(
        ({ rateCode, taxableBase, rate, amount }): Content => [
          'impuestoDocSustento',
          [
            ['codImpuestoDocSustento', '2'],
            ['codigoPorcentaje', rateCode],
            ['baseImponible', fromCents(toCents(taxableBase))],
            ['tarifa', rateText(rate)],
            ['valorImpuesto', fromCents(amount)],
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
                    ['imRentaSoc', fromCents(toCents(withheld.dividend.incomeTax))],
                    ['ejerFisUtDiv', withheld.dividend.fiscalYear],
                  ]
                : null,
            ],
            [
              'compraCajBanano',
              withheld.bananas
                ? [
                    ['numCajBan', withheld.bananas.boxes],
                    ['precCajBan', fromCents(toCents(withheld.bananas.boxPrice))],
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
                ['identificacionProveedorReembolso', written(entry.supplier.id)],
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
                        ['tarifa', String(toCents(tax.rate) / 100n)],
                        ['baseImponibleReembolso', fromCents(toCents(tax.taxableBase))],
                        ['impuestoReembolso', fromCents(tax.amount)],
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
            ['total', pago.total ? fromCents(toCents(pago.total)) : fromCents(total)],
          ],
        ],
      ),
    ],
  ]);
}
