import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAccessKey } from '../access-key.js';
import { TAX } from '../catalogs/tax-types.js';
import { hasSchemas, schemaComplaints } from '../testing/official-schemas.js';
import { RANDOM_VARIANTS } from '../testing/random-bodies/invoice-variants.js';
import { randomPurchaseSettlement } from '../testing/random-bodies/purchase-settlement.js';
import {
  RANDOM_TODAY,
  randomCreditNote,
  randomInvoice,
  randomIssuer,
  randomNumbering,
} from '../testing/random-bodies.js';
import { optional, written } from '../testing/second-calculation.js';
import { hasTool, xmllintCanonical } from '../testing/xml-tools.js';
import { child, children, childText, readXml, type XmlElement } from '../xml/reader.js';
import { XML_DECLARATION } from '../xml/writer.js';
import type { CreditNoteBody } from './credit-note/body.js';
import type { InvoiceBody } from './invoice/body.js';
import type { Issuer } from './issuer.js';
import { prepareDocument } from './prepare.js';
import type { PurchaseSettlementBody } from './purchase-settlement/body.js';
import { writeComprobante } from './write-comprobante.js';

const RUNS = 600;
const LONG = 240_000;
/** Variants of an invoice that only schema version 2.1.0 has. */
const LATER = ['third parties', 'third parties, tip and withholdings', 'transport', 'all of them'];

const variants = Object.entries(RANDOM_VARIANTS).map(([name, body]) => ({
  name: `invoices: ${name}`,
  body: body as fc.Arbitrary<Body>,
  schema: `factura_V${LATER.includes(name) ? '2' : '1'}.1.0.xsd`,
  runs: 1000,
}));

describe.each([
  { name: 'invoices', body: randomInvoice as fc.Arbitrary<Body>, schema: 'factura_V1.1.0.xsd', runs: RUNS },
  { name: 'credit notes', body: randomCreditNote as fc.Arbitrary<Body>, schema: 'NotaCredito_V1.1.0.xsd', runs: RUNS },
  {
    name: 'purchase settlements',
    body: randomPurchaseSettlement as fc.Arbitrary<Body>,
    schema: 'LiquidacionCompra_V1.1.0.xsd',
    runs: RUNS,
  },
  ...variants,
])('$runs random $name', ({ body, schema, runs }) => {
  const documents: string[] = [];

  it(
    'a random document contains exactly its body, and adds up',
    () => {
      const setting = fc.record({
        numbering: randomNumbering,
        provider: fc.constantFrom(null, '1790012345001'),
        sums: fc.constantFrom('left out' as const, 'given' as const),
      });
      fc.assert(
        fc.property(body, randomIssuer, setting, (bare, issuer, { numbering, provider, sums }) => {
          const full = sums === 'given' ? withSums(bare) : bare;
          // The 15 fields of the foot may leave no room for the provider's RUC.
          const softwareProviderRuc = (full.additionalInfo?.length ?? 0) < 15 ? provider : null;
          const document = prepareDocument(full, {
            issuer,
            today: RANDOM_TODAY,
            softwareProviderRuc,
            requireAmounts: sums === 'given',
          });
          const { xml, accessKey } = writeComprobante(document, issuer, numbering);
          documents.push(xml);

          const root = readXml(xml);
          expect(describeRoot(root)).toEqual(expectedContents(full, issuer, softwareProviderRuc));
          expect(describeSums(root)).toEqual(calculate(full));
          expect(document.total).toBe(calculate(full).total);
          expect(parseAccessKey(accessKey)).toMatchObject({ ...numbering, ruc: issuer.ruc, issueDate: '21/11/2026' });
          expect(childText(child(root, 'infoTributaria'), 'claveAcceso')).toBe(accessKey);
          const codes = document.warnings.filter(({ field }) => field.startsWith('items')).map(({ code }) => code);
          expect(JSON.stringify(codes)).not.toMatch(/LINE_BASE|TAX_MISMATCH/);
        }),
        { numRuns: runs },
      );
    },
    LONG,
  );

  it.skipIf(!hasSchemas())('a random document is valid by the official schema', () => {
    expect(documents.length).toBeGreaterThanOrEqual(runs);
    expect(schemaComplaints(schema, documents)).toBe('');
  });

  it.skipIf(!hasTool('xmllint'))('a random document is its own canonical form, byte for byte', () => {
    const canonical = documents.map((xml) => xml.slice(XML_DECLARATION.length));
    expect(xmllintCanonical(...documents)).toBe(canonical.join(''));
  });
});

