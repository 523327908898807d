import { ecuadorDate } from '../../calendar.js';
import type { SignerFacts } from '../../signing/verification.js';
import { daysLeft } from '../cli-text.js';
import { readableName } from '../readable-name.js';
import { type Finding, object, pass } from './finding.js';

/** Compares the certificate of a signature with the issuer, the SRI's list of authorities and the day. */
export function findInCertificate(signer: SignerFacts, issuerRuc: string | null, now: Date): readonly Finding[] {
  return [rucFinding(signer, issuerRuc), authorityFinding(signer.issuerName), dateFinding(signer, now)];
}

/** Whether the certificate's issuer is an authority whose certificates the SRI is known to accept. */
export function isKnownAuthority(issuerName: string): boolean {
  return KNOWN_AUTHORITIES.test(issuerName);
}

// --- internal ---

/** Names seen in certificates of the entities that ARCOTEL accredits. A name proves nothing, so a mismatch only warns. */
const KNOWN_AUTHORITIES =
  /BANCO CENTRAL DEL ECUADOR|SECURITY DATA|UANATACA|\bANF|CONSEJO DE LA JUDICATURA|ECLIPSOFT|DATIL|CORPNEWBEST|LAZZATE|ARGOS ?DATA|FIRMA ?SEGURA|DIGERCIC|REGISTRO CIVIL/i;

function rucFinding({ ruc, commonName }: SignerFacts, issuerRuc: string | null): Finding {
  const holder = commonName ?? '-';
  if (ruc === null || issuerRuc === null) {
    return object('warn', 'certificate', {
      message: {
        es: `No se pudo leer un RUC en el certificado de «${holder}»; el SRI exige que sea el del emisor${issuerRuc ? `, ${issuerRuc}` : ''}.`,
        en: `No RUC could be read in the certificate of «${holder}»; the SRI asks for the issuer's${issuerRuc ? `, ${issuerRuc}` : ''}.`,
      },
    });
  }
  if (ruc === issuerRuc) {
    return pass('certificate', {
      es: `El certificado de «${holder}» lleva el RUC del emisor, ${ruc}.`,
      en: `The certificate of «${holder}» carries the issuer's RUC, ${ruc}.`,
    });
  }
  return object('fail', 'certificate', {
    sriCode: '39',
    message: {
      es: `El certificado es de otro contribuyente: su RUC es ${ruc} y el emisor es ${issuerRuc}.`,
      en: `The certificate is another taxpayer's: its RUC is ${ruc} and the issuer is ${issuerRuc}.`,
    },
    advice: {
      es: 'El SRI lo responde como «FIRMA INVÁLIDA: no existe el RUC en el certificado». Firme con el certificado del emisor, o corrija el RUC del comprobante.',
      en: 'The SRI answers «FIRMA INVÁLIDA: no existe el RUC en el certificado». Sign with the issuer’s certificate, or correct the RUC of the comprobante.',
    },
  });
}

function authorityFinding(issuerName: string): Finding {
  const authority = readableName(issuerName);
  if (isKnownAuthority(issuerName)) {
    return pass('certificate', {
      es: `Lo emitió una entidad conocida: ${authority}. (La cadena y la revocación las comprueba el SRI.)`,
      en: `It was issued by a known authority: ${authority}. (The SRI checks chain and revocation.)`,
    });
  }
  return object('warn', 'certificate', {
    sriCode: '39',
    message: {
      es: `No se conoce aquí a quien emitió el certificado: ${authority}. Si no es una entidad acreditada, el SRI lo rechaza.`,
      en: `Who issued the certificate is not known here: ${authority}. If it is no accredited entity, the SRI refuses it.`,
    },
    advice: {
      es: 'El SRI solo admite certificados de entidades acreditadas en Ecuador, también en pruebas; uno hecho en casa recibe «La validación de la cadena de confianza ha fallado» (39). El simulador sí lo admite.',
      en: 'The SRI takes only certificates of entities accredited in Ecuador, in its test environment too; a home-made one gets «La validación de la cadena de confianza ha fallado» (39). The simulator takes it.',
    },
  });
}

function dateFinding({ validFrom, validTo }: SignerFacts, now: Date): Finding {
  const [from, to] = [ecuadorDate(validFrom), ecuadorDate(validTo)];
  if (now <= validTo) {
    const left = daysLeft(Math.floor((validTo.getTime() - now.getTime()) / 86_400_000));
    return pass('certificate', {
      es: `Rige del ${from} al ${to} (tiempo restante: ${left.es}).`,
      en: `It is in force from ${from} to ${to} (${left.en} left).`,
    });
  }
  return object('warn', 'certificate', {
    sriCode: '42',
    message: { es: `El certificado venció el ${to}.`, en: `The certificate expired on ${to}.` },
    advice: {
      es: 'Lo que se firmó y se autorizó antes vale. Lo que se envíe ahora se rechaza: renueve el certificado y firme de nuevo.',
      en: 'What was signed and authorised before stands. What is sent now is refused: renew the certificate and sign again.',
    },
  });
}
