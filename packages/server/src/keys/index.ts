import type { KeyDeps } from './administer-keys.js';
import type { KeyUsage } from './key-usage.js';
import type { KnownKeys } from './known-keys.js';

export { createApiToken, createVerificationToken, hashToken, isPlausibleToken } from './api-token.js';
export { restoreKeys, revokeActiveKeys, revokeKeysSetAside, setKeysAside } from './revocation-rows.js';
export { insertApiKey } from './rows.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** Dependencies of administering keys. */
    readonly keys: KeyDeps;
    readonly keyUsage: KeyUsage;
    readonly knownKeys: KnownKeys;
  }
}
