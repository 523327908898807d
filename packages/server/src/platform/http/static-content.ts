import { entityTag } from './entity-tag.js';

/** Content that does not change while the process runs, such as a file of the package. */
export interface StaticContent {
  readonly type: string;
  /** Its bytes, shared by all answers. */
  readonly content: Buffer;
  /** Changes with the content. */
  readonly etag: string;
}

/** Content to keep. @param type its media type. */
export function toStaticContent(type: string, content: string | Uint8Array): StaticContent {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content);
  return { type, content: bytes, etag: entityTag(bytes) };
}

/** Content that a server creates on the first request. */
export interface StaticContents {
  /**
   * @param name of the area and of the content in it: one of few, unless `make` returns null for any other.
   * @param make null is not kept.
   */
  get<Made extends StaticContent | null>(name: string, make: () => Made | Promise<Made>): Promise<StaticContent | Made>;
}

/** Keeps contents by their names. */
export function createStaticContents(): StaticContents {
  const kept = new Map<string, StaticContent>();
  return {
    async get(name, make) {
      const known = kept.get(name);
      if (known) return known;
      const made = await make();
      if (made) kept.set(name, made);
      return made;
    },
  };
}

/** The media types of kept content. */
export const JSON_TYPE = 'application/json; charset=utf-8';
export const PAGE_TYPE = 'text/html; charset=utf-8';
export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
export const STYLE_TYPE = 'text/css; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
