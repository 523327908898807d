import type { Issuer } from '../documents/issuer.js';
import type { DocumentTypeCode } from '../documents/registry.js';
import type { Signer } from '../signing/signer.js';

/** An issuer for the engine: its data for the comprobante, its signer and its permissions. */
export interface EngineIssuer extends Issuer {
  /** Any stable text; documents are stored under it. */
  readonly id: string;
  readonly signer: Signer;
  /** False pauses creating and rebuilding. Default true. */
  readonly canIssue?: boolean;
  /** The document types it may create. Default all supported types. */
  readonly documentTypes?: readonly DocumentTypeCode[];
  /** PNG, JPEG or GIF for the RIDE. */
  readonly logo?: Uint8Array | null;
}

/** Looks up issuers. It is called for every operation, so that a change applies from the next document on. */
export interface IssuerSource {
  /** Null when the issuer does not exist. */
  find(issuerId: string): Promise<EngineIssuer | null>;
}
