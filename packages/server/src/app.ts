import { H3, type H3Event, HTTPResponse } from 'h3';
import { allRoutes } from './all-routes.js';
import { answerRoute } from './gate/pipeline.js';
import type { Route } from './gate/route.js';
import { Refusal } from './platform/errors/refusal.js';
import { type Answer, type AnswerBody, json, page } from './platform/http/answer.js';
import { Exchange } from './platform/http/exchange.js';
import { toProblem, toRefusal } from './platform/http/problem.js';
import { problemPage } from './platform/http/problem-page.js';
import { incomingOf } from './platform/http/read-incoming.js';
import type { Services } from './platform/http/services.js';
import { preferred } from './platform/preferred.js';

/** The HTTP interface over the given services, without a socket: `app.request(…)` answers a request. */
export function createApp(services: Services): H3 {
  const app = new H3({ silent: true, allowMalformedURL: true });
  const { urls, config } = services;
  const routes = allRoutes({
    urls,
    hasOperator: config.adminTokens.length > 0,
    hasPlans: config.use === 'service',
    hasConsole: config.console,
    hasGuide: config.guide,
  });
  for (const [path, routesOfPath] of byPath(routes)) {
    const methods = routesOfPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    for (const route of routesOfPath) {
      const handle = (event: H3Event) => serve(event, services, (exchange) => answerRoute(route, exchange), path);
      app.on(route.method, path, handle);
      if (route.method === 'GET') app.on('HEAD', path, handle);
    }
    app.all(path, (event) => serve(event, services, () => refuseMethod(methods), path));
  }
  app.all('/**', (event) => serve(event, services, refusePath, 'unknown'));
  return app;
}

// --- internal ---

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) groups.set(route.path, [...(groups.get(route.path) ?? []), route]);
  return groups;
}

/** A person at a wrong address gets a page; a program of the interface never does. */
async function refusePath(exchange: Exchange): Promise<never> {
  exchange.answersPages = !exchange.path.startsWith('/v1/');
  throw new Refusal('NOT_FOUND');
}

async function refuseMethod(methods: readonly string[]): Promise<never> {
  const allow = methods.join(', ');
  throw new Refusal('METHOD_NOT_ALLOWED', { params: { allow }, headers: { allow } });
}

/** The key in the path, if it has the form of one. Anything else is free text from the caller. */
function documentOf({ params: { accessKey } }: Exchange): { readonly accessKey?: string } {
  return accessKey !== undefined && /^\d{49}$/.test(accessKey) ? { accessKey } : {};
}

async function serve(
  event: H3Event,
  services: Services,
  work: (exchange: Exchange) => Promise<Answer>,
  routePath: string,
): Promise<HTTPResponse> {
  const startedAt = performance.now();
  const exchange = new Exchange(toIncoming(event), services);
  let answer: Answer;
  try {
    refuseBackslash(event.req);
    answer = await work(exchange);
  } catch (error) {
    answer = answerError(error, exchange);
  }
  exchange.close();
  const ms = performance.now() - startedAt;
  const { method } = exchange;
  services.metrics.countRequest({ method, route: routePath, status: answer.status }, ms);
  services.logger.info(
    {
      requestId: exchange.requestId,
      method,
      route: routePath,
      status: answer.status,
      ms: Math.round(ms),
      ...documentOf(exchange),
      ...exchange.logFields,
    },
    'request',
  );
  return toResponse(answer, exchange);
}

/** A proxy may block paths before this server reads a backslash, which the platform's parser makes a slash. */
function refuseBackslash(request: Request): void {
  if (/^[^?#]*\\/.test(incomingOf(request)?.url ?? '')) {
    throw new Refusal('BAD_REQUEST', { reason: 'MALFORMED_REQUEST' });
  }
}

function toIncoming(event: H3Event) {
  return {
    request: event.req,
    path: event.url.pathname,
    search: event.url.search,
    params: event.context.params ?? {},
    socketAddress: event.req.ip ?? event.context.clientAddress ?? null,
  };
}

function answerError(error: unknown, exchange: Exchange): Answer {
  const refusal = toRefusal(error);
  const { code, details } = refusal;
  exchange.logFields['code'] = code;
  if (details.reason) exchange.logFields['reason'] = details.reason;
  if (code === 'INTERNAL_ERROR') logFault(error, exchange);
  const { requestId, language, path } = exchange;
  const problem = toProblem(refusal, { requestId, language, instance: path, docsUrl: exchange.services.urls.docsUrl });
  if (exchange.answersPages && exchange.prefersHtml) {
    const shown = page(problem.status, problemPage(language, problem.body));
    return { ...shown, headers: { ...shown.headers, ...problem.headers } };
  }
  const named = preferred(exchange.header('accept'), (name) =>
    name === 'application/problem+json' ? name : undefined,
  );
  const type = named ? { 'content-type': `${named}; charset=utf-8` } : {};
  return json(problem.status, problem.body, { ...problem.headers, ...type });
}

/** Keeps the stack, and only the first line of the message: the message of an unknown error may quote data. */
function logFault(error: unknown, exchange: Exchange): void {
  const fault = error instanceof Error ? error : new Error('something that is no Error was thrown');
  const place =
    fault.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 12) ?? [];
  exchange.logger.error(
    { requestId: exchange.requestId, error: fault.name, message: fault.message.split('\n')[0]?.slice(0, 200), place },
    'unexpected failure',
  );
}

function toResponse(answer: Answer, exchange: Exchange): HTTPResponse {
  const { body } = answer;
  const headers: Record<string, string> = {
    'x-request-id': exchange.requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    // The next request of this connection has to go to another server.
    ...(exchange.services.isDraining() ? { connection: 'close' } : {}),
    ...exchange.headers,
  };
  if (body.kind === 'json' || body.kind === 'jsonPieces') {
    headers['content-type'] = 'application/json; charset=utf-8';
    headers['content-language'] = exchange.language;
  } else if (body.kind !== 'empty') headers['content-type'] = body.type;
  Object.assign(headers, answer.headers);
  return new HTTPResponse(toContent(body, exchange), { status: answer.status, headers });
}

function toContent(body: AnswerBody, exchange: Exchange): string | Uint8Array | ReadableStream<Uint8Array> | null {
  switch (body.kind) {
    case 'json':
      return JSON.stringify(body.value);
    case 'content':
      return body.content;
    case 'jsonPieces':
    case 'filePieces':
      return toStream(body.pieces, (error) => {
        if (!(error instanceof Refusal)) logFault(error, exchange);
      });
    case 'empty':
      return null;
  }
}

/**
 * Requests the next chunk when the last one is on its way. Ends when the reader goes away.
 * @param onFailure called before the connection breaks.
 */
function toStream(
  pieces: AsyncIterable<string | Uint8Array>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  let isLeft = false;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next();
          // A stream accepts nothing more once its reader has left.
          if (isLeft) return;
          if (done) controller.close();
          else controller.enqueue(typeof value === 'string' ? Buffer.from(value) : value);
        } catch (error) {
          onFailure(error);
          throw error;
        }
      },
      async cancel() {
        isLeft = true;
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
