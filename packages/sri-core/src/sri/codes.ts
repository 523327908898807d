/** One code of the SRI: its meaning and its remedy. */
export interface SriCode {
  /** As the SRI sends it in `identificador`. */
  readonly code: string;
  /** A warning (ADVERTENCIA) accompanies an authorization and rejects nothing. */
  readonly kind: 'error' | 'warning';
  /** The place of the code in the Ficha técnica. `issuer`: the issuer should check it; the SRI may send it as well. */
  readonly phase: 'reception' | 'authorization' | 'issuer' | 'query';
  /** The SRI's wording, approximately: accents and endings vary on the wire. */
  readonly sriText: string;
  /** Who must act: the issuer towards the SRI, the operator of the software, the SRI (the caller waits), or no party. */
  readonly who: 'issuer' | 'software' | 'sri' | 'nobody';
  /** Whether resending the same bytes can succeed. */
  readonly retryable: boolean;
  /** Whether the corrected document keeps its access key and number. */
  readonly sameKey: boolean;
  readonly meaning: Readonly<Record<'es' | 'en', string>>;
  readonly advice: Readonly<Record<'es' | 'en', string>>;
}

/** The meaning and the advice. */
type Texts = Readonly<Record<'es' | 'en' | 'adviceEs' | 'adviceEn', string>>;

/** An error that the same bytes meet again, and whose corrected document keeps its key, unless `own` differs. */
function row<const Code extends string>(
  code: Code,
  phase: SriCode['phase'],
  who: SriCode['who'],
  sriText: string,
  own: Texts & Partial<Pick<SriCode, 'kind' | 'retryable' | 'sameKey'>>,
): SriCode & { readonly code: Code } {
  const { es, en, adviceEs, adviceEn, ...facts } = own;
  const texts = { meaning: { es, en }, advice: { es: adviceEs, en: adviceEn } };
  return { code, kind: 'error', phase, sriText, who, retryable: false, sameKey: true, ...texts, ...facts };
}

/**
 * The codes that reception, authorization and the query services send for documents.
 *
 * @see Ficha técnica off-line v2.34, §11. The 3000s to 6000s (IVA refund services) are left out.
 */