// --- the content of the XML, and the expected content ---

type Body = InvoiceBody | CreditNoteBody | PurchaseSettlementBody;

/** The other party. */
const partyOf = (body: Body) => (body.documentType === '03' ? body.supplier : body.buyer);
const infoOf = (root: XmlElement) =>
  child(root, 'infoFactura') ?? child(root, 'infoNotaCredito') ?? child(root, 'infoLiquidacionCompra');

/** Decimal text in normal form: no leading zeros, no trailing zeros. */
const plain = (value: string) => fractionText(toFraction(value));

function expectedContents(body: Body, issuer: Issuer, provider: string | null) {
  const pairs = (list: readonly { name: string; value: string }[] | null | undefined) =>
    (list ?? []).map(({ name, value }) => [written(name), written(value)]);
  const info = pairs(body.additionalInfo);
  if (provider && !info.some(([name]) => name === 'RUC Proveedor')) info.push(['RUC Proveedor', provider]);
  const mainAddress = optional(issuer.mainAddress) ?? optional(issuer.branchAddress) ?? 'S/D';
  return {
    issuer: [
      written(issuer.businessName),
      optional(issuer.tradeName),
      issuer.ruc,
      mainAddress,
      optional(issuer.branchAddress) ?? mainAddress,
      issuer.specialTaxpayer ?? null,
      issuer.withholdingAgent ?? null,
      issuer.requiredAccounting ? 'SI' : 'NO',
      issuer.rimpe
        ? { GENERAL: 'CONTRIBUYENTE RÉGIMEN RIMPE', POPULAR: 'CONTRIBUYENTE NEGOCIO POPULAR - RÉGIMEN RIMPE' }[
            issuer.rimpe
          ]
        : null,
    ],
    party: [
      partyOf(body).idType,
      written(partyOf(body).id),
      written(partyOf(body).name),
      body.documentType === '04' ? null : optional(partyOf(body).address),
    ],
    guiaRemision: (body.documentType === '01' && body.guiaRemision) || null,
    original:
      body.documentType === '04'
        ? [
            body.originalDocument.documentType,
            body.originalDocument.number,
            body.originalDocument.issueDate,
            written(body.motivo),
          ]
        : [null, null, null, null],
    items: body.items.map((item) => ({
      codes: [written(item.mainCode), optional(item.auxiliaryCode), written(item.description)],
      numbers: [plain(item.quantity), plain(item.unitPrice), plain(item.discount ?? '0')],
      details: pairs(item.additionalDetails),
      taxes: item.taxes.map((tax) => [tax.code, tax.rateCode, plain(tax.rate)]),
    })),
    payments:
      body.documentType === '04'
        ? []
        : body.payments.map((payment) => [
            payment.method,
            plain(payment.total ?? calculate(body).total),
            payment.term === undefined || payment.term === null ? null : String(payment.term),
            payment.termUnit ?? null,
          ]),
    info,
  };
}

