import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toIsoDate } from '../../calendar.js';
import { parseDecimal } from '../../money.js';
import { findDeviation, findStructure } from '../../sri/rules/structure.js';
import { hasSchemas, schemaVerdicts } from '../../testing/official-schemas.js';
import { SAMPLE_ISSUER } from '../../testing/sample-bodies.js';
import { readXml, type XmlElement } from '../../xml/reader.js';
import { prepareDocument } from '../prepare.js';
import { readComprobante } from '../read-comprobante.js';
import { writeComprobante } from '../write-comprobante.js';
import type { WithholdingBody } from './body.js';
import { WITHHOLDING_EXAMPLE, WITHHOLDING_EXAMPLES } from './examples.js';
import type { PreparedWithholding } from './prepare.js';
import { type WithholdingComprobante, writeComprobanteRetencion } from './xml.js';

const ISSUER = { ...SAMPLE_ISSUER, specialTaxpayer: '5368', withholdingAgent: '1', rimpe: 'GENERAL' } as const;
const NUMBERING = { environment: 'production', sequential: 7, numericCode: '12345678' } as const;

function write(body: WithholdingBody): string {
  const prepared = prepareDocument(body, { issuer: ISSUER, today: '2026-11-21' });
  return writeComprobante(prepared, ISSUER, NUMBERING).xml;
}

/** A document with every element of schema 2.0.0 that bodies have, and a document of 1.0.0. */
const FULL = write({
  ...WITHHOLDING_EXAMPLE,
  subject: { ...WITHHOLDING_EXAMPLE.subject, idType: '08', id: 'X-1', kind: '01' },
  supportingDocuments: WITHHOLDING_EXAMPLES.slice(0, 5).flatMap(({ supportingDocuments }) => supportingDocuments),
});
const OLD = write({ ...WITHHOLDING_EXAMPLE, version: '1.0.0' });

function isAccepted(xml: string): boolean {
  const root = readXml(xml);
  const rules = findStructure(root.name, root.attributes['version'] ?? '');
  if (typeof rules === 'string') throw new Error(rules);
  return findDeviation(root, rules) === null;
}

const VALUES = [
  '',
  ' 1.5\n',
  'x',
  '0',
  '01',
  '02',
  '41',
  'SI',
  '13.25',
  '1.75',
  '100.0',
  '1000',
  '-1',
  '12345',
  '123456',
  'É'.repeat(301),
  'a\nb',
  '13/2026',
  '31/12/2026',
  '001-001-000000001',
  '001001000000001',
];
const EXTRAS = [
  '<tipoSujetoRetenido>01</tipoSujetoRetenido>',
  '<parteRel>NO</parteRel>',
  '<fechaRegistroContable>01/01/2026</fechaRegistroContable>',
  '<numAutDocSustento>1234567890</numAutDocSustento>',
  '<tipoRegi>01</tipoRegi>',
  '<pagoRegFis>NO</pagoRegFis>',
  '<totalImpuestoReembolso>-1.00</totalImpuestoReembolso>',
  '<dividendos><fechaPagoDiv>01/01/2026</fechaPagoDiv><imRentaSoc>1.00</imRentaSoc><ejerFisUtDiv>1899</ejerFisUtDiv></dividendos>',
  '<compraCajBanano><numCajBan>1</numCajBan><precCajBan>1.00</precCajBan></compraCajBanano>',
  '<maquinaFiscal><marca>M</marca><modelo>N</modelo><serie>S</serie></maquinaFiscal>',
  '<codDocSustento>01</codDocSustento>',
];

