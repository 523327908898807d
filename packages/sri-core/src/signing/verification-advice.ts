import type { Advice, CheckName } from './verification.js';

/** The distinct causes of failed checks. */
export type Cause =
  | CheckName
  | 'notSigned'
  | 'authorizationFile'
  | 'comprobanteReformatted'
  | 'comprobanteNotCanonical'
  | 'comprobanteEncoding'
  | 'commentsDigested'
  | 'inheritedNamespaces'
  | 'reformatted'
  | 'keyInfoMistakenForCertificate'
  | 'otherDigestMethod'
  | 'keyNotSupported'
  | 'signedWithOtherKey'
  | 'signingTimeInFuture'
  | 'signingTimeOutsideValidity';

/** Advice for each cause. The SRI answers all of them with code 39, «FIRMA INVÁLIDA». */
export const VERIFICATION_ADVICE: Readonly<Record<Cause, Advice>> = {
  wellFormed: {
    es: 'El archivo no es XML bien formado, o trae un DOCTYPE. Genere el comprobante de nuevo; no corrija a mano un archivo firmado.',
    en: 'The file is not well-formed XML, or it has a DOCTYPE. Produce the comprobante again; do not repair a signed file by hand.',
  },
  notSigned: {
    es: 'El archivo no está firmado. Fírmelo antes de enviarlo.',
    en: 'The file carries no signature. Sign it before sending it.',
  },
  authorizationFile: {
    es: 'El archivo es la autorización del SRI, que lleva el comprobante firmado dentro. Verifique readAuthorizationFile(xml).comprobante.',
    en: 'The file is the authorization of the SRI, which holds the signed comprobante. Verify readAuthorizationFile(xml).comprobante.',
  },
  oneSignature: {
    es: 'El archivo trae más de una firma. Vuelva al XML sin firmar y fírmelo una sola vez.',
    en: 'The file carries more than one signature. Go back to the unsigned XML and sign it once.',
  },
  signaturePosition: {
    es: 'La firma no es el último elemento dentro de la raíz. Fírmelo de nuevo y no agregue ni mueva nada después.',
    en: 'The signature is not the last element inside the root. Sign again, and add or move nothing afterwards.',
  },
  uniqueIds: {
    es: 'Dos elementos tienen el mismo id, así que no se sabe qué parte está firmada. Quite o cambie el id repetido antes de firmar.',
    en: 'Two elements have the same id, so it is not clear which part is signed. Remove or change the repeated id before signing.',
  },
  oneSignedInfo: {
    es: 'La firma debe tener un solo SignedInfo. Un archivo con varios fue manipulado: no lo acepte.',
    en: 'The signature must have one SignedInfo. A file with several was tampered with: do not accept it.',
  },
  structure: {
    es: 'A la firma le falta una parte de XAdES-BES, o hay partes fuera de su lugar. Use un firmador que produzca XAdES-BES 1.3.2 como pide la Ficha técnica.',
    en: 'The signature lacks a part of XAdES-BES, or has parts out of place. Use a signer that makes XAdES-BES 1.3.2 as the Ficha técnica asks.',
  },
  plainValues: {
    es: 'Un valor de la firma está cortado por un comentario u otro elemento, un truco conocido para engañar al verificador: no acepte el archivo.',
    en: 'A value of the signature is cut by a comment or another element, a known trick to fool verifiers: do not accept the file.',
  },
  algorithms: {
    es: 'La firma usa un algoritmo que el SRI no admite. Configure el firmador con RSA-SHA1 (o RSA-SHA256) y canonicalización inclusiva C14N 1.0.',
    en: 'The signature uses an algorithm that the SRI does not take. Set the signer to RSA-SHA1 (or RSA-SHA256) and inclusive C14N 1.0.',
  },
  transforms: {
    es: 'El comprobante debe firmarse solo con la transformación «enveloped-signature». Quite las demás (XPath, XSLT, base64).',
    en: 'The comprobante must be signed with the enveloped-signature transform only. Remove the others (XPath, XSLT, base64).',
  },
  referenceTargets: {
    es: 'Las referencias de la firma deben apuntar a la raíz del comprobante (#comprobante), a SignedProperties y a KeyInfo de esta misma firma. Revise los atributos id y URI; si apuntan a otro elemento, el contenido visible no es el firmado.',
    en: 'The references must point to the root of the comprobante (#comprobante), and to the SignedProperties and KeyInfo of this same signature. Check the id and URI attributes; if they point elsewhere, what is shown is not what was signed.',
  },
  comprobanteDigest: {
    es: 'El comprobante cambió después de firmarse. Firme de nuevo el XML original y envíe exactamente esos bytes, sin abrirlo ni guardarlo con otro programa.',
    en: 'The comprobante changed after it was signed. Sign the original XML again and send exactly those bytes, without opening and saving it in another program.',
  },
  comprobanteReformatted: {
    es: 'Se agregaron espacios o saltos de línea entre los elementos después de firmar («pretty print»). Guarde y envíe el archivo tal como salió del firmador.',
    en: 'Spaces or line breaks were added between the elements after signing (pretty print). Store and send the file just as the signer made it.',
  },
  comprobanteNotCanonical: {
    es: 'El resumen se calculó sobre el texto del archivo y no sobre su forma canónica (C14N). Canonicalice la raíz antes de calcularlo.',
    en: 'The digest was computed over the text of the file instead of its canonical form (C14N). Canonicalise the root before digesting it.',
  },
  comprobanteEncoding: {
    es: 'El resumen se calculó con otra codificación (ISO-8859-1). Use UTF-8 al firmar: las tildes y la ñ cambian.',
    en: 'The digest was computed in another encoding (ISO-8859-1). Use UTF-8 when signing: accented letters differ.',
  },
  commentsDigested: {
    es: 'El resumen incluye los comentarios del XML, que la forma canónica quita. Configure C14N sin comentarios.',
    en: 'The digest includes the comments of the XML, which the canonical form drops. Set C14N without comments.',
  },
  signedPropertiesDigest: {
    es: 'Las propiedades firmadas (fecha, certificado) no coinciden con su resumen: cambiaron después de firmar o se canonicalizaron mal. Firme de nuevo.',
    en: 'The signed properties (time, certificate) do not match their digest: they changed after signing or were canonicalised wrongly. Sign again.',
  },
  keyInfoDigest: {
    es: 'KeyInfo no coincide con su resumen: cambió después de firmar o se canonicalizó mal. Firme de nuevo.',
    en: 'KeyInfo does not match its digest: it changed after signing or was canonicalised wrongly. Sign again.',
  },
  inheritedNamespaces: {
    es: 'Esa parte se canonicalizó fuera de su lugar: le faltan los espacios de nombres que hereda (xmlns:ds, xmlns:etsi). Agréguelos a su etiqueta antes de calcular el resumen o la firma.',
    en: 'That part was canonicalised out of its place: it lacks the namespaces it inherits (xmlns:ds, xmlns:etsi). Add them to its tag before computing the digest or the signature.',
  },
  reformatted: {
    es: 'Se agregaron espacios o saltos de línea dentro de la firma después de firmar. Guarde y envíe el archivo tal como salió del firmador.',
    en: 'Spaces or line breaks were added inside the signature after signing. Store and send the file just as the signer made it.',
  },
  keyInfoMistakenForCertificate: {
    es: 'La referencia «Certificate…» lleva el resumen del certificado, pero debe llevar el del elemento ds:KeyInfo canonicalizado.',
    en: 'The «Certificate…» reference holds the digest of the certificate, but must hold that of the canonical ds:KeyInfo element.',
  },
  otherDigestMethod: {
    es: 'El valor se calculó con un algoritmo distinto del que se declara (SHA-1 o SHA-256). Haga que DigestMethod o SignatureMethod digan el que se usa.',
    en: 'The value was computed with another algorithm than the declared one (SHA-1 or SHA-256). Make DigestMethod or SignatureMethod name the one in use.',
  },
  certificate: {
    es: 'KeyInfo no trae un certificado X.509 que se pueda leer. Incluya el certificado del firmante en X509Data/X509Certificate, en base64 de DER.',
    en: 'KeyInfo holds no X.509 certificate that can be read. Put the signer’s certificate in X509Data/X509Certificate, base64 of DER.',
  },
  keyNotSupported: {
    es: 'La clave del certificado no es RSA de 2048 a 4096 bits, que es lo que el SRI admite. Pida otro certificado a su entidad de certificación.',
    en: 'The certificate’s key is not RSA of 2048 to 4096 bits, which is what the SRI takes. Ask your certification authority for another certificate.',
  },
  keyValue: {
    es: 'La clave pública de RSAKeyValue no es la del certificado. El firmador mezcla dos pares de claves: use el certificado que corresponde a la clave privada.',
    en: 'The public key in RSAKeyValue is not the certificate’s. The signer mixes two key pairs: use the certificate that belongs to the private key.',
  },
  signatureValue: {
    es: 'La clave es la correcta, pero SignedInfo no es lo que se firmó: cambió después o se canonicalizó mal. Firme de nuevo.',
    en: 'The key is the right one, but SignedInfo is not what was signed: it changed afterwards or was canonicalised wrongly. Sign again.',
  },
  signedWithOtherKey: {
    es: 'La firma no se hizo con la clave privada de este certificado, o el valor está dañado. Si el P12 trae varios pares, elija el par de firma.',
    en: 'The signature was not made with the private key of this certificate, or the value is damaged. If the P12 holds several pairs, choose the signing one.',
  },
  signingCertificateDigest: {
    es: 'SigningCertificate describe otro certificado, o su resumen no es el del DER completo. Debe describir el certificado que firma.',
    en: 'SigningCertificate describes another certificate, or its digest is not that of the whole DER. It must describe the certificate that signs.',
  },
  issuerName: {
    es: 'X509IssuerName no es el nombre del emisor del certificado como lo escribe Java (RFC 2253): use solo CN, C, L, ST, STREET, O, OU, DC y UID; los demás atributos van como OID=#hex.',
    en: 'X509IssuerName is not the name of the certificate’s issuer as Java writes it (RFC 2253): use only CN, C, L, ST, STREET, O, OU, DC and UID; other attributes go as OID=#hex.',
  },
  serialNumber: {
    es: 'X509SerialNumber debe ser el número de serie del certificado en decimal y completo, no en hexadecimal ni redondeado.',
    en: 'X509SerialNumber must be the certificate’s serial number in decimal and whole, neither hexadecimal nor rounded.',
  },
  signingTime: {
    es: 'SigningTime no es una fecha y hora, como 2026-11-21T07:30:00-05:00.',
    en: 'SigningTime is not a date and time, such as 2026-11-21T07:30:00-05:00.',
  },
  signingTimeInFuture: {
    es: 'La hora de la firma está en el futuro. Ponga en hora el reloj del equipo y firme de nuevo.',
    en: 'The signing time lies in the future. Set the machine’s clock and sign again.',
  },
  signingTimeOutsideValidity: {
    es: 'El certificado no estaba vigente en la hora de la firma. Use un certificado vigente, revise el reloj y firme de nuevo.',
    en: 'The certificate was not in force at the signing time. Use one that is, check the clock, and sign again.',
  },
  keyUsage: {
    es: 'El certificado no es de firma (le falta digitalSignature o nonRepudiation). Use el certificado de firma del titular.',
    en: 'The certificate is not for signing (it lacks digitalSignature or nonRepudiation). Use the holder’s signing certificate.',
  },
  dataObjectFormat: {
    es: 'DataObjectFormat no apunta a la referencia del comprobante. Su ObjectReference debe ser # y el Id de esa referencia.',
    en: 'DataObjectFormat does not point to the comprobante’s reference. Its ObjectReference must be # and the Id of that reference.',
  },
};

