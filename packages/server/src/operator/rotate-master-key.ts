import { FIRST_ID } from 'sri-storage-adapters';
import type { Services } from '../platform/http/services.js';
import { forgetUnusedKeys, openSealer, requireMasterKeys } from '../platform/secrets/sealing.js';
import { labelOfSecret } from '../platform/secrets/secret-label.js';
import {
  countByMasterKey,
  listForeignSecrets,
  replaceSecret,
  SECRET_KINDS,
  type SecretKind,
  type StoredSecret,
} from '../platform/secrets/secret-rows.js';
import { type SealedSecret, type Sealer, SecretUnreadableError } from '../platform/secrets/vault.js';
import { recordAction } from './audited.js';
import type { Operator } from './operator.js';

/** What changing the master key needs. */
export type RotationParts = Pick<Services, 'database' | 'agreements' | 'vault'>;

/** What a change of the master key has come to. */
export interface Rotation {
  readonly currentMasterKeyId: string;
  /** Secrets that were put under the current master key, by where they are kept. */
  readonly rewrapped: Readonly<Record<SecretKind, number>>;
  /** Secrets that no configured master key opens: `<kind> <owner>`. */
  readonly unreadable: readonly string[];
  /** Other master keys with how many secrets they still open. Empty: they may be taken out of the configuration. */
  readonly stillNeeded: Readonly<Record<string, number>>;
}

/**
 * Puts every stored secret under the current master key, while servers go on working: data keys are wrapped again, contents
 * stay as they are sealed, and a row is whole before and after. Run again after an interruption it goes on where it was,
 * and where all is done it does nothing.
 *
 * @throws MasterKeyNeededError when the database is sealed with a master key that is not at hand.
 */
export async function rotateMasterKey(parts: RotationParts, operator: Operator): Promise<Rotation> {
  const { database, agreements, vault } = parts;
  const { currentMasterKeyId } = vault;
  await database.read((tables) => requireMasterKeys(tables, vault, agreements.clock.now()));
  const audit = { ...agreements, database };
  const action = { action: 'keys.rotate-master', targetType: 'server', targetId: currentMasterKeyId } as const;
  await recordAction(audit, operator, { ...action, detail: { step: 'started' } });
  const rewrapped: Record<SecretKind, number> = { certificate: 0, mail: 0, webhook: 0, formerWebhook: 0 };
  const unreadable: string[] = [];
  // Whoever still seals under a former key while this runs is found by the next round.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let changed = 0;
    unreadable.length = 0;
    for (const kind of SECRET_KINDS) {
      const done = await rewrapAll(parts, kind, unreadable);
      rewrapped[kind] += done;
      changed += done;
    }
    if (changed === 0) break;
  }
  const counts = await database.read(countByMasterKey);
  await database.transaction((tables) => forgetUnusedKeys(tables, agreements.clock.now()));
  const stillNeeded = Object.fromEntries([...counts].filter(([id]) => id !== currentMasterKeyId));
  const detail = { step: 'finished', rewrapped, unreadable: unreadable.length, stillNeeded };
  await recordAction(audit, operator, { ...action, detail });
  return { currentMasterKeyId, rewrapped, unreadable, stillNeeded };
}

// --- internal ---

const MOST_ROUNDS = 5;

/** Few enough that servers which wait for the same rows or the same file hardly notice. */
const SECRETS_AT_ONCE = 50;

async function rewrapAll(parts: RotationParts, kind: SecretKind, unreadable: string[]): Promise<number> {
  const { database, vault, agreements } = parts;
  const { clock } = agreements;
  const masterKeyId = vault.currentMasterKeyId;
  let after = FIRST_ID;
  let rewrapped = 0;
  for (;;) {
    const page = { masterKeyId, after, limit: SECRETS_AT_ONCE };
    const found = await database.read((tables) => listForeignSecrets(tables, kind, page));
    const last = found.at(-1);
    if (!last) return rewrapped;
    after = last.ownerId;
    const turn = await database.transaction(async (tables) => {
      const sealer = await openSealer(tables, vault, clock.now());
      const closed: string[] = [];
      let replaced = 0;
      for (const secret of found) {
        const next = rewrapOne(sealer, secret);
        if (!next) closed.push(`${kind} ${secret.ownerId}`);
        else if (await replaceSecret(tables, secret, next)) replaced += 1;
      }
      return { closed, replaced };
    });
    unreadable.push(...turn.closed);
    rewrapped += turn.replaced;
  }
}

/** @returns null when no master key at hand opens it. */
function rewrapOne(sealer: Sealer, secret: StoredSecret): SealedSecret | null {
  try {
    return sealer.rewrap(secret.sealed, labelOfSecret(secret));
  } catch (error) {
    if (error instanceof SecretUnreadableError) return null;
    throw error;
  }
}
