import { decimal, type ElementRule, line, one, optional, pattern, several } from '../parts/element-rule.js';
import { reembolsosRule } from '../parts/reimbursements.js';
import {
  AMOUNT,
  comprobante,
  DATE,
  ID_TYPE,
  INFO_ADICIONAL,
  issueHead,
  RATE_CODE,
  SIGNED_AMOUNT,
  TAX_CODE,
  TWO_DIGITS,
  YES_OR_NO,
} from '../parts/structure.js';

/** [tarifa, porcentajeRetener] */
const RATE = decimal(3, 2);
const NUMBER = pattern('[0-9]{15}');

/** [codigo … valorRetenido] */
function amounts(tax: string) {
  return [
    one('codigo', pattern(tax)),
    one('codigoRetencion', line(5)),
    one('baseImponible', AMOUNT),
    one('porcentajeRetener', RATE),
    one('valorRetenido', AMOUNT),
  ];
}

const DOC_SUSTENTO: readonly ElementRule[] = [
  one('codSustento', TWO_DIGITS),
  one('codDocSustento', pattern('[0-9]{1,3}')),
  one('numDocSustento', NUMBER),
  one('fechaEmisionDocSustento', DATE),
  optional('fechaRegistroContable', DATE),
  optional('numAutDocSustento', pattern('[0-9]{10,49}')),
  one('pagoLocExt', pattern('01|02')),
  optional('tipoRegi', TWO_DIGITS),
  optional('paisEfecPago', pattern('[0-9]{3,4}')),
  optional('aplicConvDobTrib', YES_OR_NO),
  optional('pagExtSujRetNorLeg', YES_OR_NO),
  optional('pagoRegFis', YES_OR_NO),
  optional('totalComprobantesReembolso', SIGNED_AMOUNT),
  optional('totalBaseImponibleReembolso', SIGNED_AMOUNT),
  optional('totalImpuestoReembolso', SIGNED_AMOUNT),
  one('totalSinImpuestos', SIGNED_AMOUNT),
  one('importeTotal', AMOUNT),
  one('impuestosDocSustento', [
    several('impuestoDocSustento', [
      one('codImpuestoDocSustento', TAX_CODE),
      one('codigoPorcentaje', RATE_CODE),
      one('baseImponible', AMOUNT),
      one('tarifa', RATE),
      one('valorImpuesto', AMOUNT),
    ]),
  ]),
  one('retenciones', [
    several('retencion', [
      ...amounts('[126]'),
      optional('dividendos', [
        one('fechaPagoDiv', DATE),
        one('imRentaSoc', AMOUNT),
        one('ejerFisUtDiv', pattern('(19|20)[0-9]{2}')),
      ]),
      optional('compraCajBanano', [one('numCajBan', pattern('[0-9]{1,7}')), one('precCajBan', AMOUNT)]),
    ]),
  ]),
  reembolsosRule({
    authorization: 'numeroAutorizacionDocReemb',
    rate: pattern('[0-9]{1,4}'),
    documentType: TWO_DIGITS,
  }),
  one('pagos', [several('pago', [one('formaPago', pattern('0[1-9]|1[0-9]|2[01]')), one('total', AMOUNT)])]),
];

/**
 * The structure of a comprobanteRetencion, by schema version. Ficha técnica off-line v2.34, anexos 1 and 10, and its
 * schemas.
 */
export const WITHHOLDING_STRUCTURES: Readonly<Record<string, ElementRule>> = {
  '1.0.0': comprobanteRetencion({
    specialTaxpayer: '[A-Za-z0-9]{3,13}',
    subject: [],
    fiscalPeriod: '[0-9]{2}/[0-9]{4}',
    list: one('impuestos', [
      several('impuesto', [
        ...amounts('[0-9]'),
        optional('codDocSustento', TWO_DIGITS),
        optional('numDocSustento', NUMBER),
        optional('fechaEmisionDocSustento', DATE),
      ]),
    ]),
    foot: INFO_ADICIONAL,
  }),
  '2.0.0': comprobanteRetencion({
    specialTaxpayer: '[A-Za-z0-9]{3,5}',
    subject: [optional('tipoSujetoRetenido', pattern('01|02')), one('parteRel', YES_OR_NO)],
    fiscalPeriod: '(0[1-9]|1[012])/20[0-9][0-9]',
    list: one('docsSustento', [several('docSustento', DOC_SUSTENTO)]),
    // Unlike every other schema, this one takes no line feeds here.
    foot: optional('infoAdicional', [
      several('campoAdicional', line(300), { max: 15, attributes: { nombre: line(300) } }),
    ]),
  }),
};

// --- internal ---

function comprobanteRetencion(own: {
  readonly specialTaxpayer: string;
  readonly subject: readonly ElementRule[];
  readonly fiscalPeriod: string;
  readonly list: ElementRule;
  readonly foot: ElementRule;
}): ElementRule {
  return comprobante(
    'comprobanteRetencion',
    [
      one('infoCompRetencion', [
        ...issueHead(own.specialTaxpayer),
        one('tipoIdentificacionSujetoRetenido', ID_TYPE),
        ...own.subject,
        one('razonSocialSujetoRetenido', line(300)),
        one('identificacionSujetoRetenido', line(20)),
        one('periodoFiscal', pattern(own.fiscalPeriod)),
      ]),
      own.list,
    ],
    own.foot,
  );
}
