/** The answer of a handler: JSON, a file, or nothing. */
export interface Answer {
  readonly status: number;
  readonly body: AnswerBody;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The content of an answer. */
export type AnswerBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'content'; readonly type: string; readonly content: string | Uint8Array }
  | { readonly kind: 'jsonPieces'; readonly pieces: AsyncIterable<string> }
  | { readonly kind: 'filePieces'; readonly type: string; readonly pieces: AsyncIterable<Uint8Array> }
  | { readonly kind: 'empty' };

/** A JSON answer. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, body: { kind: 'json', value }, headers };
}

/**
 * JSON produced while it is sent, as fast as its reader takes it: for answers too large for memory.
 * @param pieces together one JSON text. If one fails, the connection breaks, so that no reader takes a partial answer
 * for a whole one.
 */
export function jsonPieces(pieces: AsyncIterable<string>): Answer {
  return { status: 200, body: { kind: 'jsonPieces', pieces } };
}

/** A file to save, with its type and name. */
export function attachment(content: string | Uint8Array, type: string, filename: string): Answer {
  return {
    status: 200,
    body: { kind: 'content', type, content },
    headers: { 'content-disposition': `attachment; filename="${filename}"` },
  };
}

/** A file to save that is produced during its transfer. @param pieces as the pieces of `jsonPieces`. */
export function streamedAttachment(pieces: AsyncIterable<Uint8Array>, type: string, filename: string): Answer {
  return {
    status: 200,
    body: { kind: 'filePieces', type, pieces },
    headers: { 'content-disposition': `attachment; filename="${filename}"` },
  };
}

/** Forbids a browser to load and run anything on a server page. */
export const PAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
} as const;

/** A server page, which may load and run nothing. */
export function page(status: number, html: string): Answer {
  return { status, body: { kind: 'content', type: 'text/html; charset=utf-8', content: html }, headers: PAGE_HEADERS };
}

/** A status alone. */
export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, body: { kind: 'empty' }, headers };
}
