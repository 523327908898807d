import { type Answer, empty, PAGE_HEADERS } from './answer.js';
import { namesTag } from './entity-tag.js';
import type { Exchange } from './exchange.js';
import { PAGE_TYPE, type StaticContent, toStaticContent } from './static-content.js';

/** Answers with the content, or with 304 to a client that has it. */
export function answerStatic(
  exchange: Exchange,
  { type, content, etag }: StaticContent,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const sent = { etag, 'cache-control': 'no-cache', 'referrer-policy': 'no-referrer', ...headers };
  if (namesTag(exchange.header('if-none-match'), etag)) return empty(304, sent);
  return { status: 200, body: { kind: 'content', type, content }, headers: sent };
}

/**
 * Answers with a server page that is rendered once per language.
 * @param name one of few, as of `StaticContents`.
 */
export async function answerPage(exchange: Exchange, name: string, make: () => string): Promise<Answer> {
  const page = () => toStaticContent(PAGE_TYPE, make());
  const kept = await exchange.services.staticContents.get(`${name} ${exchange.language}`, page);
  return answerStatic(exchange, kept, { ...PAGE_HEADERS, vary: 'Accept-Language' });
}
