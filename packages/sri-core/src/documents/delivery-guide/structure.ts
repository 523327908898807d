import {
  type ElementRule,
  line,
  one,
  optional,
  pattern,
  several,
  text,
  type ValueRule,
} from '../parts/element-rule.js';
import {
  comprobante,
  DATE,
  DET_ADICIONAL,
  DOCUMENT_NUMBER,
  ID_TYPE,
  SIX_DECIMALS,
  THREE_DIGITS,
  TWO_DECIMALS,
  TWO_DIGITS,
  YES_OR_NO,
} from '../parts/structure.js';

/** The structure of a guiaRemision, by schema version. Ficha técnica off-line v2.34, anexo 1, and its schemas. */
export const DELIVERY_GUIDE_STRUCTURES: Readonly<Record<string, ElementRule>> = {
  '1.0.0': guiaRemision(TWO_DECIMALS),
  '1.1.0': guiaRemision(SIX_DECIMALS),
};

// --- internal ---

function guiaRemision(quantity: ValueRule): ElementRule {
  return comprobante('guiaRemision', [
    one('infoGuiaRemision', [
      optional('dirEstablecimiento', line(300)),
      one('dirPartida', line(300)),
      one('razonSocialTransportista', line(300)),
      one('tipoIdentificacionTransportista', ID_TYPE),
      one('rucTransportista', line(20)),
      optional('rise', text(40)),
      optional('obligadoContabilidad', YES_OR_NO),
      optional('contribuyenteEspecial', pattern('[A-Za-z0-9]{3,13}')),
      one('fechaIniTransporte', DATE),
      one('fechaFinTransporte', DATE),
      one('placa', line(20)),
    ]),
    one('destinatarios', [
      several('destinatario', [
        one('identificacionDestinatario', line(20)),
        one('razonSocialDestinatario', line(300)),
        one('dirDestinatario', line(300)),
        one('motivoTraslado', line(300)),
        optional('docAduaneroUnico', line(20)),
        optional('codEstabDestino', THREE_DIGITS),
        optional('ruta', line(300)),
        optional('codDocSustento', TWO_DIGITS),
        optional('numDocSustento', DOCUMENT_NUMBER),
        optional('numAutDocSustento', pattern('[0-9]{10,49}')),
        optional('fechaEmisionDocSustento', DATE),
        one('detalles', [
          several('detalle', [
            optional('codigoInterno', line(25)),
            optional('codigoAdicional', line(25)),
            one('descripcion', line(300)),
            one('cantidad', quantity),
            // Unlike elsewhere, it may be empty.
            optional('detallesAdicionales', [{ ...DET_ADICIONAL, min: 0 }]),
          ]),
        ]),
      ]),
    ]),
  ]);
}
