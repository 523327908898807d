import { setImmediate } from 'node:timers/promises';
import { DOCUMENT_TYPES, ecuadorDate, isDocumentType, LAST_SEQUENTIAL, type Language } from 'sri-core';
import { type CliText, type CommandOptions, isKnownAuthority, readWhole, toTable, UsageError } from 'sri-core/cli';
import { findTenant } from '../../accounts/rows.js';
import { describeDestinations } from '../../config/destinations.js';
import type { FirstNumber } from '../../issuers/first-numbers.js';
import type { IssuerRecord } from '../../issuers/issuer-record.js';
import { listIssuers } from '../../issuers/rows.js';
import type { PromotedKey } from '../../onboarding/promote.js';
import { onBehalfOf } from '../../operator/administer-tenants.js';
import { Refusal } from '../../platform/errors/refusal.js';
import type { Services } from '../../platform/http/services.js';
import type { ServerCall } from './command.js';
import type { Intent } from './confirmation.js';
import { requireId } from './read-options.js';

// The common parts of the commands that move an account to production.

/** Options of commands that move an account to production. */
export const FIRST_NUMBER_OPTION = {
  'first-number': {
    type: 'string',
    multiple: true,
    value: 'issuer:type:n',
    description: {
      es: 'Dónde empieza un contador de producción, como <id del emisor>:01:1201. Puede repetirse',
      en: 'Where a counter of production begins, such as <issuer id>:01:1201. May be repeated',
    },
  },
} as const satisfies CommandOptions;

/** The first numbers of the production counters. @throws UsageError */
export function readFirstNumbers({ options }: ServerCall): readonly FirstNumber[] {
  const texts = [options['first-number'] ?? []].flat().map(String);
  return texts.map((text) => {
    const [issuer = '', documentType = '', number = ''] = text.split(':');
    if (!isDocumentType(documentType))
      throw new UsageError({
        es: `El tipo es uno de ${DOCUMENT_TYPES.join(', ')}.`,
        en: `The type is one of ${DOCUMENT_TYPES.join(', ')}.`,
      });
    const sequential = readWhole('--first-number', number, 1, LAST_SEQUENTIAL);
    return { issuerId: requireId({ es: 'El emisor', en: 'The issuer' }, issuer), documentType, sequential };
  });
}

/** The effect of a move to production: the owner, the certificates, and the destination of documents. */
export async function describePromotion(services: Services, tenantId: string, call: ServerCall): Promise<Intent> {
  const { tenant, issuers } = await services.database.read(async (tables) => {
    const found = await findTenant(tables, tenantId);
    if (!found) throw new Refusal('NOT_FOUND');
    return { tenant: found, issuers: await listIssuers(tables, onBehalfOf(found)) };
  });
  const destination = (language: Language) => describeDestinations(call.config(), '', language).productionDocuments;
  const signers = await Promise.all(issuers.map((issuer) => describeSigner(services, issuer)));
  return {
    summary: [
      {
        es: `La cuenta ${tenant.email}, RUC ${tenant.ruc}, pasa a producción para siempre. Sus claves de pruebas dejan de servir.`,
        en: `The account ${tenant.email}, RUC ${tenant.ruc}, moves to production for good. Its sandbox keys end.`,
      },
      {
        es: `Sus comprobantes irán a ${destination('es')}.`.replace('a el ', 'al '),
        en: `Its documents will go to ${destination('en')}.`,
      },
      ...signers.flat(),
    ],
    word: tenant.ruc,
  };
}

/** Prints new keys before they are valid, so that an interruption loses none. With `--json` the result alone holds them. */
export async function printNewKeys(
  { json, terminal, language }: ServerCall,
  keys: readonly PromotedKey[],
): Promise<void> {
  if (json) return;
  terminal.write(`${keysTable(keys, language)}\n\n`);
  // An output that cannot be written ends the program now, and nothing has changed.
  await setImmediate();
}

/** Keys with their labels. */
export function keysTable(keys: readonly PromotedKey[], language: ServerCall['language']): string {
  return toTable(
    ['key', 'token'],
    keys.map(({ label, apiKey }) => [label, apiKey]),
    language,
  );
}

// --- internal ---

/** The authority of an issuer's certificate, its expiry, and why the SRI would reject it. */
async function describeSigner(services: Services, issuer: IssuerRecord): Promise<readonly CliText[]> {
  const point = `${issuer.branchCode}-${issuer.issuePointCode}`;
  if (!issuer.certificate) return [{ es: `${point}: sin certificado.`, en: `${point}: no certificate.` }];
  const { ruc, validTo } = issuer.certificate;
  const end = ecuadorDate(validTo);
  const authority = await services.openIssuer(issuer).then(
    ({ signer }) => signer.certificate.issuerName,
    () => null,
  );
  const lines: CliText[] = [
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
