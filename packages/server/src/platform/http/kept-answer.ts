import { type Answer, empty, PAGE_HEADERS } from './answer.js';
import { namesTag } from './entity-tag.js';
import type { Exchange } from './exchange.js';
import { KEPT_PAGE, type KeptContent, toKeptContent } from './kept-content.js';

/** Answers with the content, or with 304 to a client that has it. */
export function answerKept(
  exchange: Exchange,
  { type, content, etag }: KeptContent,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const sent = { etag, 'cache-control': 'no-cache', 'referrer-policy': 'no-referrer', ...headers };
  if (namesTag(exchange.header('if-none-match'), etag)) return empty(304, sent);
  return { status: 200, body: { kind: 'content', type, content }, headers: sent };
}

/**
 * Answers with a server page that is rendered once per language.
 * @param name one of few, as of `KeptContents`.
 */
export async function answerPage(exchange: Exchange, name: string, make: () => string): Promise<Answer> {
  const page = () => toKeptContent(KEPT_PAGE, make());
  const kept = await exchange.services.kept.get(`${name} ${exchange.language}`, page);
  return answerKept(exchange, kept, { ...PAGE_HEADERS, vary: 'Accept-Language' });
}
