import {
  decimal,
  type ElementRule,
  line,
  one,
  optional,
  pattern,
  several,
  text,
  type ValueRule,
} from './element-rule.js';

/**
 * The structure reception asks of a document, signature left out, or why it has none to ask for.
 *
 * @param root name of the root element.
 * @see Ficha técnica off-line v2.34, anexos 1, 3, 8, 9 and 11, and the rules its schemas state.
 */
export function findRules(root: string, version: string): ElementRule | 'noSuchVersion' | 'noSuchDocument' {
  const versions = RULES.get(root);
  if (!versions) return 'noSuchDocument';
  return versions.get(version) ?? 'noSuchVersion';
}

/** Documents of the SRI that this simulator does not know the structure of. */
export const OTHER_DOCUMENTS: ReadonlySet<string> = new Set([
  'liquidacionCompra',
  'notaDebito',
  'guiaRemision',
  'comprobanteRetencion',
]);

// --- internal ---

const AMOUNT = decimal(14, 2);
const SIGNED_AMOUNT: ValueRule = { kind: 'decimal', digits: 14, decimals: 2, signed: true };
const RATE = decimal(4, 2);
const DATE = pattern('(0[1-9]|[12][0-9]|3[01])/(0[1-9]|1[012])/20[0-9][0-9]');
const THREE_DIGITS = pattern('[0-9]{3}');
const NINE_DIGITS = pattern('[0-9]{9}');
const TWO_DIGITS = pattern('[0-9]{2}');
const DOCUMENT_NUMBER = pattern('[0-9]{3}-[0-9]{3}-[0-9]{9}');
const ID_TYPE = pattern('0[4-8]');
const TAX_CODE = pattern('[235]');
const RATE_CODE = pattern('[0-9]{1,4}');
const ROOT = { id: pattern('comprobante'), version: text(10) };
const RIMPE = pattern('CONTRIBUYENTE (NEGOCIO POPULAR - )?RÉGIMEN RIMPE');

const INFO_TRIBUTARIA = one('infoTributaria', [
  one('ambiente', pattern('[12]')),
  one('tipoEmision', pattern('[12]')),
  one('razonSocial', line(300)),
  optional('nombreComercial', line(300)),
  one('ruc', pattern('[0-9]{10}001')),
  one('claveAcceso', pattern('[0-9]{49}')),
  one('codDoc', TWO_DIGITS),
  one('estab', THREE_DIGITS),
  one('ptoEmi', THREE_DIGITS),
  one('secuencial', NINE_DIGITS),
  one('dirMatriz', line(300)),
  optional('agenteRetencion', pattern('[0-9]{1,8}')),
  optional('contribuyenteRimpe', RIMPE),
]);

const INFO_ADICIONAL = optional('infoAdicional', [
  several('campoAdicional', text(300), { max: 15, attributes: { nombre: text(300) } }),
]);

const MAQUINA_FISCAL = optional('maquinaFiscal', [
  one('marca', line(30)),
  one('modelo', line(30)),
  one('serie', line(30)),
]);

const DETALLES_ADICIONALES = optional('detallesAdicionales', [
  several('detAdicional', null, { max: 3, attributes: { nombre: text(300), valor: text(300) } }),
]);

const COMPENSACION = [one('codigo', pattern('1')), one('tarifa', RATE), one('valor', AMOUNT)];
const COMPENSACIONES = optional('compensaciones', [several('compensacion', COMPENSACION)]);

const REEMBOLSOS = optional('reembolsos', [
  several('reembolsoDetalle', [
    one('tipoIdentificacionProveedorReembolso', ID_TYPE),
    one('identificacionProveedorReembolso', line(20)),
    optional('codPaisPagoProveedorReembolso', THREE_DIGITS),
    one('tipoProveedorReembolso', pattern('0[12]')),
    one('codDocReembolso', pattern('[0-9]{2,3}')),
    one('estabDocReembolso', THREE_DIGITS),
    one('ptoEmiDocReembolso', THREE_DIGITS),
    one('secuencialDocReembolso', NINE_DIGITS),
    one('fechaEmisionDocReembolso', DATE),
    one('numeroautorizacionDocReemb', pattern('[0-9]{10,49}')),
    one('detalleImpuestos', [
      several('detalleImpuesto', [
        one('codigo', TAX_CODE),
        one('codigoPorcentaje', RATE_CODE),
        one('tarifa', RATE),
        one('baseImponibleReembolso', AMOUNT),
        one('impuestoReembolso', AMOUNT),
      ]),
    ]),
    optional('compensacionesReembolso', [several('compensacionReembolso', COMPENSACION)]),
  ]),
]);

