import {
  type AccessKey,
  DOCUMENT_TYPES,
  type Environment,
  parseAccessKey,
  type SriClient,
  type StoredDocument,
} from 'sri-core';
import { findIssuerIdOf, listInspectedIssuers } from '../../issuers/inspected-rows.js';
import type { IssuerRecord } from '../../issuers/issuer-record.js';
import type { Services } from '../../platform/http/services.js';
import { type DoctorFinding, fail, fine, warn } from './finding.js';

/** The inputs of a comparison with the SRI. */
export interface ReconcileDeps {
  readonly services: Services;
  readonly sri: Pick<SriClient, 'authorization'>;
  /** The environments whose SRI can be queried: a simulated one lives and ends with its server. */
  readonly environments: readonly Environment[];
  /** Access keys from elsewhere: mails, printed documents, the SRI's portal. */
  readonly keys: readonly AccessKey[];
}

/** How many of the newest documents of each counter, and of how many issuers, are looked up at the SRI. */
export const ASKED_EACH = 5;
export const ASKED_ISSUERS = 50;

/**
 * Compares counters with the SRI's data. The SRI answers queries by whole access key only, and a key has eight digits
 * that its issuer chooses freely. So the last used number cannot be queried, and a key from another system or a lost
 * database cannot be guessed. It can check the newest documents stored here, and keys that the user supplies.
 */
export async function* reconcile(parts: ReconcileDeps): AsyncGenerator<DoctorFinding> {
  let agrees = true;
  for await (const finding of compareAll(parts)) {
    if (finding === null) continue;
    agrees = false;
    yield finding;
  }
  if (agrees && parts.environments.length > 0) yield AGREES;
  if (parts.environments.length < 2) yield SIMULATED;
  yield LIMITS;
}

/** The access keys in a text, at any position. */
export function findAccessKeys(text: string): readonly AccessKey[] {
  const found = [...text.matchAll(/(?<!\d)\d{49}(?!\d)/g)].flatMap(([digits]) => {
    try {
      return [parseAccessKey(digits).accessKey];
    } catch {
      return [];
    }
  });
  return [...new Set(found)];
}

// --- internal ---

async function* compareAll(parts: ReconcileDeps): AsyncGenerator<DoctorFinding | null> {
  const { services, sri, environments, keys } = parts;
  const issuers = await services.database.read((tables) => listInspectedIssuers(tables, ASKED_ISSUERS));
  for (const issuer of issuers) {
    for (const environment of environments) {
      for (const documentType of DOCUMENT_TYPES) {
        const scope = { issuerId: issuer.id, environment };
        const query = { documentType, sortBy: 'sequential', page: 1, limit: ASKED_EACH } as const;
        const { documents } = await services.engine.list(scope, query);
        for (const document of documents) yield compare(sri, issuer, document);
      }
    }
  }
  const last = new Map(keys.toSorted(byNumber).map((key) => [counterOf(key), key]));
  for (const key of keys) yield compareKey(parts, key, last.get(counterOf(key)) === key);
}

// Type, RUC, environment and point of an access key; its number follows.
const counterOf = (key: AccessKey) => key.slice(8, 30);
const byNumber = (one: AccessKey, other: AccessKey) => Number(one.slice(30, 39)) - Number(other.slice(30, 39));

const AGREES = fine('reconcile', {
  es: 'Los últimos comprobantes de cada contador están en el SRI como aquí.',
  en: 'The newest documents of each counter stand at the SRI as they do here.',
});
const SIMULATED = fine('reconcile', {
  es: 'Lo que va al SRI simulado no se comparó: no sabe más que este servidor.',
  en: 'What goes to the simulated SRI was not compared: it knows no more than this server.',
});
const LIMITS = fine('reconcile', {
  es: 'El SRI solo responde por claves de acceso completas: qué número fue el último no se le puede preguntar. Si este servidor se restauró de un respaldo, o antes emitía otro sistema, dé las claves que conozca (correos, RIDE, listado del portal) con --keys <archivo>.',
  en: 'The SRI answers about whole access keys only: it cannot be asked which number was the last. If this server was restored from a backup, or another system issued before, give the keys you know (mails, RIDEs, the portal’s list) with --keys <file>.',
});

async function compare(
  sri: ReconcileDeps['sri'],
  issuer: IssuerRecord,
  { accessKey, environment, status }: StoredDocument,
): Promise<DoctorFinding | null> {
  const answer = await sri.authorization(environment, accessKey as AccessKey);
  const name = `${issuer.branchCode}-${issuer.issuePointCode} ${accessKey}`;
  if (answer.outcome === 'authorized' && status !== 'AUTHORIZED' && status !== 'VOIDED') {
    return fail('reconcile', {
      es: `${name}: el SRI lo autorizó y aquí está ${status}.`,
      en: `${name}: the SRI authorized it, and here it is ${status}.`,
      fix: `POST /v1/documents/${accessKey}/authorize`,
    });
  }
  if (answer.outcome !== 'authorized' && status === 'AUTHORIZED') {
    return warn('reconcile', {
      es: `${name}: aquí está autorizado y el SRI no lo muestra (${answer.status}).`,
      en: `${name}: it is authorized here, and the SRI does not show it (${answer.status}).`,
      fix: {
        es: 'Consúltelo en el portal del SRI; los antiguos dejan de mostrarse por el servicio.',
        en: 'Look it up at the SRI’s portal; old ones are no longer shown by the service.',
      },
    });
  }
  return null;
}

async function compareKey(
  { services, sri, environments }: ReconcileDeps,
  key: AccessKey,
  isLast: boolean,
): Promise<DoctorFinding | null> {
  const parts = parseAccessKey(key);
  const { branchCode, issuePointCode, documentType, sequential, environment } = parts;
  const type = DOCUMENT_TYPES.find((code) => code === documentType);
  const issuerId = await services.database.read((tables) => findIssuerIdOf(tables, parts));
  if (issuerId === null || !type)
    return warn('reconcile', { es: `${key} no es de un emisor de aquí.`, en: `${key} is of no issuer here.` });
  const next = await services.engine.nextSequential({ issuerId, environment, documentType: type });
  if (sequential >= next && !isLast) return null;
  const { outcome } = environments.includes(environment)
    ? await sri.authorization(environment, key)
    : { outcome: 'pending' };
  if (sequential < next) {
    if (outcome !== 'authorized') return null;
    const isHere = await services.engine.get({ issuerId, environment }, key).then(
      () => true,
      () => false,
    );
    if (isHere) return null;
    return warn('reconcile', {
      es: `${key} está en el SRI y no aquí; su número ya pasó.`,
      en: `${key} is at the SRI and not here; its number is past.`,
    });
  }
  const place = `${branchCode}-${issuePointCode}`;
  return fail('reconcile', {
    es: `El contador de ${place} (${type}, ${environment}) va en ${next}, y el número ${sequential} ya se usó${outcome === 'authorized' ? ' (autorizado en el SRI)' : ''}: el SRI rechazaría los próximos con «SECUENCIAL REGISTRADO» (45).`,
    en: `The counter of ${place} (${type}, ${environment}) stands at ${next}, and number ${sequential} was used${outcome === 'authorized' ? ' (authorized at the SRI)' : ''}: the SRI would refuse the next ones with «SECUENCIAL REGISTRADO» (45).`,
    fix: `curl -X PATCH "$SRI_URL/v1/issuers/${issuerId}/sequentials/${type}" -H "authorization: Bearer $SRI_API_KEY" -H "content-type: application/json" -d '{"environment":"${environment}","nextSequential":${sequential + 1}}'`,
  });
}
