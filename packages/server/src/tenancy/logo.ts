import { LOGO_MAX_BYTES, readLogo } from 'sri-core';
import { Refusal } from '../errors.js';

/**
 * Checks an uploaded logo and re-encodes it, so that nothing but its pixels is kept.
 *
 * @throws Refusal INVALID_FILE_UPLOAD: too many bytes, too many pixels, or no PNG, JPEG or GIF.
 */
export async function readUploadedLogo(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length > LOGO_MAX_BYTES) {
    throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'FILE_TOO_LARGE', params: { limit: LOGO_MAX_BYTES } });
  }
  try {
    const logo = await readLogo(bytes);
    return logo.bytes;
  } catch (cause) {
    throw new Refusal('INVALID_FILE_UPLOAD', { reason: 'UNSUPPORTED_IMAGE', cause });
  }
}
