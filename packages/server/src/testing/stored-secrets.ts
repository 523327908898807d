import type { TenantContext } from '../accounts/tenant.js';
import type { StoredSecret } from '../platform/secrets/secret-rows.js';
import type { SealedSecret } from '../platform/secrets/vault.js';
import { storeIssuer, type TestStore } from './test-store.js';

/** A secret to store, with the data of its owner. */
export interface SecretToStore extends Pick<StoredSecret, 'kind' | 'ownerId' | 'keyVersion'> {
  /** Null for a mail without a secret. */
  readonly sealed: SealedSecret | null;
}

/** The current secret of a webhook with a stored former one. */
const PRESENT: SealedSecret = { masterKeyId: 'present', wrappedKey: 'present', ciphertext: 'present' };

/** Stores a secret with the issuer, mail or webhook that owns it. */
export async function storeSecret(
  store: TestStore,
  { tenant }: TenantContext,
  { kind, ownerId, keyVersion, sealed }: SecretToStore,
): Promise<void> {
  const { database, clock } = store;
  const at = clock.now().getTime();
  if (kind === 'certificate') await storeIssuer(store, { tenant }, ownerId);
  const own = { tenant_id: tenant.id, created_at: at };
  await database.transaction(async (tables) => {
    if (kind === 'certificate') {
      await tables
        .insertInto('issuer_certificates')
        .values({
          ...own,
          issuer_id: ownerId,
          fingerprint: 'x',
          ruc: null,
          valid_from: at,
          valid_to: at,
          certificate: 'x',
          chain: '[]',
          key_version: keyVersion,
          master_key_id: sealed?.masterKeyId ?? '',
          wrapped_key: sealed?.wrappedKey ?? '',
          sealed_key: sealed?.ciphertext ?? '',
        })
        .execute();
    } else if (kind === 'mail') {
      await tables
        .insertInto('jobs')
        .values({
          ...own,
          id: ownerId,
          kind: 'MAIL',
          subject: 'VERIFICATION',
          lane: tenant.id,
          recipient: tenant.email,
          language: 'es',
          data: '{}',
          master_key_id: sealed?.masterKeyId ?? null,
          wrapped_key: sealed?.wrappedKey ?? null,
          sealed_token: sealed?.ciphertext ?? null,
          status: 'PENDING',
          attempt_count: 0,
          due_at: at,
          ready_at: at,
          lease_token: 0,
          requested: 0,
          reports: '',
        })
        .execute();
    } else {
      await tables
        .insertInto('webhook_endpoints')
        .values({
          ...own,
          id: ownerId,
          url: 'https://hooks.example.com/x',
          event_types: '[]',
          active: 1,
          listed: 1,
          secret_version: kind === 'webhook' ? keyVersion : keyVersion + 1,
          secret: JSON.stringify(kind === 'webhook' ? sealed : PRESENT),
          former_secret: kind === 'webhook' ? null : JSON.stringify(sealed),
          former_until: null,
          updated_at: at,
        })
        .execute();
    }
  });
}