/** Warnings about a valid signature whose kind the SRI has both authorized and refused. */
export const DOUBTS = {
  CERTIFICATE_NOT_FOR_SIGNING: {
    es: 'El certificado es de cifrado y no de firma: el SRI ha autorizado archivos así y ha rechazado otros (código 39). Si el P12 trae varios pares, elija el de firma, no el de cifrado.',
    en: 'The certificate is for encryption and not for signing: the SRI has authorized such files and refused others (code 39). If the P12 holds several pairs, choose the signing one, not the encryption one.',
  },
  ISSUER_NAME_IN_OTHER_ORDER: {
    es: 'X509IssuerName trae sus partes en otro orden; RFC 2253 pide el del certificado al revés, normalmente con CN primero y C al final. Hay archivos autorizados así; al firmar de nuevo, escríbalo al revés.',
    en: 'X509IssuerName has its parts in another order; RFC 2253 wants that of the certificate reversed, usually with CN first and C last. There are authorized files like this; write it reversed when you sign again.',
  },
  SIGNING_TIME_UNCLEAR: {
    es: 'SigningTime falta o no dice su zona, así que no se sabe si el certificado estaba vigente al firmar. Hay archivos autorizados así; al firmar de nuevo, escríbalo como 2026-11-21T07:30:00-05:00.',
    en: 'SigningTime is missing or has no zone, so whether the certificate was in force when it signed is not known. There are authorized files like this; write it as 2026-11-21T07:30:00-05:00 when you sign again.',
  },
} as const satisfies Readonly<Record<string, Advice>>;
