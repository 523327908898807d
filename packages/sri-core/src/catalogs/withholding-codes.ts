import type { IsoDate } from '../calendar.js';
import { type CatalogEntry, isInForce } from './catalog.js';
import { WITHHELD, type WithholdingTaxCode } from './withholding-taxes.js';

/** A concept of withholding [codigoRetencion] with its percentage. A code has one row for each percentage and time. */
export interface WithholdingCode extends CatalogEntry {
  /** [codigo] */
  readonly tax: WithholdingTaxCode;
  /** Percentage [porcentajeRetener]; null where it depends on the case and the caller gives it. */
  readonly rate: string | null;
}

const TABLE_20 = 'Ficha técnica off-line v2.34 (2026-07-27), tabla 20';
const ISD_TABLE = 'Ficha técnica off-line v2.34 (2026-07-27), códigos de retención de ISD';
const ATS_TABLE_3_10 = 'Catálogo del Anexo Transaccional Simplificado (2026-08-06), tabla 3.10';
const RESOLUTION_2026 = 'NAC-DGERCGC26-00000009; catálogo del ATS (2026-08-06), tabla 3.10';
const TRANSPORT_2026 = 'NAC-DGERCGC26-00000028; catálogo del ATS (2026-08-06), tabla 3.10';
const CATALOG_OF_2025 = 'Catálogo del Anexo Transaccional Simplificado, tabla 3.10, hasta 2026-02-28';

type Dates = Pick<WithholdingCode, 'validFrom' | 'validTo'>;

function iva(code: string, rate: string, es: string, en: string): WithholdingCode {
  return { tax: WITHHELD.IVA, code, rate, description: { es, en }, source: TABLE_20 };
}

function isd(code: string, rate: string, dates: Dates): WithholdingCode {
  const reduced = code === '4586';
  const description = {
    es: reduced ? 'Salida de divisas, tarifa reducida' : 'Salida de divisas',
    en: reduced ? 'Money sent abroad, reduced rate' : 'Money sent abroad',
  };
  return { tax: WITHHELD.ISD, code, rate, description, ...dates, source: ISD_TABLE };
}

function income(
  code: string,
  rate: string | null,
  es: string,
  en: string,
  dates: Dates = {},
  source: string = ATS_TABLE_3_10,
): WithholdingCode {
  return { tax: WITHHELD.INCOME, code, rate, description: { es, en }, ...dates, source };
}

/** The last day of the percentages before the resolution of 2026, and the first day of its own. */
const OLD: Dates = { validTo: '2026-02-28' };
const NEW: Dates = { validFrom: '2026-03-01' };

/** A code whose percentage the resolution of 2026 changed. */
function changed(code: string, before: string, after: string, es: string, en: string): readonly WithholdingCode[] {
  return [income(code, before, es, en, OLD, CATALOG_OF_2025), income(code, after, es, en, NEW, RESOLUTION_2026)];
}

/** A code of older tables that the table of 2026 does not have. */
function closed(code: string, es: string, en: string): WithholdingCode {
  return income(code, null, es, en, OLD, CATALOG_OF_2025);
}

const abroad = (code: string, es: string, en: string) =>
  income(code, null, `Pago al exterior: ${es}`, `Payment abroad: ${en}`);

/** Percentages of IVA. They are the document's IVA, not its value. */
const IVA_CODES = [
  iva('9', '10', 'Retención del 10 % del IVA', 'Withholding of 10% of IVA'),
  iva('10', '20', 'Retención del 20 % del IVA', 'Withholding of 20% of IVA'),
  iva('1', '30', 'Retención del 30 % del IVA', 'Withholding of 30% of IVA'),
  iva('11', '50', 'Retención del 50 % del IVA', 'Withholding of 50% of IVA'),
  iva('2', '70', 'Retención del 70 % del IVA', 'Withholding of 70% of IVA'),
  iva('3', '100', 'Retención del 100 % del IVA', 'Withholding of 100% of IVA'),
  iva('7', '0', 'Retención en cero del IVA', 'Withholding of zero IVA'),
  iva('8', '0', 'No procede retención de IVA', 'No withholding of IVA'),
] as const;