const RETENCIONES = optional('retenciones', [
  several('retencion', [
    one('codigo', pattern('4')),
    one('codigoPorcentaje', pattern('[0-9]{1,3}')),
    one('tarifa', decimal(5, 2)),
    one('valor', AMOUNT),
  ]),
]);

const SUSTITUTIVA_GUIA = optional('infoSustitutivaGuiaRemision', [
  one('dirPartida', line(300)),
  one('dirDestinatario', line(300)),
  one('fechaIniTransporte', DATE),
  one('fechaFinTransporte', DATE),
  one('razonSocialTransportista', line(300)),
  one('tipoIdentificacionTransportista', ID_TYPE),
  one('rucTransportista', line(20)),
  one('placa', line(20)),
  one('destinos', [
    several('destino', [
      one('motivoTraslado', line(300)),
      optional('docAduaneroUnico', line(64)),
      optional('codEstabDestino', THREE_DIGITS),
      optional('ruta', line(300)),
    ]),
  ]),
]);

const RUBROS_TERCEROS = optional('otrosRubrosTerceros', [
  several('rubro', [one('concepto', line(300)), one('total', AMOUNT)]),
]);

const INFO_FACTURA = one('infoFactura', [
  one('fechaEmision', DATE),
  optional('dirEstablecimiento', line(300)),
  optional('contribuyenteEspecial', pattern('[A-Za-z0-9]{3,13}')),
  optional('obligadoContabilidad', pattern('SI|NO')),
  optional('comercioExterior', pattern('EXPORTADOR')),
  optional('incoTermFactura', pattern('[A-Z]{1,10}')),
  optional('lugarIncoTerm', line(300)),
  optional('paisOrigen', THREE_DIGITS),
  optional('puertoEmbarque', line(300)),
  optional('puertoDestino', line(300)),
  optional('paisDestino', THREE_DIGITS),
  optional('paisAdquisicion', THREE_DIGITS),
  one('tipoIdentificacionComprador', ID_TYPE),
  optional('guiaRemision', DOCUMENT_NUMBER),
  one('razonSocialComprador', line(300)),
  one('identificacionComprador', line(20)),
  optional('direccionComprador', line(300)),
  one('totalSinImpuestos', AMOUNT),
  optional('totalSubsidio', AMOUNT),
  optional('incoTermTotalSinImpuestos', pattern('[A-Z]{1,10}')),
  one('totalDescuento', SIGNED_AMOUNT),
  optional('codDocReembolso', pattern('[0-9]{2,3}')),
  optional('totalComprobantesReembolso', AMOUNT),
  optional('totalBaseImponibleReembolso', AMOUNT),
  optional('totalImpuestoReembolso', AMOUNT),
  one('totalConImpuestos', [
    several('totalImpuesto', [
      one('codigo', TAX_CODE),
      one('codigoPorcentaje', RATE_CODE),
      optional('descuentoAdicional', SIGNED_AMOUNT),
      one('baseImponible', AMOUNT),
      optional('tarifa', RATE),
      one('valor', AMOUNT),
      optional('valorDevolucionIva', AMOUNT),
    ]),
  ]),
  COMPENSACIONES,
  optional('propina', AMOUNT),
  optional('fleteInternacional', AMOUNT),
  optional('seguroInternacional', AMOUNT),
  optional('gastosAduaneros', AMOUNT),
  optional('gastosTransporteOtros', AMOUNT),
  one('importeTotal', AMOUNT),
  optional('moneda', line(15)),
  optional('placa', line(20)),
  optional('pagos', [
    several('pago', [
      one('formaPago', pattern('0[1-9]|1[0-9]|2[01]')),
      one('total', AMOUNT),
      optional('plazo', AMOUNT),
      optional('unidadTiempo', line(10)),
    ]),
  ]),
  optional('valorRetIva', AMOUNT),
  optional('valorRetRenta', AMOUNT),
]);