function describeRoot(root: XmlElement) {
  const tax = child(root, 'infoTributaria');
  const info = infoOf(root);
  const raw = (element: XmlElement | null, name: string) => child(element, name)?.text ?? null;
  return {
    issuer: [
      raw(tax, 'razonSocial'),
      raw(tax, 'nombreComercial'),
      raw(tax, 'ruc'),
      raw(tax, 'dirMatriz'),
      raw(info, 'dirEstablecimiento'),
      raw(info, 'contribuyenteEspecial'),
      raw(tax, 'agenteRetencion'),
      raw(info, 'obligadoContabilidad'),
      raw(tax, 'contribuyenteRimpe'),
    ],
    party: ['tipoIdentificacion', 'identificacion', 'razonSocial', 'direccion'].map((name) =>
      raw(info, `${name}${root.name === 'liquidacionCompra' ? 'Proveedor' : 'Comprador'}`),
    ),
    guiaRemision: raw(info, 'guiaRemision'),
    original: ['codDocModificado', 'numDocModificado', 'fechaEmisionDocSustento', 'motivo'].map((name) =>
      raw(info, name),
    ),
    items: children(child(root, 'detalles'), 'detalle').map((item) => ({
      codes: [
        raw(item, 'codigoPrincipal') ?? raw(item, 'codigoInterno'),
        raw(item, 'codigoAuxiliar') ?? raw(item, 'codigoAdicional'),
        raw(item, 'descripcion'),
      ],
      numbers: ['cantidad', 'precioUnitario', 'descuento'].map((name) => plain(raw(item, name) ?? '')),
      details: children(child(item, 'detallesAdicionales'), 'detAdicional').map(({ attributes }) => [
        attributes['nombre'],
        attributes['valor'],
      ]),
      taxes: children(child(item, 'impuestos'), 'impuesto').map((line) => [
        raw(line, 'codigo'),
        raw(line, 'codigoPorcentaje'),
        plain(raw(line, 'tarifa') ?? ''),
      ]),
    })),
    payments: children(child(info, 'pagos'), 'pago').map((payment) => [
      raw(payment, 'formaPago'),
      plain(raw(payment, 'total') ?? ''),
      raw(payment, 'plazo'),
      raw(payment, 'unidadTiempo'),
    ]),
    info: children(child(root, 'infoAdicional'), 'campoAdicional').map((field) => [
      field.attributes['nombre'],
      field.text,
    ]),
  };
}

// --- an independent calculator, on fractions ---

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

function toFraction(decimal: string): Fraction {
  const [whole = '', decimals = ''] = decimal.split('.');
  return { over: BigInt(whole + decimals), under: BigInt(`1${'0'.repeat(decimals.length)}`) };
}
const times = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.over, under: a.under * b.under });
const plus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
});
const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { over: -b.over, under: b.under });
const ZERO: Fraction = { over: 0n, under: 1n };
const PERCENT: Fraction = { over: 1n, under: 100n };

/** Rounds to cents, half up; only for non-negative values. */
function cents({ over, under }: Fraction): Fraction {
  return { over: (over * 200n + under) / (under * 2n), under: 100n };
}
function money(value: Fraction): string {
  const text = cents(value).over.toString().padStart(3, '0');
  return text.replace(/(\d\d)$/, '.$1');
}
function fractionText({ over, under }: Fraction): string {
  const scaled = ((over * 1_000_000n) / under).toString().padStart(7, '0');
  return scaled.replace(/(\d{6})$/, '.$1').replace(/\.?0+$/, '');
}

interface Line {
  readonly net: Fraction;
  readonly taxes: readonly { readonly key: string; readonly base: Fraction; readonly amount: Fraction }[];
}

function calculateLines(body: Body): Line[] {
  const running = new Map<string, { exact: Fraction; given: Fraction }>();
  const share = (key: string, exact: Fraction) => {
    const before = running.get(key) ?? { exact: ZERO, given: ZERO };
    const sofar = plus(before.exact, exact);
    const amount = minus(cents(sofar), before.given);
    running.set(key, { exact: sofar, given: cents(sofar) });
    return amount;
  };
  return body.items.map((item) => {
    const quantity = toFraction(item.quantity);
    const net = cents(minus(times(quantity, toFraction(item.unitPrice)), toFraction(item.discount ?? '0')));
    let withIce = net;
    const work = (tax: (typeof item.taxes)[number]) => {
      const byUnit = isByUnit(tax);
      const own = tax.code === TAX.IVA ? withIce : tax.code === TAX.ICE ? net : cents(quantity);
      const base = tax.taxableBase ? toFraction(tax.taxableBase) : own;
      const factor = byUnit ? toFraction(tax.rate) : times(toFraction(tax.rate), PERCENT);
      const group = `${tax.code} ${tax.rateCode} ${plain(tax.rate)}`;
      const amount = tax.taxAmount ? toFraction(tax.taxAmount) : share(group, times(base, factor));
      if (tax.code === TAX.ICE) withIce = plus(withIce, amount);
      return { key: `${tax.code} ${tax.rateCode}`, base, amount };
    };
    const ice = item.taxes.filter((tax) => tax.code === TAX.ICE).map((tax) => [tax, work(tax)] as const);
    const done = new Map(ice);
    return { net, taxes: item.taxes.map((tax) => done.get(tax) ?? work(tax)) };
  });
}