const ISD_CODES = [
  isd('4580', '5', { validTo: '2021-12-31' }),
  isd('4580', '4.75', { validFrom: '2022-01-01', validTo: '2022-03-31' }),
  isd('4580', '4.50', { validFrom: '2022-04-01', validTo: '2022-06-30' }),
  isd('4580', '4.25', { validFrom: '2022-07-01', validTo: '2022-09-30' }),
  isd('4580', '4.00', { validFrom: '2022-10-01', validTo: '2023-01-31' }),
  isd('4580', '3.75', { validFrom: '2023-02-01', validTo: '2023-06-30' }),
  isd('4580', '3.50', { validFrom: '2023-07-01', validTo: '2024-03-31' }),
  isd('4580', '5', { validFrom: '2024-04-01' }),
  isd('4586', '2.5', { validFrom: '2025-05-01' }),
] as const;

const INCOME_CODES: readonly WithholdingCode[] = [
  income('303', '10', 'Honorarios profesionales con título', 'Professional fees, with a degree'),
  ...changed('303A', '3', '5', 'Servicios profesionales de sociedades', 'Professional services of companies'),
  income('304', '10', 'Servicios de intelecto sin título', 'Services of the intellect, without a degree'),
  income('304A', '10', 'Comisiones a personas naturales', 'Commissions to persons'),
  income('304B', '10', 'Notarios y registradores', 'Notaries and registrars'),
  income('304C', '10', 'Deportistas, entrenadores y árbitros', 'Athletes, coaches and referees'),
  income('304D', '10', 'Artistas', 'Artists'),
  income('304E', '10', 'Docencia', 'Teaching'),
  ...changed('307', '2', '3', 'Servicios de mano de obra', 'Services of manual work'),
  income('308', '10', 'Uso de imagen o renombre', 'Use of image or renown'),
  ...changed('309', '2.75', '3', 'Publicidad y medios de comunicación', 'Advertising and media'),
  income('310', '1', 'Transporte privado de pasajeros o de carga', 'Private transport of passengers or cargo'),
  income(
    '310',
    '0',
    'Transporte privado de pasajeros o de carga, en cero',
    'Private transport of passengers or cargo, at zero',
    { validFrom: '2026-08-01' },
    TRANSPORT_2026,
  ),
  ...changed(
    '311',
    '2',
    '3',
    'Compras con liquidación: nivel cultural o rusticidad',
    'Purchases with a settlement: sellers without invoices',
  ),
  ...changed('312', '1.75', '2', 'Bienes muebles', 'Movable goods'),
  income('312A', '1', 'Productos agropecuarios y de mar, al productor', 'Farm and sea products, to the producer'),
  income(
    '312C',
    '1.75',
    'Productos agropecuarios y de mar, al comercializador',
    'Farm and sea products, to the trader',
  ),
  income('314A', '10', 'Regalías de franquicias, a personas', 'Franchise royalties, to persons'),
  income('314B', '10', 'Cánones, marcas y patentes, a personas', 'Copyrights, trademarks and patents, to persons'),
  income('314C', '10', 'Regalías de franquicias, a sociedades', 'Franchise royalties, to companies'),
  income('314D', '10', 'Cánones, marcas y patentes, a sociedades', 'Copyrights, trademarks and patents, to companies'),
  income('319', '2', 'Arrendamiento mercantil', 'Financial leasing'),
  income('320', '10', 'Arriendo de bienes inmuebles', 'Rent of real estate'),
  ...changed('322', '1', '2', 'Seguros y reaseguros, sobre la prima', 'Insurance and reinsurance, on the premium'),
  income('323', '3', 'Rendimientos financieros', 'Financial yields'),
  income('323A', '3', 'Rendimientos de cuentas corrientes', 'Yields of current accounts'),
  income('323B1', '3', 'Rendimientos de cuentas de ahorros de sociedades', 'Yields of savings accounts of companies'),
  income('323E', '3', 'Depósitos a plazo fijo, gravados', 'Term deposits, taxed'),
  income('323E2', '0', 'Depósitos a plazo fijo, exentos', 'Term deposits, exempt'),
  income('323F', '3', 'Operaciones de reporto', 'Repurchase agreements'),
  income('323G', '3', 'Rendimientos de otras inversiones', 'Yields of other investments'),
  income('323H', '3', 'Obligaciones', 'Bonds'),
  income('323I', '3', 'Bonos convertibles en acciones', 'Bonds convertible into shares'),
  income('323M', '3', 'Títulos de renta fija, gravados', 'Fixed income securities, taxed'),
  income('323N', '0', 'Títulos de renta fija, exentos', 'Fixed income securities, exempt'),
  income('323O', '0', 'Intereses a bancos y entidades controladas', 'Interest to banks and supervised entities'),
  income('323P', '3', 'Intereses que paga el sector público', 'Interest paid by the public sector'),
  income('323Q', '3', 'Otros intereses y rendimientos, gravados', 'Other interest and yields, taxed'),
  income('323R', '0', 'Otros intereses y rendimientos, exentos', 'Other interest and yields, exempt'),
  income(
    '323S',
    '3',
    'Pagos del Banco Central y de depósitos de valores por cuenta de terceros',
    'Payments of the Central Bank and of securities depositories for third parties',
  ),
  income('323T', '0', 'Rendimientos de la deuda pública', 'Yields of public debt'),
  income(
    '323U',
    '0',
    'Rendimientos de obligaciones para proyectos público-privados',
    'Yields of bonds for public-private projects',
  ),
  income('324A', '2', 'Intereses y comisiones de crédito entre instituciones financieras', 'Credit between banks'),
  income('324B', '2', 'Inversiones entre instituciones financieras', 'Investments between banks'),
  income(
    '324C',
    '2',
    'Pagos del Banco Central y de depósitos de valores entre instituciones financieras',
    'Payments of the Central Bank and of securities depositories between banks',
  ),
  income('325', '25', 'Anticipo de dividendos', 'Dividends in advance'),
  income('325A', '25', 'Préstamos a accionistas', 'Loans to shareholders'),
  income('3250', '0', 'Dividendos sin retención', 'Dividends without withholding'),
  income('326', null, 'Dividendos', 'Dividends'),
  income('327', null, 'Dividendos a personas naturales residentes', 'Dividends to resident persons'),
  income('328', '0', 'Dividendos a sociedades residentes', 'Dividends to resident companies'),
  income('329', '0', 'Dividendos a fideicomisos residentes', 'Dividends to resident trusts'),
  income('331', '0', 'Dividendos en acciones', 'Dividends in shares'),
  income(
    '332',
    '0',
    'Compras no sujetas a retención, incluido negocio popular',
    'Purchases without withholding, negocio popular included',
  ),
  income('332B', '0', 'Compra de bienes inmuebles', 'Purchase of real estate'),
  income('332C', '0', 'Transporte público de pasajeros', 'Public transport of passengers'),
  income('332D', '0', 'Transporte internacional', 'International transport'),
  income('332E', '0', 'Cooperativas de transporte a sus socios', 'Transport cooperatives to their members'),
  income(
    '332E',
    '1',
    'Cooperativas de transporte a sus socios, al uno por ciento',
    'Transport cooperatives to their members, at one percent',
    { validFrom: '2026-08-01' },
    TRANSPORT_2026,
  ),
  income('332F', '0', 'Compraventa de divisas', 'Purchase and sale of foreign currency'),
  income('332G', '0', 'Pagos con tarjeta', 'Payments by card'),
  income('332H', '0', 'Pagos al exterior con tarjeta', 'Payments abroad by card'),
  income('332I', '0', 'Pagos por convenio de débito', 'Payments by debit agreement'),
  income('333', '10', 'Ganancia por derechos de capital cotizados', 'Gain on listed capital rights'),
  income('334', '2', 'Ganancia por derechos de capital no cotizados', 'Gain on unlisted capital rights'),
  income('335', '15', 'Loterías, rifas y apuestas', 'Lotteries, raffles and bets'),
  income('336', '0.2', 'Combustibles a comercializadoras', 'Fuels to traders'),
  income('337', '0.3', 'Combustibles a distribuidores', 'Fuels to distributors'),
  income('338', null, 'Banano, venta local', 'Bananas, local sale'),
  income('340', '3', 'Banano, impuesto único a la exportación', 'Bananas, single tax on exports'),
  closed('341', 'Banano, tabla anterior (341)', 'Bananas, older table (341)'),
  closed('342', 'Banano, tabla anterior (342)', 'Bananas, older table (342)'),
  closed('342A', 'Banano, tabla anterior (342A)', 'Bananas, older table (342A)'),
  closed('342B', 'Banano, tabla anterior (342B)', 'Bananas, older table (342B)'),
  income('343', '1', 'RIMPE emprendedores y otras al 1 %', 'RIMPE entrepreneurs and others at 1%'),
  ...changed('343A', '1', '2', 'Energía eléctrica', 'Electric power'),
  ...changed('343B', '1.75', '2', 'Actividades de construcción', 'Construction'),
  income('343C', '2', 'Recepción de botellas PET', 'Reception of PET bottles'),
  closed('344', 'Otras, tabla anterior', 'Others, older table'),
  ...changed('3440', '2.75', '3', 'Otras retenciones', 'Other withholdings'),
  income('344A', '2', 'Pagos de emisoras de tarjetas', 'Payments of card issuers'),
  income('344B', '2', 'Sustancias minerales', 'Minerals'),
  income('346', null, 'Otros porcentajes', 'Other percentages'),
  income('346A', null, 'Otras ganancias de capital', 'Other capital gains'),
  income('346B', null, 'Donaciones en dinero', 'Donations in money'),
  income('346C', null, 'Exportación de concentrados y metales', 'Export of concentrates and metals'),
  income('346D', null, 'Productos forestales', 'Forest products'),
  income('3480', '15', 'Pronósticos deportivos', 'Sports bets'),
  income('3481', null, 'Autorretención de grandes contribuyentes', 'Self-withholding of large taxpayers'),
  ...changed('3482', '3', '5', 'Comisiones a sociedades', 'Commissions to companies'),
  income('350', null, 'Autorretención', 'Self-withholding'),
  abroad('500', 'rentas inmobiliarias', 'income from real estate'),
  abroad('501', 'beneficios empresariales', 'business profits'),
  abroad('502', 'servicios empresariales', 'business services'),
  abroad('503', 'navegación marítima y aérea', 'shipping and air transport'),
  ...['504', '504A', '504B', '504C', '504D', '504E', '504F', '504G', '504H'].map((code) =>
    abroad(code, `dividendos (${code})`, `dividends (${code})`),
  ),
  ...['505', '505A', '505B', '505C', '505D', '505E', '505F'].map((code) =>
    abroad(code, `intereses y rendimientos financieros (${code})`, `interest and financial yields (${code})`),
  ),
  abroad('509', 'cánones, marcas y patentes', 'copyrights, trademarks and patents'),
  abroad('509A', 'regalías de franquicias', 'franchise royalties'),
  abroad('510', 'otras ganancias de capital', 'other capital gains'),
  abroad('511', 'servicios profesionales independientes', 'independent professional services'),
  abroad('512', 'servicios profesionales dependientes', 'dependent professional services'),
  abroad('513', 'artistas y deportistas', 'artists and athletes'),
  abroad('514', 'participación de consejeros', "directors' fees"),
  abroad('515', 'entretenimiento público', 'public entertainment'),
  abroad('516', 'pensiones', 'pensions'),
  abroad('517', 'reembolso de gastos', 'reimbursement of expenses'),
  abroad('518', 'funciones públicas', 'public service'),
  abroad('519', 'estudiantes', 'students'),
  abroad('520', 'otros ingresos gravados', 'other taxed income'),
  abroad('520A', 'servicios hoteleros y turísticos', 'hotel and tourist services'),
  abroad('520B', 'arrendamiento mercantil internacional', 'international leasing'),
  abroad('520D', 'comisiones por exportaciones y turismo receptivo', 'commissions on exports and inbound tourism'),
  abroad('520E', 'empresas de transporte y de pesca de altura', 'transport and deep sea fishing companies'),
  abroad('520F', 'agencias internacionales de prensa', 'international press agencies'),
  abroad('520G', 'fletamento de naves', 'chartering of ships and aircraft'),
  abroad('521', 'enajenación de derechos de capital', 'sale of capital rights'),
  ...['522A', '522B', '522C'].map((code) =>
    abroad(
      code,
      `servicios técnicos, de consultoría y regalías (${code})`,
      `technical services and royalties (${code})`,
    ),
  ),
  ...['523A', '523B', '523C'].map((code) =>
    abroad(code, `seguros y reaseguros (${code})`, `insurance and reinsurance (${code})`),
  ),
  abroad('524', 'otros pagos', 'other payments'),
  abroad('525', 'donaciones en dinero', 'donations in money'),
];

/** Every concept of withholding: income tax, IVA and ISD. */
export const withholdingCodes: readonly WithholdingCode[] = [...INCOME_CODES, ...IVA_CODES, ...ISD_CODES];

/**
 * The rows of a code that are in force on a day, YYYY-MM-DD; empty for a code that is unknown or closed.
 *
 * @throws TypeError for another form of the day.
 */
export function findWithholdingCodes(tax: string, code: string, date: IsoDate): readonly WithholdingCode[] {
  return withholdingCodes.filter((row) => row.tax === tax && row.code === code && isInForce(row, date));
}
