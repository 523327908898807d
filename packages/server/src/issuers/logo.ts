import { ImageInvalidError, LOGO_MAX_BYTES } from 'sri-core';
import { Refusal } from '../platform/errors/refusal.js';

/** Dependencies of reading logos. */
export interface LogoDeps {
  /**
   * Checks and re-encodes a logo when it is the caller's turn. A logo may take a second of CPU.
   *
   * @throws ImageInvalidError; Refusal TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE.
   */
  readonly checkLogo: (caller: string, bytes: Uint8Array) => Promise<Uint8Array>;
}

/**
 * Checks an uploaded logo and re-encodes it, so that only its pixels are stored.
 *
 * @throws Refusal INVALID_FILE_UPLOAD: too many bytes, too many pixels, or no PNG, JPEG or GIF; TOO_MANY_REQUESTS,
 *   SERVICE_UNAVAILABLE as `checkLogo`.
 */
export async function readUploadedLogo(
  { checkLogo }: LogoDeps,
  caller: string,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  if (bytes.length > LOGO_MAX_BYTES) {
    throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'FILE_TOO_LARGE', params: { limit: LOGO_MAX_BYTES } });
  }
  try {
    return await checkLogo(caller, bytes);
  } catch (cause) {
    if (!(cause instanceof ImageInvalidError)) throw cause;
    throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'UNSUPPORTED_IMAGE', cause });
  }
}