/** The body with every sum, each line rounded by itself, as callers do. */
function withSums<B extends Body>(body: B): B {
  const items = body.items.map((item) => {
    const net = cents(
      minus(times(toFraction(item.quantity), toFraction(item.unitPrice)), toFraction(item.discount ?? '0')),
    );
    let withIce = net;
    const fill = (tax: (typeof item.taxes)[number]) => {
      const byUnit = isByUnit(tax);
      const base = tax.taxableBase ? toFraction(tax.taxableBase) : tax.code === TAX.IVA ? withIce : net;
      const amount = cents(times(base, byUnit ? toFraction(tax.rate) : times(toFraction(tax.rate), PERCENT)));
      if (tax.code === TAX.ICE) withIce = plus(withIce, amount);
      return { ...tax, taxableBase: money(base), taxAmount: money(amount) };
    };
    const ice = new Map(item.taxes.filter((tax) => tax.code === TAX.ICE).map((tax) => [tax, fill(tax)]));
    return { ...item, taxes: item.taxes.map((tax) => ice.get(tax) ?? fill(tax)) };
  });
  const filled = { ...body, items };
  if (filled.documentType === '04') return filled;
  const { total } = calculate(filled);
  return { ...filled, payments: filled.payments.map((payment) => ({ ...payment, total: payment.total ?? total })) };
}

function calculate(body: Body) {
  const lines = calculateLines(body);
  const groups = new Map<string, { base: Fraction; amount: Fraction }>();
  for (const { key, base, amount } of lines.flatMap((line) => line.taxes)) {
    const group = groups.get(key) ?? { base: ZERO, amount: ZERO };
    groups.set(key, { base: plus(group.base, base), amount: plus(group.amount, amount) });
  }
  const extras = extrasOf(body);
  const net = lines.map((line) => line.net).reduce(plus, ZERO);
  const taxes = [...groups.values()].map((group) => group.amount).reduce(plus, ZERO);
  return {
    net: money(net),
    discount: money(body.items.map((item) => toFraction(item.discount ?? '0')).reduce(plus, ZERO)),
    groups: [...groups].map(([key, { base, amount }]) => `${key} ${money(base)} ${money(amount)}`),
    lines: lines.map((line) => [
      money(line.net),
      ...line.taxes.map((tax) => `${money(tax.base)} ${money(tax.amount)}`),
    ]),
    extras: extras.map(([name, amount]) => `${name} ${money(amount)}`),
    reimbursed: reimbursedOf(body),
    subsidy: subsidyOf(body),
    total: money([taxes, ...extras.map(([, amount]) => amount)].reduce(plus, net)),
  };
}

/** The amounts besides lines and taxes, in the order of the XML. */
function extrasOf(body: Body): (readonly [name: string, amount: Fraction])[] {
  if (body.documentType !== '01') return [];
  const { export: terms, withholdings, thirdPartyCharges } = body;
  const costs = [
    ['fleteInternacional', terms?.freight],
    ['seguroInternacional', terms?.insurance],
    ['gastosAduaneros', terms?.customs],
    ['gastosTransporteOtros', terms?.otherTransport],
    ...(withholdings ?? []).map(({ rateCode, amount }) => [`retención ${rateCode}`, amount] as const),
    ...(thirdPartyCharges ?? []).map(({ concept, amount }) => [`rubro ${written(concept)}`, amount] as const),
  ] as const;
  const given = costs.flatMap(([name, amount]) => (amount ? [[name, toFraction(amount)] as const] : []));
  return [['propina', toFraction(body.tip || '0')], ...given];
}

