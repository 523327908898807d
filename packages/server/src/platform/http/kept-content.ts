import { createHash } from 'node:crypto';

/** Content that does not change while the process runs, such as a file of the package. */
export interface KeptContent {
  readonly type: string;
  /** Its bytes, shared by all answers. */
  readonly content: Buffer;
  /** Changes with the content. */
  readonly etag: string;
}

/** Content to keep. @param type its media type. */
export function toKeptContent(type: string, content: string | Uint8Array): KeptContent {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content);
  return { type, content: bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
}

/** Content that a server creates once, on the first request. */
export interface KeptContents {
  /** @param name one of few: check any value that a caller chooses freely before. */
  get(name: string, type: string, make: () => string): KeptContent;
}

/** Keeps contents by their names. */
export function createKeptContents(): KeptContents {
  const kept = new Map<string, KeptContent>();
  return {
    get(name, type, make) {
      const content = kept.get(name) ?? toKeptContent(type, make());
      kept.set(name, content);
      return content;
    },
  };
}

/** The media types of kept content. */
export const KEPT_JSON = 'application/json; charset=utf-8';
export const KEPT_PAGE = 'text/html; charset=utf-8';