/** @param quantity digits of cantidad and of the prices of one unit, which is all most versions differ in. */
function facturaItems(quantity: ValueRule): ElementRule {
  return one('detalles', [
    several('detalle', [
      optional('codigoPrincipal', line(25)),
      optional('codigoAuxiliar', line(25)),
      one('descripcion', line(300)),
      optional('unidadMedida', line(50)),
      one('cantidad', quantity),
      one('precioUnitario', quantity),
      optional('precioSinSubsidio', quantity),
      one('descuento', AMOUNT),
      one('precioTotalSinImpuesto', AMOUNT),
      DETALLES_ADICIONALES,
      one('impuestos', [
        several('impuesto', [
          one('codigo', TAX_CODE),
          one('codigoPorcentaje', RATE_CODE),
          one('tarifa', RATE),
          one('baseImponible', AMOUNT),
          one('valor', AMOUNT),
        ]),
      ]),
    ]),
  ]);
}

function factura(quantity: ValueRule, extras: readonly ElementRule[]): ElementRule {
  return one(
    'factura',
    [
      INFO_TRIBUTARIA,
      INFO_FACTURA,
      facturaItems(quantity),
      REEMBOLSOS,
      ...extras,
      optional('tipoNegociable', [one('correo', line(100))]),
      MAQUINA_FISCAL,
      INFO_ADICIONAL,
    ],
    ROOT,
  );
}

function notaCredito(quantity: ValueRule): ElementRule {
  return one(
    'notaCredito',
    [
      INFO_TRIBUTARIA,
      one('infoNotaCredito', [
        one('fechaEmision', DATE),
        optional('dirEstablecimiento', line(300)),
        one('tipoIdentificacionComprador', ID_TYPE),
        one('razonSocialComprador', line(300)),
        one('identificacionComprador', line(20)),
        optional('contribuyenteEspecial', pattern('[A-Za-z0-9]{3,13}')),
        optional('obligadoContabilidad', pattern('SI|NO')),
        optional('rise', text(40)),
        one('codDocModificado', TWO_DIGITS),
        one('numDocModificado', DOCUMENT_NUMBER),
        one('fechaEmisionDocSustento', DATE),
        one('totalSinImpuestos', AMOUNT),
        COMPENSACIONES,
        one('valorModificacion', AMOUNT),
        optional('moneda', line(15)),
        one('totalConImpuestos', [
          several('totalImpuesto', [
            one('codigo', TAX_CODE),
            one('codigoPorcentaje', RATE_CODE),
            one('baseImponible', AMOUNT),
            one('valor', AMOUNT),
            optional('valorDevolucionIva', AMOUNT),
          ]),
        ]),
        one('motivo', line(300)),
      ]),
      one('detalles', [
        several('detalle', [
          optional('codigoInterno', line(25)),
          optional('codigoAdicional', line(25)),
          one('descripcion', line(300)),
          one('cantidad', quantity),
          one('precioUnitario', quantity),
          optional('descuento', AMOUNT),
          one('precioTotalSinImpuesto', AMOUNT),
          DETALLES_ADICIONALES,
          one('impuestos', [
            several(
              'impuesto',
              [
                one('codigo', TAX_CODE),
                one('codigoPorcentaje', RATE_CODE),
                optional('tarifa', RATE),
                one('baseImponible', AMOUNT),
                one('valor', AMOUNT),
              ],
              { min: 0 },
            ),
          ]),
        ]),
      ]),
      MAQUINA_FISCAL,
      INFO_ADICIONAL,
    ],
    ROOT,
  );
}

const TWO_DECIMALS = decimal(14, 2);
const SIX_DECIMALS = decimal(18, 6);

const RULES: ReadonlyMap<string, ReadonlyMap<string, ElementRule>> = new Map([
  [
    'factura',
    new Map([
      ['1.0.0', factura(TWO_DECIMALS, [])],
      ['1.1.0', factura(SIX_DECIMALS, [RETENCIONES])],
      ['2.0.0', factura(TWO_DECIMALS, [SUSTITUTIVA_GUIA, RUBROS_TERCEROS])],
      ['2.1.0', factura(SIX_DECIMALS, [RETENCIONES, SUSTITUTIVA_GUIA, RUBROS_TERCEROS])],
    ]),
  ],
  [
    'notaCredito',
    new Map([
      ['1.0.0', notaCredito(TWO_DECIMALS)],
      ['1.1.0', notaCredito(SIX_DECIMALS)],
    ]),
  ],
]);