function isByUnit({ code, rateCode }: { readonly code: string; readonly rateCode: string }): boolean {
  return code === TAX.IRBPNR || ['3053', '3680'].includes(rateCode);
}

function reimbursedOf(body: Body): string[] {
  const list = ('reimbursements' in body && body.reimbursements) || [];
  if (list.length === 0) return [];
  const taxes = list.flatMap((entry) => entry.taxes);
  const bases = taxes.map((tax) => toFraction(tax.taxableBase)).reduce(plus, ZERO);
  const amounts = taxes
    .map((tax) =>
      tax.taxAmount
        ? toFraction(tax.taxAmount)
        : cents(
            times(
              toFraction(tax.taxableBase),
              isByUnit(tax) ? toFraction(tax.rate) : times(toFraction(tax.rate), PERCENT),
            ),
          ),
    )
    .reduce(plus, ZERO);
  return ['41', money(plus(bases, amounts)), money(bases), money(amounts)];
}

function subsidyOf(body: Body): string | null {
  const lines = (body.documentType === '01' ? body.items : []).flatMap(({ quantity, unitPrice, unsubsidizedPrice }) =>
    unsubsidizedPrice ? [times(toFraction(quantity), minus(toFraction(unsubsidizedPrice), toFraction(unitPrice)))] : [],
  );
  return lines.length === 0 ? null : money(lines.reduce(plus, ZERO));
}

function describeSums(root: XmlElement) {
  const info = infoOf(root);
  const items = children(child(root, 'detalles'), 'detalle');
  const discounts = items.map((item) => toFraction(childText(item, 'descuento') ?? '')).reduce(plus, ZERO);
  return {
    net: childText(info, 'totalSinImpuestos'),
    // A credit note has no sum of discounts; a factura's must be the sum of its lines.
    discount: childText(info, 'totalDescuento') ?? money(discounts),
    groups: children(child(info, 'totalConImpuestos'), 'totalImpuesto').map((group) =>
      ['codigo', 'codigoPorcentaje', 'baseImponible', 'valor'].map((name) => childText(group, name)).join(' '),
    ),
    lines: items.map((item) => [
      childText(item, 'precioTotalSinImpuesto'),
      ...children(child(item, 'impuestos'), 'impuesto').map(
        (tax) => `${childText(tax, 'baseImponible')} ${childText(tax, 'valor')}`,
      ),
    ]),
    extras: writtenExtras(root, info),
    reimbursed: [
      'codDocReembolso',
      'totalComprobantesReembolso',
      'totalBaseImponibleReembolso',
      'totalImpuestoReembolso',
    ].flatMap((name) => childText(info, name) ?? []),
    subsidy: childText(info, 'totalSubsidio'),
    total: childText(info, 'importeTotal') ?? childText(info, 'valorModificacion'),
  };
}

function writtenExtras(root: XmlElement, info: XmlElement | null): string[] {
  const costs = [
    'propina',
    'fleteInternacional',
    'seguroInternacional',
    'gastosAduaneros',
    'gastosTransporteOtros',
  ].flatMap((name) => child(info, name)?.text.replace(/^/, `${name} `) ?? []);
  const withheld = children(child(root, 'retenciones'), 'retencion').map(
    (each) => `retención ${childText(each, 'codigoPorcentaje')} ${childText(each, 'valor')}`,
  );
  const charges = children(child(root, 'otrosRubrosTerceros'), 'rubro').map(
    (each) => `rubro ${child(each, 'concepto')?.text} ${childText(each, 'total')}`,
  );
  return [...costs, ...withheld, ...charges];
}
