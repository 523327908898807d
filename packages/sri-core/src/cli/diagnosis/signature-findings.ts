import type { LocalizedText } from '../../catalogs/catalog.js';
import type { CheckName, VerificationReport, VerificationWarning } from '../../signing/verification.js';
import { verifyXml } from '../../signing/verify.js';
import { type Finding, object, pass } from './finding.js';

/** Describes each failed check of the signature in plain words. */
export async function findInSignature(
  xml: string,
  now: Date,
): Promise<{ readonly report: VerificationReport; readonly findings: readonly Finding[] }> {
  const report = await verifyXml(xml, { now });
  const failed = report.checks.filter(({ ok }) => !ok);
  const findings = failed.map(({ check, detail, advice }) =>
    object('fail', 'signature', {
      sriCode: check === 'wellFormed' ? '35' : '39',
      message: { es: `Falla «${CHECKS[check].es}».`, en: `Fails: «${CHECKS[check].en}». (${detail})` },
      advice: advice ?? null,
    }),
  );
  if (findings.length > 0) return { report, findings };
  if (!report.valid) return { report, findings: [object('fail', 'signature', { sriCode: '39', ...INCOMPLETE })] };
  const doubts = report.warnings
    .filter(({ code }) => DOUBTS.has(code))
    .map(({ message }) => object('warn', 'signature', { sriCode: '39', message }));
  return { report, findings: [pass('signature', wholeSignature(report, xml)), ...doubts] };
}

// --- internal ---

function wholeSignature({ checks }: VerificationReport, xml: string): LocalizedText {
  const hash = xml.includes('xmldsig-more#rsa-sha256') ? 'RSA-SHA256' : 'RSA-SHA1';
  return {
    es: `La firma está bien (${checks.length} comprobaciones, ${hash}).`,
    en: `The signature is right (${checks.length} checks, ${hash}).`,
  };
}

/** Warnings about the signature. Warnings about the RUC are certificate findings. */
const DOUBTS: ReadonlySet<VerificationWarning['code']> = new Set([
  'CERTIFICATE_NOT_FOR_SIGNING',
  'ISSUER_NAME_IN_OTHER_ORDER',
  'SIGNING_TIME_UNCLEAR',
]);

const INCOMPLETE = {
  message: { es: 'A la firma le faltan partes.', en: 'The signature lacks parts.' },
  advice: { es: 'Fírmelo de nuevo con un firmador XAdES-BES.', en: 'Sign it again with a XAdES-BES signer.' },
};

/** Each check, as a statement. */
const CHECKS: Readonly<Record<CheckName, LocalizedText>> = {
  wellFormed: { es: 'El XML está bien formado', en: 'The XML is well formed' },
  oneSignature: { es: 'Hay exactamente una firma', en: 'There is exactly one signature' },
  signaturePosition: {
    es: 'La firma es el último elemento de la raíz',
    en: 'The signature is the last element of the root',
  },
  uniqueIds: { es: 'Ningún id firmado se repite', en: 'No signed id occurs twice' },
  oneSignedInfo: { es: 'Hay un solo SignedInfo', en: 'There is one SignedInfo' },
  structure: { es: 'La firma tiene las partes de XAdES-BES', en: 'The signature has the parts of XAdES-BES' },
  plainValues: { es: 'Los valores de la firma están enteros', en: 'The values of the signature are whole' },
  algorithms: { es: 'Los algoritmos son los que el SRI admite', en: 'The algorithms are those that the SRI takes' },
  referenceTargets: { es: 'Las referencias apuntan a donde deben', en: 'The references point to where they must' },
  transforms: { es: 'Las transformaciones son las debidas', en: 'The transforms are the right ones' },
  comprobanteDigest: {
    es: 'El comprobante (referencia #comprobante) es el que se firmó',
    en: 'The comprobante (reference #comprobante) is what was signed',
  },
  signedPropertiesDigest: {
    es: 'La referencia a SignedProperties (hora y certificado) es la que se firmó',
    en: 'The reference to SignedProperties (time and certificate) is what was signed',
  },
  keyInfoDigest: {
    es: 'La referencia a KeyInfo es la que se firmó',
    en: 'The reference to KeyInfo is what was signed',
  },
  certificate: { es: 'El certificado se puede leer', en: 'The certificate can be read' },
  keyValue: { es: 'La clave pública es la del certificado', en: 'The public key is that of the certificate' },
  signatureValue: {
    es: 'SignatureValue es de la clave del certificado',
    en: 'SignatureValue is by the key of the certificate',
  },
  signingCertificateDigest: {
    es: 'SigningCertificate describe el certificado que firma',
    en: 'SigningCertificate describes the certificate that signs',
  },
  issuerName: {
    es: 'X509IssuerName es el emisor del certificado',
    en: 'X509IssuerName is the issuer of the certificate',
  },
  serialNumber: { es: 'X509SerialNumber es el del certificado', en: 'X509SerialNumber is that of the certificate' },
  signingTime: {
    es: 'El certificado estaba vigente en la hora de la firma',
    en: 'The certificate was in force at the signing time',
  },
  keyUsage: { es: 'El certificado es de firma', en: 'The certificate is for signing' },
  dataObjectFormat: { es: 'DataObjectFormat apunta al comprobante', en: 'DataObjectFormat points to the comprobante' },
};
