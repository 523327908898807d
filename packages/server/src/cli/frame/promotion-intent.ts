import { ecuadorDate } from 'sri-core';
import { isKnownAuthority, type Words } from 'sri-core/cli';
import { findTenant } from '../../accounts/rows.js';
import { describePlaces } from '../../config/destinations.js';
import type { IssuerRecord } from '../../issuers/issuer-record.js';
import { listIssuers } from '../../issuers/rows.js';
import { onBehalfOf } from '../../operator/administer-tenants.js';
import { Refusal } from '../../platform/errors/refusal.js';
import type { Services } from '../../platform/http/services.js';
import type { Language } from '../../platform/language.js';
import type { ServerCall } from './command.js';
import type { Intent } from './confirmation.js';

/** What moving an account to production means: its owner, its certificates, and the destination of its documents. */
export async function describePromotion(services: Services, tenantId: string, call: ServerCall): Promise<Intent> {
  const { tenant, issuers } = await services.database.read(async (tables) => {
    const found = await findTenant(tables, tenantId);
    if (!found) throw new Refusal('NOT_FOUND');
    return { tenant: found, issuers: await listIssuers(tables, onBehalfOf(found)) };
  });
  const place = (language: Language) => describePlaces(call.config(), '', language).productionDocuments;
  const signers = await Promise.all(issuers.map((issuer) => describeSigner(services, issuer)));
  return {
    told: [
      {
        es: `La cuenta ${tenant.email}, RUC ${tenant.ruc}, pasa a producción para siempre. Sus claves de pruebas dejan de servir.`,
        en: `The account ${tenant.email}, RUC ${tenant.ruc}, moves to production for good. Its sandbox keys end.`,
      },
      {
        es: `Sus comprobantes irán a ${place('es')}.`.replace('a el ', 'al '),
        en: `Its documents will go to ${place('en')}.`,
      },
      ...signers.flat(),
    ],
    word: tenant.ruc,
  };
}

// --- internal ---

/** The authority of an issuer's certificate, its expiry, and why the SRI would reject it. */
async function describeSigner(services: Services, issuer: IssuerRecord): Promise<readonly Words[]> {
  const point = `${issuer.branchCode}-${issuer.issuePointCode}`;
  if (!issuer.certificate) return [{ es: `${point}: sin certificado.`, en: `${point}: no certificate.` }];
  const { ruc, validTo } = issuer.certificate;
  const end = ecuadorDate(validTo);
  const authority = await services.openIssuer(issuer).then(
    ({ signer }) => signer.certificate.issuerName,
    () => null,
  );
  const lines: Words[] = [
    {
      es: `${point}: certificado emitido por ${authority ? nameOf(authority) : '(no se puede abrir)'}, hasta el ${end}, RUC ${ruc ?? 'no legible'}.`,
      en: `${point}: certificate by ${authority ? nameOf(authority) : '(cannot be opened)'}, until ${end}, RUC ${ruc ?? 'not legible'}.`,
    },
  ];
  if (authority !== null && !isKnownAuthority(authority)) {
    lines.push({
      es: '  AVISO: no se conoce a quien lo emitió. El SRI solo admite entidades acreditadas: con un certificado de prueba o hecho en casa rechaza todo.',
      en: '  WARNING: who issued it is not known. The SRI takes accredited entities only: it refuses everything signed with a certificate for tests, or of one’s own.',
    });
  }
  if (ruc !== issuer.ruc) {
    lines.push({
      es: `  AVISO: el SRI exige que el certificado lleve el RUC del emisor, ${issuer.ruc}.`,
      en: `  WARNING: the SRI asks for a certificate that carries the issuer’s RUC, ${issuer.ruc}.`,
    });
  }
  return lines;
}

/** The common part of an authority's name. */
function nameOf(authority: string): string {
  return /(?:^|,)CN=((?:\\.|[^,\\])+)/.exec(authority)?.[1] ?? authority;
}
