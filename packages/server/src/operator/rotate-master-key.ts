import { FIRST_ID } from 'sri-storage-adapters';
import type { WriteDeps } from '../platform/database/write-deps.js';
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

/** Dependencies of changing the master key. */
export type RotationDeps = Pick<Services, keyof WriteDeps | 'vault'>;

/** The result of a change of the master key. */
export interface Rotation {
  readonly currentMasterKeyId: string;
  /** The number of secrets moved to the current master key, by kind. */
  readonly rewrapped: Readonly<Record<SecretKind, number>>;
  /** Secrets that no configured master key opens: `<kind> <owner>`. */
  readonly unreadable: readonly string[];
  /**
   * Other master keys with the number of secrets that still need them. Empty: they may be removed from the
   * configuration.
   */
  readonly stillNeeded: Readonly<Record<string, number>>;
}

/**
 * Moves every stored secret to the current master key, while servers continue to work. Data keys are wrapped again, and
 * contents stay as sealed; each row changes in one step. After an interruption, a new run continues; a complete run
 * does nothing.
 *
 * @throws MasterKeyNeededError when the database is sealed with a missing master key.
 */
export async function rotateMasterKey(parts: RotationDeps, operator: Operator): Promise<Rotation> {
  const { database, clock, vault } = parts;
  const { currentMasterKeyId } = vault;
  await database.read((tables) => requireMasterKeys(tables, vault));
  const action = { action: 'keys.rotate-master', targetType: 'server', targetId: currentMasterKeyId } as const;
  await recordAction(parts, operator, { ...action, detail: { step: 'started' } });
  const rewrapped: Record<SecretKind, number> = { certificate: 0, mail: 0, webhook: 0, formerWebhook: 0 };
  const unreadable: string[] = [];
  // The next round finds secrets that a server sealed under a former key during this one.
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
  await database.transaction((tables) => forgetUnusedKeys(tables, clock.now()));
  const stillNeeded = Object.fromEntries([...counts].filter(([id]) => id !== currentMasterKeyId));
  const detail = { step: 'finished', rewrapped, unreadable: unreadable.length, stillNeeded };
  await recordAction(parts, operator, { ...action, detail });
  return { currentMasterKeyId, rewrapped, unreadable, stillNeeded };
}

// --- internal ---

const MOST_ROUNDS = 5;

/** A small batch, so that servers that wait for the same rows or file are hardly delayed. */
const SECRETS_AT_ONCE = 50;

async function rewrapAll(parts: RotationDeps, kind: SecretKind, unreadable: string[]): Promise<number> {
  const { database, vault, clock } = parts;
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

/** @returns null when no configured master key opens it. */
function rewrapOne(sealer: Sealer, secret: StoredSecret): SealedSecret | null {
  try {
    return sealer.rewrap(secret.sealed, labelOfSecret(secret));
  } catch (error) {
    if (error instanceof SecretUnreadableError) return null;
    throw error;
  }
}
