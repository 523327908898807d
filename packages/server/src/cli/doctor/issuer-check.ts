import { randomBytes, verify } from 'node:crypto';
import { daysLeft } from 'sri-core/cli';
import { listFirstExpiring } from '../../issuers/expiring-certificate-rows.js';
import { listInspectedIssuers } from '../../issuers/inspected-rows.js';
import type { IssuerRecord } from '../../issuers/issuer-record.js';
import { readCertificateEnds } from '../../ops/queue-figures.js';
import type { Services } from '../../platform/http/services.js';
import { type DoctorFinding, fail, fine, warn } from './finding.js';

/** The number of issuers that sign a test. The check of dates covers all issuers. */
const TRIED_ISSUERS = 50;
/** Certificates near their end that the findings name, the first to end before the others; the rest is only counted. */
const NAMED_CERTIFICATES = 100;
const DAY_MS = 86_400_000;

/** Whether the certificates are in force, belong to their issuer, and can sign with the configured master keys. */
export async function* findInIssuers(services: Services): AsyncGenerator<DoctorFinding> {
  const { database, clock } = services;
  const issuers = await database.read((tables) => listInspectedIssuers(tables, TRIED_ISSUERS));
  if (issuers.length === 0) {
    yield warn('certificates', {
      es: 'Todavía no hay un emisor.',
      en: 'There is no issuer yet.',
      fix: {
        es: 'Regístrelo con POST /v1/register, o empiece con: sri-server init',
        en: 'Register one with POST /v1/register, or begin with: sri-server init',
      },
    });
    return;
  }
  const tried = await Promise.all(
    issuers.map(async (issuer) => {
      const finding = await trySigning(services, issuer);
      return finding && { ...finding, issuerId: issuer.id };
    }),
  );
  const now = clock.now();
  const until = new Date(now.getTime() + 30 * DAY_MS);
  const expiring = await database.read((tables) => listFirstExpiring(tables, { until, limit: NAMED_CERTIFICATES }));
  const wrong = tried.filter((finding) => finding !== null);
  const works = issuers.length - wrong.length;
  const { firstEnd, ended, ending } = await database.read((tables) => readCertificateEnds(tables, now));
  const days = firstEnd && Math.floor((firstEnd.getTime() - now.getTime()) / DAY_MS);
  if (works > 0) {
    yield fine('certificates', {
      es: `${works} ${works === 1 ? 'emisor firma' : 'emisores firman'}${days === null ? '' : `; el certificado más próximo a vencer tiene ${daysLeft(days).es}`}.`,
      en: `${works} ${works === 1 ? 'issuer signs' : 'issuers sign'}${days === null ? '' : `; the certificate that ends first has ${daysLeft(days).en} left`}.`,
    });
  }
  yield* wrong;
  for (const { issuerId, branchCode, issuePointCode, validTo } of expiring) {
    yield { ...expiry(issuerId, `${branchCode}-${issuePointCode}`, validTo, now), issuerId };
  }
  const others = ended + ending - expiring.length;
  if (others > 0) {
    yield warn('certificates', {
      es: `Estos son los ${expiring.length} que vencen primero; otros ${others} están vencidos o vencen en 30 días.`,
      en: `These are the ${expiring.length} that end first; ${others} others have expired, or expire within 30 days.`,
      fix: {
        es: 'Cada cuenta tiene su aviso en la consola; cuántos son lo dice sri_certificates en GET /metrics.',
        en: 'Each account has its notice in the console; sri_certificates in GET /metrics says how many there are.',
      },
    });
  }
}

// --- internal ---

/** The fault of an issuer's key or certificate; null without a fault. */
async function trySigning({ openIssuer }: Services, issuer: IssuerRecord): Promise<DoctorFinding | null> {
  const name = `${issuer.ruc} ${issuer.branchCode}-${issuer.issuePointCode}`;
  const renew = {
    es: `Suba el P12: PATCH /v1/issuers/${issuer.id}/certificate`,
    en: `Upload the P12: PATCH /v1/issuers/${issuer.id}/certificate`,
  };
  if (!issuer.certificate)
    return fail('certificates', { es: `${name} no tiene certificado.`, en: `${name} has no certificate.`, fix: renew });
  const { ruc } = issuer.certificate;
  if (ruc !== null && ruc !== issuer.ruc) {
    return fail('certificates', {
      es: `${name}: el certificado es del RUC ${ruc}. El SRI responde «FIRMA INVÁLIDA: no existe el RUC en el certificado».`,
      en: `${name}: the certificate is of RUC ${ruc}. The SRI answers «FIRMA INVÁLIDA: no existe el RUC en el certificado».`,
      fix: renew,
    });
  }
  try {
    const { signer } = await openIssuer(issuer);
    const sample = randomBytes(32);
    const signature = await signer.sign(sample, 'rsa-sha1');
    if (verify('sha1', sample, signer.certificate.x509.publicKey, signature)) return null;
    return fail('certificates', {
      es: `${name}: la clave no es la del certificado.`,
      en: `${name}: the key is not the certificate's.`,
      fix: renew,
    });
  } catch (error) {
    const kind = error instanceof Error ? error.name : 'unknown';
    return fail('masterKeys', {
      es: `${name}: la clave guardada no se puede abrir (${kind}). MASTER_KEYS no es la de cuando se guardó.`,
      en: `${name}: the stored key cannot be opened (${kind}). MASTER_KEYS is not that of when it was stored.`,
      fix: {
        es: 'Agregue la clave anterior detrás de la actual: MASTER_KEYS=nueva:…,anterior:…',
        en: 'Add the former key behind the current one: MASTER_KEYS=new:…,former:…',
      },
    });
  }
}

function expiry(issuerId: string, point: string, validTo: Date, now: Date): DoctorFinding {
  const days = Math.floor((validTo.getTime() - now.getTime()) / DAY_MS);
  const fix = {
    es: `Renueve el P12 y súbalo: PATCH /v1/issuers/${issuerId}/certificate`,
    en: `Renew the P12 and upload it: PATCH /v1/issuers/${issuerId}/certificate`,
  };
  if (days < 0) {
    return fail('certificates', {
      es: `El certificado de ${point} está VENCIDO: nada de lo que firme se autoriza.`,
      en: `The certificate of ${point} has EXPIRED: nothing it signs is authorized.`,
      fix,
    });
  }
  return warn('certificates', {
    es: `El certificado de ${point} vence en ${daysLeft(days).es}.`,
    en: `The certificate of ${point} expires in ${daysLeft(days).en}.`,
    fix,
  });
}
