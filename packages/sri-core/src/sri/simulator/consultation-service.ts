import { isAccessKey, parseAccessKey } from '../../access-key.js';
import { ecuadorTimestamp } from '../../calendar.js';
import { documentTypes } from '../../catalogs/document-types.js';
import type { Environment } from '../../environment.js';
import { sriMessage } from '../rules/sri-message.js';
import type { Ledger } from './ledger.js';
import type { MagicKeyState } from './magic-keys.js';
import type { Strangers } from './strangers.js';
import type { Consulted } from './wire.js';

/** The validity of a key: of a submitted document once it is decided, or of a stranger's. */
export async function consult(
  { ledger, strangers }: { readonly ledger: Ledger; readonly strangers: Strangers },
  accessKey: string,
  at: { readonly now: Date; readonly environment: Environment | null },
): Promise<Consulted> {
  if (!isAccessKey(accessKey)) return { estado: 'RECHAZADA', messages: [sriMessage('80')] };
  const { environment, ruc, documentType } = parseAccessKey(accessKey);
  if (at.environment !== null && at.environment !== environment) return NOTHING;
  const documentName = documentTypes.find(({ code }) => code === documentType)?.description.es ?? '';
  const standing = await ledger.standing(accessKey, at.now);
  if (standing.kind === 'decided') {
    const estado = standing.verdict.authorized ? 'AUTORIZADO' : 'NO AUTORIZADO';
    return { estado, documentName, ruc, date: ecuadorTimestamp(standing.decidedAt) };
  }
  const stranger = standing.kind === 'unknown' ? await strangers.find(accessKey) : null;
  const estado = stranger && ESTADOS[stranger.state];
  if (!stranger || !estado) return NOTHING;
  return { estado, documentName, ruc, date: ecuadorTimestamp(stranger.authorizedAt) };
}

// --- internal ---

const ESTADOS = {
  authorized: 'AUTORIZADO',
  annulled: 'ANULADO',
  pendingAnnulment: 'PENDIENTE DE ANULAR',
  notAuthorized: 'NO AUTORIZADO',
  inProcess: null,
} as const satisfies Record<MagicKeyState, string | null>;

const NOTHING: Consulted = {
  estado: 'RECHAZADA',
  messages: [sriMessage('99', 'No existen datos para los parámetros ingresados')],
};
