/** What a handler answers: JSON, a file, or nothing. */
export interface Answer {
  readonly status: number;
  readonly body: AnswerBody;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The content of an answer. */
export type AnswerBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'content'; readonly type: string; readonly content: string | Uint8Array }
  | { readonly kind: 'empty' };

/** A JSON answer. */
export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, body: { kind: 'json', value }, headers };
}

/** A file to save, with its type and name. */
export function attachment(content: string | Uint8Array, type: string, filename: string): Answer {
  return {
    status: 200,
    body: { kind: 'content', type, content },
    headers: { 'content-disposition': `attachment; filename="${filename}"` },
  };
}

/** A page of our own, which may load and run nothing. */
export function page(status: number, html: string): Answer {
  return {
    status,
    body: { kind: 'content', type: 'text/html; charset=utf-8', content: html },
    headers: { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'" },
  };
}

/** A status alone. */
export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, body: { kind: 'empty' }, headers };
}
