import type { KeyParts } from './administer-keys.js';
import type { KeyUsage } from './key-usage.js';
import type { KnownKeys } from './known-keys.js';

declare module '../platform/http/services.js' {
  interface Services {
    /** What administering keys needs. */
    readonly keys: KeyParts;
    readonly keyUsage: KeyUsage;
    readonly knownKeys: KnownKeys;
  }
}