/** Each element removed, doubled, changed in value, or swapped with the next; each optional element after each other one. */
function mutate(xml: string): string[] {
  const found: string[] = [];
  for (const match of xml.matchAll(/<(\w+)(?: nombre="[^"]*")?>([^<]*)<\/\1>/g)) {
    const [whole, name = ''] = match;
    const before = xml.slice(0, match.index);
    const after = xml.slice(match.index + whole.length);
    found.push(before + after, before + whole + whole + after);
    for (const value of VALUES) found.push(`${before}<${name}>${value}</${name}>${after}`);
    for (const value of VALUES) found.push(before + whole.replace(/>[^<]*</, `>${value}<`) + after);
    const next = /^<(\w+)>[^<]*<\/\1>/.exec(after)?.[0];
    if (next) found.push(before + next + whole + after.slice(next.length));
    for (const extra of EXTRAS) found.push(before + whole + extra + after);
  }
  for (const match of xml.matchAll(/<\/\w+>(?=<)/g)) {
    const end = match.index + match[0].length;
    for (const extra of EXTRAS) found.push(xml.slice(0, end) + extra + xml.slice(end));
  }
  // A value, and the end of an element, is found twice.
  return [...new Set(found)];
}

describe.skipIf(!hasSchemas())('the rules and the official schema', () => {
  it.each([
    { schema: 'ComprobanteRetencion_V2.0.0.xsd', xml: FULL, every: 9 },
    { schema: 'ComprobanteRetencion_V1.0.0.xsd', xml: OLD, every: 2 },
  ])(
    'the rules and the official schema $schema agree on every mutation',
    ({ schema, xml, every }) => {
      const mutations = [xml, ...mutate(xml).filter((_, index) => index % every === 0)];
      const official = schemaVerdicts(schema, mutations);
      expect(mutations.filter((mutation, index) => isAccepted(mutation) !== official[index])).toEqual([]);
      expect(official.filter(Boolean).length, 'valid mutations').toBeGreaterThan(20);
      expect(official.filter((valid) => !valid).length, 'invalid mutations').toBeGreaterThan(100);
    },
    120_000,
  );
});

/** The SRI's own example is not shipped. */
const samples = process.env['SRI_SAMPLES_DIR'] ?? '';

describe.skipIf(samples === '')("the SRI's example", () => {
  it("reads the SRI's example of a withholding, and writes it again element for element", () => {
    const example = readFileSync(join(samples, 'sri-examples/ComprobanteRetencion_V2.0.0.xml'), 'utf8');
    const read = readComprobante(example);
    if (read.documentType !== '07') throw new Error(read.documentType);
    const root = readXml(example);
    const written = readXml(writeComprobanteRetencion(toPrepared(read), headingOf(read)));
    // No body has a fiscal machine; the version and heading are those of the writer.
    const parts = ['infoCompRetencion', 'docsSustento', 'infoAdicional'];
    for (const part of parts) expect(contentOf(written, part), part).toEqual(contentOf(root, part));
  });
});

type Content = readonly [name: string, attributes: unknown, content: string | readonly Content[]];

function contentOf(root: XmlElement, part: string): readonly Content[] {
  return root.children.filter(({ name }) => name === part).map(content);
}

function content({ name, attributes, children, text }: XmlElement): Content {
  return [name, attributes, children.length > 0 ? children.map(content) : text];
}

const money = (amount: string | null) => parseDecimal(amount ?? '0', 2);
const day = (date: string) => toIsoDate(date) ?? '';

/** The prepared document of the example. Its placeholders contradict each other, so that no body is valid. */
function toPrepared(read: WithholdingComprobante): PreparedWithholding {
  return {
    documentType: '07',
    version: '2.0.0',
    issueDate: day(read.issueDate),
    subject: { ...read.subject, email: null, relatedParty: read.subject.relatedParty ?? false },
    fiscalPeriod: read.fiscalPeriod,
    supportingDocuments: read.supportingDocuments.map((document) => ({
      supportCode: document.supportCode ?? '',
      documentType: document.documentType,
      number: document.number,
      issueDate: day(document.issueDate),
      registrationDate: document.registrationDate && day(document.registrationDate),
      authorizationNumber: document.authorizationNumber,
      payment: {
        location: document.payment?.location === '02' ? '02' : '01',
        regime: document.payment?.regime ?? null,
        country: document.payment?.country ?? null,
        treaty: document.payment?.treaty ?? null,
        subjectToWithholding: document.payment?.subjectToWithholding ?? null,
        taxHaven: document.payment?.taxHaven ?? null,
      },
      reimbursementTotals: document.reimbursementTotals && {
        total: money(document.reimbursementTotals.total),
        taxableBase: money(document.reimbursementTotals.taxableBase),
        taxAmount: money(document.reimbursementTotals.taxAmount),
      },
      subtotal: money(document.subtotal),
      total: money(document.total),
      taxes: document.taxes.map(toPreparedTax),
      withholdings: document.withholdings.map((withheld) => ({
        tax: withheld.tax,
        code: withheld.code,
        taxableBase: money(withheld.taxableBase),
        rate: money(withheld.rate),
        amount: money(withheld.amount),
        dividend: withheld.dividend && {
          paymentDate: day(withheld.dividend.paymentDate),
          incomeTax: money(withheld.dividend.incomeTax),
          fiscalYear: withheld.dividend.fiscalYear,
        },
        bananas: withheld.bananas && {
          boxes: withheld.bananas.boxes,
          boxPrice: money(withheld.bananas.boxPrice),
        },
      })),
      reimbursements: document.reimbursements.map((entry) => ({
        ...entry,
        issueDate: day(entry.issueDate),
        taxes: entry.taxes.map(toPreparedTax),
      })),
      payments: document.payments.map(({ method, total }) => ({
        method,
        total: money(total),
        term: null,
        termUnit: null,
      })),
    })),
    additionalInfo: read.additionalInfo,
    total: '0.00',
    warnings: [],
  };
}

function toPreparedTax(tax: {
  readonly code: string;
  readonly rateCode: string;
  readonly rate: string;
  readonly taxableBase: string;
  readonly taxAmount: string;
}) {
  return {
    code: tax.code === '3' ? ('3' as const) : tax.code === '5' ? ('5' as const) : ('2' as const),
    rateCode: tax.rateCode,
    rate: money(tax.rate),
    taxableBase: money(tax.taxableBase),
    taxAmount: money(tax.taxAmount),
  };
}

function headingOf({ issuer }: WithholdingComprobante) {
  return {
    issuer: {
      ...SAMPLE_ISSUER,
      branchAddress: issuer.branchAddress,
      specialTaxpayer: issuer.specialTaxpayer,
      requiredAccounting: issuer.requiredAccounting ?? false,
    },
    environment: 'production',
    sequential: 7,
    accessKey: readComprobante(FULL).accessKey,
  } as Parameters<typeof writeComprobanteRetencion>[1];
}