export const SRI_CODES = [
  row('2', 'authorization', 'issuer', 'RUC DEL EMISOR NO SE ENCUENTRA ACTIVO', {
    es: 'El RUC del emisor no está activo.',
    en: "The issuer's RUC is not active.",
    adviceEs:
      'Regularice el RUC en el SRI; luego reconstruya el comprobante («Corregir», sin cambios) y envíelo otra vez.',
    adviceEn: 'Put the RUC in order at the SRI, then rebuild it under the same key, and send it again.',
  }),
  row('10', 'authorization', 'issuer', 'ESTABLECIMIENTO DEL EMISOR SE ENCUENTRA CLAUSURADO', {
    es: 'El establecimiento está clausurado por sanción.',
    en: 'The establishment is closed as a sanction.',
    adviceEs: 'Levante la clausura en el SRI; reenviar antes no sirve.',
    adviceEn: 'Have the closure lifted at the SRI; sending again before that is useless.',
  }),
  row('26', 'reception', 'software', 'TAMAÑO MAXIMO SUPERADO', {
    es: 'El archivo supera el tamaño permitido (320 KB).',
    en: 'The file is larger than allowed (320 KB).',
    adviceEs: 'Corrija el comprobante con la misma clave: divídalo o acorte textos.',
    adviceEn: 'Split the document or shorten its texts, and rebuild it under the same key.',
  }),
  row('27', 'authorization', 'issuer', 'CLASE NO PERMITIDA', {
    es: 'La clase de contribuyente no puede emitir este comprobante.',
    en: 'This class of taxpayer may not issue this document.',
    adviceEs: 'Consulte al SRI qué comprobantes puede emitir el contribuyente.',
    adviceEn: 'Ask the SRI which documents the taxpayer may issue.',
  }),
  row('28', 'reception', 'issuer', 'ACUERDO DE MEDIOS ELECTRONICOS NO ACEPTADO', {
    es: 'El emisor no ha aceptado el acuerdo de medios electrónicos.',
    en: "The issuer has not accepted the SRI's agreement on electronic means.",
    adviceEs:
      'Acepte el acuerdo en SRI en línea; luego reconstruya el comprobante («Corregir», sin cambios) y envíelo otra vez.',
    adviceEn: 'Accept the agreement at SRI en línea, then rebuild it under the same key, and send it again.',
  }),
  row('34', 'issuer', 'issuer', 'COMPROBANTE NO AUTORIZADO', {
    es: 'El tipo de comprobante no consta en la autorización del emisor.',
    en: "The issuer's authorization does not cover this document type.",
    adviceEs: 'Solicite la autorización del tipo de comprobante en SRI en línea, por ambiente.',
    adviceEn: 'Apply for the document type at SRI en línea, for each environment.',
  }),
  row('35', 'reception', 'software', 'DOCUMENTO INVALIDO', {
    es: 'El XML no cumple el esquema.',
    en: 'The XML does not follow the schema.',
    adviceEs: 'Corrija con la misma clave el dato que señala el detalle.',
    adviceEn: 'Correct what the detail points at, and rebuild it under the same key.',
  }),
  row('36', 'reception', 'software', 'VERSION ESQUEMA DESCONTINUADA', {
    es: 'La versión del esquema ya no se acepta.',
    en: 'The schema version is no longer taken.',
    adviceEs: 'Actualice el software y reconstruya el comprobante («Corregir», sin cambios).',
    adviceEn: 'Update the software, and rebuild the document under the same key.',
  }),
  row('37', 'authorization', 'issuer', 'RUC SIN AUTORIZACION DE EMISION', {
    es: 'El RUC no tiene autorización para emitir comprobantes electrónicos.',
    en: 'The RUC has no authorization to issue electronic documents.',
    adviceEs: 'Solicite la autorización en SRI en línea para este ambiente.',
    adviceEn: 'Apply for it at SRI en línea, for this environment.',
  }),
  row('39', 'authorization', 'software', 'FIRMA INVALIDA', {
    es: 'La firma electrónica no es válida.',
    en: 'The electronic signature is not valid.',
    adviceEs: 'Revise certificado, vigencia, RUC y hora de firma; firme de nuevo con la misma clave.',
    adviceEn: 'Check the certificate, its validity, its RUC and the signing time; sign again under the same key.',
  }),
  row('40', 'authorization', 'issuer', 'ERROR EN EL CERTIFICADO', {
    es: 'El certificado no pudo leerse o no es X.509.',
    en: 'The certificate could not be read or is not X.509.',
    adviceEs: 'Use un certificado de una entidad acreditada y firme de nuevo con la misma clave.',
    adviceEn: 'Use a certificate of an accredited authority, and sign again under the same key.',
  }),
  row('42', 'issuer', 'issuer', 'CERTIFICADO CADUCADO O REVOCADO', {
    es: 'El certificado caducó o fue revocado.',
    en: 'The certificate has expired or was revoked.',
    adviceEs: 'Renueve el certificado y firme de nuevo con la misma clave.',
    adviceEn: 'Renew the certificate, and sign again under the same key.',
  }),
  row('43', 'reception', 'nobody', 'CLAVE ACCESO REGISTRADA', {
    es: 'La clave de acceso ya está registrada: el comprobante llegó antes.',
    en: 'The access key is already registered: the document arrived earlier.',
    adviceEs: 'No la reenvíe ni cambie la clave; consulte la autorización.',
    adviceEn: 'Do not send it again or change the key; ask for the authorization.',
  }),
  row('45', 'reception', 'software', 'ERROR SECUENCIAL REGISTRADO', {
    sameKey: false,
    es: 'El número secuencial ya está registrado con otra clave de acceso.',
    en: 'The sequential is already registered under another access key.',
    adviceEs:
      'Busque primero un envío propio anterior; si otro sistema usó el número, corrija el comprobante con uno nuevo.',
    adviceEn:
      'Look for an earlier submission of your own first; if another system took the number, rebuild under a new one.',
  }),
  row('46', 'authorization', 'issuer', 'RUC NO EXISTE', {
    es: 'El RUC del emisor no existe.',
    en: "The issuer's RUC does not exist.",
    adviceEs: 'Corrija el RUC del emisor.',
    adviceEn: "Correct the issuer's RUC.",
  }),
  row('47', 'reception', 'software', 'TIPO COMPROBANTE NO EXISTE', {
    es: 'El tipo de comprobante no existe.',
    en: 'The document type does not exist.',
    adviceEs: 'Corrija codDoc.',
    adviceEn: 'Correct codDoc, and rebuild the document.',
  }),
  row('48', 'reception', 'software', 'ESQUEMA XSD NO EXISTE', {
    es: 'No hay esquema para el tipo de comprobante.',
    en: 'There is no schema for the document type.',
    adviceEs: 'Corrija el tipo o la versión.',
    adviceEn: 'Correct the type or the version, and rebuild the document.',
  }),
  row('49', 'reception', 'software', 'ARGUMENTOS QUE ENVIAN AL WS NULOS', {
    es: 'La solicitud llegó sin argumentos.',
    en: 'The request came without its argument.',
    adviceEs: 'Corrija la solicitud: el comprobante firmado va en base64.',
    adviceEn: 'Correct the request: it carries the signed document in base64.',
  }),
  row('50', 'reception', 'sri', 'ERROR INTERNO GENERAL', {
    retryable: true,
    es: 'Error interno del SRI.',
    en: 'An internal error of the SRI.',
    adviceEs: 'Espere; luego reconstruya el comprobante («Corregir», sin cambios) y envíelo otra vez.',
    adviceEn: 'Wait, rebuild it under the same key, and send it again.',
  }),
  row('52', 'authorization', 'software', 'ERROR EN DIFERENCIAS', {
    es: 'Los valores no cuadran entre sí.',
    en: 'The amounts do not agree with each other.',
    adviceEs: 'Corrija con la misma clave los cálculos que señala el detalle.',
    adviceEn: 'Correct the sums the detail points at, and rebuild it under the same key.',
  }),
  row('56', 'authorization', 'issuer', 'ESTABLECIMIENTO CERRADO', {
    es: 'El establecimiento está cerrado en el RUC.',
    en: 'The establishment is closed in the RUC.',
    adviceEs: 'Reabra el establecimiento en el SRI o emita desde otro.',
    adviceEn: 'Reopen the establishment at the SRI, or issue from another.',
  }),
  row('57', 'authorization', 'issuer', 'AUTORIZACION SUSPENDIDA', {
    es: 'La autorización de emisión está suspendida o no existía en la fecha de emisión.',
    en: 'The authorization to issue is suspended, or did not exist on the issue date.',
    adviceEs: 'Regularice la autorización en el SRI.',
    adviceEn: 'Put the authorization in order at the SRI.',
  }),
  row('58', 'authorization', 'software', 'ERROR EN LA ESTRUCTURA DE CLAVE DE ACCESO', {
    es: 'La clave de acceso no coincide con el contenido del comprobante.',
    en: 'The access key does not agree with the document.',
    adviceEs: 'Corrija el dato que difiere de la clave.',
    adviceEn: 'Correct what differs from the key, and rebuild the document.',
  }),
  row('59', 'authorization', 'nobody', 'IDENTIFICACION NO EXISTE', {
    kind: 'warning',
    es: 'Advertencia: la identificación del receptor (comprador, proveedor, sujeto retenido) no existe.',
    en: "Warning: the receiver's identification (buyer, supplier, subject of a withholding) does not exist.",
    adviceEs: 'El comprobante vale; revise la identificación para la próxima vez.',
    adviceEn: 'The document stands; check the identification for the next time.',
  }),
  row('60', 'authorization', 'nobody', 'AMBIENTE EJECUTADO', {
    kind: 'warning',
    es: 'Advertencia: el comprobante se procesó en el ambiente de pruebas.',
    en: 'Warning: the document was processed in the test environment.',
    adviceEs: 'Nada que hacer: es lo normal en pruebas.',
    adviceEn: 'Nothing to do: this is normal in the test environment.',
  }),
  row('62', 'authorization', 'nobody', 'IDENTIFICACION INCORRECTA', {
    kind: 'warning',
    es: 'Advertencia: la identificación del receptor (comprador, proveedor, sujeto retenido) tiene un dígito verificador incorrecto.',
    en: "Warning: the check digit of the receiver's identification (buyer, supplier, subject of a withholding) is wrong.",
    adviceEs: 'El comprobante vale; revise la identificación para la próxima vez.',
    adviceEn: 'The document stands; check the identification for the next time.',
  }),
  row('63', 'authorization', 'issuer', 'RUC CLAUSURADO', {
    es: 'El RUC está clausurado por sanción.',
    en: 'The RUC is closed as a sanction.',
    adviceEs: 'Levante la clausura en el SRI; reenviar antes no sirve.',
    adviceEn: 'Have the closure lifted at the SRI; sending again before that is useless.',
  }),
  row('64', 'issuer', 'software', 'CODIGO DOCUMENTO SUSTENTO', {
    es: 'El código del documento de sustento no existe.',
    en: 'The code of the sustaining document does not exist.',
    adviceEs: 'Corrija el tipo del documento modificado o de sustento.',
    adviceEn: 'Correct the type of the modified or supporting document, and rebuild.',
  }),
  row('65', 'reception', 'issuer', 'FECHA EMISION EXTEMPORANEA', {
    sameKey: false,
    es: 'La fecha de emisión está fuera de tolerancia: futura o de hace más de 90 días.',
    en: 'The issue date is out of tolerance: in the future, or over 90 days ago.',
    adviceEs: 'La clave contiene la fecha: emita un comprobante nuevo con fecha de hoy y revise el reloj.',
    adviceEn: "The key carries the date: issue it again with today's date, and check the clock.",
  }),
  row('67', 'reception', 'software', 'FECHA INVALIDA', {
    sameKey: false,
    es: 'Una fecha no existe o tiene otro formato.',
    en: 'A date does not exist or has another form.',
    adviceEs: 'Corrija la fecha (dd/mm/aaaa).',
    adviceEn: 'Correct the date (dd/mm/yyyy), and rebuild the document.',
  }),
  row('68', 'authorization', 'nobody', 'DOCUMENTO SUSTENTO', {
    kind: 'warning',
    es: 'Advertencia: el documento de sustento no consta como electrónico.',
    en: 'Warning: the sustaining document is not known as an electronic one.',
    adviceEs: 'El comprobante vale; compruebe el número si el original era electrónico.',
    adviceEn: 'The document stands; check the number if the original was electronic.',
  }),
  row('69', 'issuer', 'software', 'IDENTIFICACION DEL RECEPTOR', {
    es: 'La identificación del receptor no consta en el registro o no se admite aquí.',
    en: "The receiver's identification is not in the registry or not allowed here.",
    adviceEs: 'Corrija la identificación del receptor.',
    adviceEn: "Correct the receiver's identification, and rebuild the document.",
  }),
  row('70', 'reception', 'sri', 'CLAVE DE ACCESO EN PROCESAMIENTO', {
    es: 'La clave de acceso está en procesamiento: el comprobante ya llegó.',
    en: 'The access key is being processed: the document has arrived.',
    adviceEs: 'No reenvíe ni cambie la clave; consulte la autorización hasta por 24 horas.',
    adviceEn: 'Do not send it again or change the key; ask for the authorization, for up to 24 hours.',
  }),
  row('80', 'query', 'software', 'ERROR EN LA ESTRUCTURA DE CLAVE DE ACCESO CONSULTADA', {
    es: 'La clave de acceso consultada está mal formada.',
    en: 'The access key in the question is malformed.',
    adviceEs: 'Consulte con los 49 dígitos completos.',
    adviceEn: 'Ask with all 49 digits.',
  }),
  row('82', 'reception', 'software', 'ERROR EN LA FECHA DE INICIO DE TRANSPORTE', {
    es: 'El transporte de la guía empieza antes de su fecha de emisión.',
    en: 'The transport of the delivery guide starts before its issue date.',
    adviceEs: 'Corrija el inicio: el día de emisión u otro posterior.',
    adviceEn: 'Let it start on the day of issue or later, and rebuild the document.',
  }),
  row('92', 'reception', 'software', 'ERROR AL VALIDAR MONTO DE DEVOLUCION DEL IVA', {
    es: 'El monto de devolución de IVA no es el autorizado, o el comprador no se identifica con cédula.',
    en: 'The amount of IVA refund is not the authorised one, or the buyer is not identified by a cédula.',
    adviceEs: 'Corrija el valor: el que autorizó el servicio de devolución.',
    adviceEn: 'Use the amount that the refund service authorised, and rebuild.',
  }),
  row('99', 'query', 'software', 'ERROR AL CONSULTAR DATOS DEL SERVICIO WEB', {
    es: 'La consulta no encontró datos o la fecha está fuera del rango consultable.',
    en: 'The query found nothing, or the date is out of the range it covers.',
    adviceEs: 'Revise la clave y el ambiente; los comprobantes antiguos se consultan en el portal.',
    adviceEn: 'Check the key and the environment; old documents are looked up at the portal.',
  }),
] as const;

