import type { Issuer } from '../documents/issuer.js';
import type { DocumentTypeCode } from '../documents/registry.js';
import type { Signer } from '../signing/signer.js';

/** An issuer as the engine needs it: its data for the comprobante, its signer, and what it may do. */
export interface EngineIssuer extends Issuer {
  /** Any stable text; the documents are stored under it. */
  readonly id: string;
  readonly signer: Signer;
  /** False pauses creating and rebuilding. Default true. */
  readonly canIssue?: boolean;
  /** What it may create. Default all supported types. */
  readonly documentTypes?: readonly DocumentTypeCode[];
  /** PNG, JPEG or GIF for the RIDE. */
  readonly logo?: Uint8Array | null;
}

/** Where issuers come from. It is asked for every operation, so that a change of data holds from the next document on. */
export interface IssuerSource {
  /** Null when there is no such issuer. */
  find(issuerId: string): Promise<EngineIssuer | null>;
}
