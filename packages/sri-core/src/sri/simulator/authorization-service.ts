import { isAccessKey, parseAccessKey } from '../../access-key.js';
import { ecuadorTimestamp } from '../../calendar.js';
import type { Environment } from '../../environment.js';
import { sriMessage } from '../rules/sri-message.js';
import type { Ledger } from './ledger.js';
import type { Strangers, StrangersDocument } from './strangers.js';
import type { WireAuthorization } from './wire.js';

/** The state of a key in the simulated SRI: unknown, in process, or a verdict. */
export async function showAuthorizations(
  { ledger, strangers }: { readonly ledger: Ledger; readonly strangers: Strangers },
  accessKey: string,
  at: { readonly now: Date; readonly environment: Environment | null },
): Promise<readonly WireAuthorization[]> {
  if (!/^[0-9]{49}$/.test(accessKey)) return [{ estado: 'RECHAZADA', decided: null, messages: [sriMessage('80')] }];
  const standing = await ledger.standing(accessKey, at.now);
  // Each environment has its own registry: a key of the other one is unknown.
  if (!isAccessKey(accessKey)) return [];
  const { environment } = parseAccessKey(accessKey);
  if (at.environment !== null && at.environment !== environment) return [];
  if (standing.kind === 'unknown') return showStranger(await strangers.find(accessKey), environment);
  if (standing.kind === 'inProcess') {
    const waitedMs = at.now.getTime() - standing.held.receivedAt.getTime();
    const allMs = (standing.held.decidesAt?.getTime() ?? Number.POSITIVE_INFINITY) - standing.held.receivedAt.getTime();
    // At first the SRI shows nothing, as for an unknown key.
    return waitedMs < Math.min(allMs / 2, NOTHING_SHOWN_MS)
      ? []
      : [{ estado: 'EN PROCESO', decided: null, messages: [] }];
  }
  const { held, decidedAt, verdict } = standing;
  return [
    {
      estado: verdict.authorized ? 'AUTORIZADO' : 'NO AUTORIZADO',
      decided: { date: ecuadorTimestamp(decidedAt), environment, comprobante: held.xml },
      messages: verdict.messages,
    },
  ];
}

// --- internal ---

/** An annulled document is still shown as authorized: only the validity service shows the annulment. */
function showStranger(document: StrangersDocument | null, environment: Environment): readonly WireAuthorization[] {
  if (!document) return [];
  const { state, xml, authorizedAt } = document;
  if (state === 'inProcess') return [{ estado: 'EN PROCESO', decided: null, messages: [] }];
  const decided = { date: ecuadorTimestamp(authorizedAt), environment, comprobante: xml };
  if (state === 'notAuthorized') return [{ estado: 'NO AUTORIZADO', decided, messages: [sriMessage('39')] }];
  return [{ estado: 'AUTORIZADO', decided, messages: [] }];
}

const NOTHING_SHOWN_MS = 1_000;
