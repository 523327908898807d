import { createHash } from 'node:crypto';
import { type Answer, empty } from './answer.js';
import type { Exchange } from './exchange.js';

/** Content that stays the same while the process runs, such as a file of the package. */
export interface KeptContent {
  readonly type: string;
  readonly content: string | Buffer;
  /** Changes with the content. */
  readonly etag: string;
}

/** Content to keep. @param type its media type. */
export function toKeptContent(type: string, content: string | Buffer): KeptContent {
  return { type, content, etag: `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"` };
}

/** Answers with the content, or with 304 to whoever has it. */
export function answerKept(
  exchange: Exchange,
  { type, content, etag }: KeptContent,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const sent = { etag, 'cache-control': 'no-cache', 'referrer-policy': 'no-referrer', ...headers };
  if (exchange.header('if-none-match') === etag) return empty(304, sent);
  return { status: 200, body: { kind: 'content', type, content }, headers: sent };
}