/**
 * The entry of a code; null for an unknown one. Leading zeros are ignored.
 *
 * @param said the message's `informacionAdicional`. It splits code 39: an invalid signature is the software's fault, a
 * certificate without the issuer's RUC, or of an authority that the SRI does not trust, is the issuer's.
 */
export function describeSriCode(code: string, said?: string | null): SriCode | null {
  const plain = code.trim().replace(/^0+(?=\d)/, '');
  if (plain === '39' && said && /\bRUC\b[^.]{0,40} en el certificado/i.test(said)) return CERTIFICATE_OF_ANOTHER;
  if (plain === '39' && said && /cadena de confianza/i.test(said)) return CERTIFICATE_NOT_TRUSTED;
  return SRI_CODES.find((candidate) => candidate.code === plain) ?? null;
}

// --- internal ---

/** 39 with «No existe el RUC en el certificado». */
const CERTIFICATE_OF_ANOTHER = row('39', 'authorization', 'issuer', 'FIRMA INVALIDA', {
  es: 'El certificado no lleva el RUC del emisor: es de otro contribuyente, o no tiene RUC.',
  en: "The certificate does not carry the issuer's RUC: it is another taxpayer's, or has no RUC.",
  adviceEs:
    'Suba un certificado con el RUC del emisor y reconstruya («Corregir», sin cambios): se firma de nuevo con la misma clave.',
  adviceEn: "Upload a certificate with the issuer's RUC and rebuild: it is signed again under the same key.",
});

/** 39 with «La validacion de la cadena de confianza ha fallado». */
const CERTIFICATE_NOT_TRUSTED = row('39', 'authorization', 'issuer', 'FIRMA INVALIDA', {
  es: 'El SRI no confía en quien emitió el certificado: solo admite entidades acreditadas en Ecuador, también en pruebas.',
  en: 'The SRI does not trust the issuer of the certificate: it takes only authorities accredited in Ecuador, in tests too.',
  adviceEs:
    'Suba un certificado de una entidad acreditada y reconstruya («Corregir», sin cambios): se firma de nuevo con la misma clave.',
  adviceEn: 'Upload a certificate of an accredited authority and rebuild: it is signed again under the same key.',
});
