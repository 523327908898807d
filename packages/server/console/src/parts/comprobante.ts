import { cents, fromCents } from '../forms/amounts.js';
import { dollars } from '../frame/format.js';
import { type TextName, t } from '../frame/language.js';

/** The content of a comprobante, of any type, issued or only a preview. */
export type Comprobante = ReturnType<typeof readComprobante>;

/** A sum at the foot. A tax has its codes. */
export interface ComprobanteSum {
  readonly name: string;
  readonly tax?: { readonly code: string; readonly rateCode: string; readonly base: string };
  readonly amount: string;
}

/** Reads the XML of a comprobante, alone or in its authorization. @throws Error for any other text. */
export function readComprobante(xml: string) {
  const outer = new DOMParser().parseFromString(xml, 'text/xml');
  const wrapped = outer.querySelector('autorizacion > comprobante')?.textContent;
  const root = (wrapped ? new DOMParser().parseFromString(wrapped, 'text/xml') : outer).documentElement;
  // The head of each type follows the common head.
  const head = root.querySelector(':scope > infoTributaria + *');
  if (!head) throw new Error('This is no comprobante.');
  const modified = textIn(head, 'numDocModificado');
  return {
    lines: linesOf(root),
    sums: sumsOf(root, head),
    payments: all(head, 'pagos > pago').map((pago) => ({
      method: textIn(pago, 'formaPago'),
      total: textIn(pago, 'total'),
      term: [textIn(pago, 'plazo'), textIn(pago, 'unidadTiempo')].filter(Boolean).join(' '),
    })),
    modified: modified
      ? { number: modified, date: textIn(head, 'fechaEmisionDocSustento'), reason: textIn(head, 'motivo') }
      : null,
    info: all(root, 'infoAdicional > campoAdicional').map((field) => ({
      name: field.getAttribute('nombre') ?? '',
      value: field.textContent ?? '',
    })),
    facts: FACTS.flatMap(([element, name]) => {
      const value = textIn(head, element);
      return value ? [{ name: t(name), value }] : [];
    }),
  };
}

// --- internal ---

/** Elements of a head, with the texts of their names. */
const FACTS: readonly (readonly [string, TextName])[] = [
  ['guiaRemision', 'guiaRemision'],
  ['razonSocialTransportista', 'carrier'],
  ['placa', 'licensePlate'],
  ['dirPartida', 'departureAddress'],
  ['fechaIniTransporte', 'startDate'],
  ['fechaFinTransporte', 'endDate'],
  ['periodoFiscal', 'fiscalPeriod'],
  ['incoTermFactura', 'incoterm'],
];

function all(element: Element, selector: string): readonly Element[] {
  return [...element.querySelectorAll(`:scope > ${selector}`)];
}

function textIn(element: Element, name: string): string {
  return element.querySelector(`:scope > ${name}`)?.textContent ?? '';
}

/** The lines: of a sale, reasons of a note, goods in transit, or withholdings. */
function linesOf(root: Element) {
  const about: readonly string[] = [];
  const empty = { code: '', about, quantity: '', price: '', discount: '', total: '' };
  return [
    ...all(root, 'detalles > detalle').map((line) => ({
      code: textIn(line, 'codigoPrincipal') || textIn(line, 'codigoInterno'),
      text: textIn(line, 'descripcion'),
      about: detailsOf(line),
      quantity: shortened(textIn(line, 'cantidad')),
      price: dollars(shortened(textIn(line, 'precioUnitario'))),
      discount: textIn(line, 'descuento'),
      total: textIn(line, 'precioTotalSinImpuesto'),
    })),
    ...all(root, 'motivos > motivo').map((line) => ({
      ...empty,
      text: textIn(line, 'razon'),
      total: textIn(line, 'valor'),
    })),
    ...all(root, 'destinatarios > destinatario').flatMap((recipient) =>
      all(recipient, 'detalles > detalle').map((line) => ({
        ...empty,
        code: textIn(line, 'codigoInterno'),
        text: textIn(line, 'descripcion'),
        about: [
          `${textIn(recipient, 'razonSocialDestinatario')} · ${textIn(recipient, 'dirDestinatario')}`,
          ...detailsOf(line),
        ],
        quantity: shortened(textIn(line, 'cantidad')),
      })),
    ),
    ...all(root, 'docsSustento > docSustento').flatMap((document) =>
      all(document, 'retenciones > retencion').map((line) => withheld(line, textIn(document, 'numDocSustento'))),
    ),
    ...all(root, 'impuestos > impuesto').map((line) => withheld(line, textIn(line, 'numDocSustento'))),
  ];
}

function withheld(line: Element, number: string) {
  const dashed = number.replace(/^(\d{3})(\d{3})(\d{9})$/, '$1-$2-$3');
  return {
    code: textIn(line, 'codigoRetencion'),
    text: dashed,
    about: [],
    quantity: dollars(textIn(line, 'baseImponible')),
    price: `${shortened(textIn(line, 'porcentajeRetener'))} %`,
    discount: '',
    total: textIn(line, 'valorRetenido'),
  };
}

function detailsOf(line: Element): readonly string[] {
  return all(line, 'detallesAdicionales > detAdicional').map(
    (detail) => `${detail.getAttribute('nombre')}: ${detail.getAttribute('valor')}`,
  );
}

/** The sums in the order of the printed form: before tax, discount, each tax, and additions. */
function sumsOf(root: Element, head: Element): readonly ComprobanteSum[] {
  const filled = (name: TextName, amount: string) => (Number(amount) > 0 ? [{ name: t(name), amount }] : []);
  const plain = (element: string, name: TextName, holder = head) => filled(name, textIn(holder, element));
  const taxed = [...all(head, 'totalConImpuestos > totalImpuesto'), ...all(head, 'impuestos > impuesto')];
  const taxes = taxed.map((tax) => ({
    name: 'tax',
    tax: { code: textIn(tax, 'codigo'), rateCode: textIn(tax, 'codigoPorcentaje'), base: textIn(tax, 'baseImponible') },
    amount: textIn(tax, 'valor'),
  }));
  const added = [
    ...all(root, 'otrosRubrosTerceros > rubro').map((each) => ({
      name: textIn(each, 'concepto'),
      amount: textIn(each, 'total'),
    })),
    ...all(root, 'retenciones > retencion').map((each) => ({
      name: t('withheldInAdvance'),
      amount: textIn(each, 'valor'),
    })),
  ];
  return [
    ...plain('totalSinImpuestos', 'subtotal'),
    ...filled('discount', textIn(head, 'totalDescuento') || discountOf(root)),
    ...taxes,
    ...plain('propina', 'tip'),
    ...plain('fleteInternacional', 'freight'),
    ...plain('seguroInternacional', 'insurance'),
    ...plain('gastosAduaneros', 'customs'),
    ...plain('gastosTransporteOtros', 'otherTransport'),
    ...added,
    ...taxed.flatMap((tax) => plain('valorDevolucionIva', 'ivaRefund', tax)),
  ];
}

/** The discounts of the lines, added up: the schema of a credit note has no sum of them. */
function discountOf(root: Element): string {
  const discounts = all(root, 'detalles > detalle').map((line) => cents(textIn(line, 'descuento')) ?? 0n);
  return fromCents(discounts.reduce((sum, each) => sum + each, 0n));
}

/** A number without the zeros at its end. */
function shortened(text: string): string {
  return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}
