import { type AccessKey, type AccessKeyParts, buildAccessKey, isAccessKey, parseAccessKey } from '../../access-key.js';
import type { LocalizedText } from '../../catalogs/catalog.js';
import type { DocumentTypeCode } from '../../documents/registry.js';

/** The state of a stranger's document at the simulated SRI. */
export type MagicKeyState = 'authorized' | 'annulled' | 'pendingAnnulment' | 'notAuthorized' | 'inProcess';

/** A código numérico that gives the keys of the simulated supplier a state. */
export interface MagicKey {
  /** Eight digits. */
  readonly numericCode: string;
  readonly state: MagicKeyState;
  readonly effect: LocalizedText;
}

function row(numericCode: string, state: MagicKeyState, es: string, en: string): MagicKey {
  return { numericCode, state, effect: { es, en } };
}

/** The supplier whose documents the simulated SRI holds. The RUC is not assigned. */
export const MAGIC_ISSUER_RUC = '1799999982001';

/**
 * The documents of other issuers. The simulated SRI knows each key with `MAGIC_ISSUER_RUC`, one of these códigos
 * numéricos and a type of this library. Any sequential number works, and any date from 01/04/2024 on. Every other key
 * that was not submitted is unknown.
 */
export const MAGIC_KEYS: readonly MagicKey[] = [
  row('00000001', 'authorized', 'AUTORIZADO, con su XML firmado', 'Authorized, with its signed XML'),
  row('00000002', 'annulled', 'Autorizado y después ANULADO', 'Authorized, and annulled since'),
  row(
    '00000003',
    'pendingAnnulment',
    'Autorizado y PENDIENTE DE ANULAR: falta que el receptor acepte',
    'Authorized, and its annulment waits for the receiver',
  ),
  row('00000004', 'inProcess', 'EN PROCESO: todavía sin veredicto', 'In process: no verdict yet'),
  row('00000005', 'notAuthorized', 'NO AUTORIZADO (39)', 'Not authorized (39)'),
];

/** A key of the simulated supplier, for tests and trials. Number 001-001-000000001 of the production environment by default. */
export function magicKey(
  parts: Partial<AccessKeyParts> & { readonly state: MagicKeyState; readonly issueDate: string },
): AccessKey {
  const { state, issueDate, documentType = '01' satisfies DocumentTypeCode } = parts;
  const { environment = 'production', branchCode = '001', issuePointCode = '001', sequential = 1 } = parts;
  const numericCode = MAGIC_KEYS.find((entry) => entry.state === state)?.numericCode ?? '';
  const ruc = MAGIC_ISSUER_RUC;
  return buildAccessKey({
    issueDate,
    documentType,
    ruc,
    environment,
    branchCode,
    issuePointCode,
    sequential,
    numericCode,
  });
}

/** The state of a key of the simulated supplier; null for any other key. */
export function findMagicKey(accessKey: string): MagicKeyState | null {
  if (!isAccessKey(accessKey)) return null;
  const { ruc, numericCode } = parseAccessKey(accessKey);
  if (ruc !== MAGIC_ISSUER_RUC) return null;
  return MAGIC_KEYS.find((entry) => entry.numericCode === numericCode)?.state ?? null;
}
