import type { TSchema } from '@sinclair/typebox';
import type { ProblemCode } from '../errors/error-catalogue.js';
import { invalid, Refusal } from '../errors/refusal.js';
import type { Answer } from './answer.js';
import type { BodyInput } from './body-input.js';
import type { RequestKind } from './caller-places.js';
import type { Exchange } from './exchange.js';
import { type Fields, type FieldValues, readAll } from './field.js';
import { QueryReader } from './parse-query.js';
import { PathReader } from './path-fields.js';

/** What a public route knows when it answers. */
export interface PublicCall {
  readonly exchange: Exchange;
}

/**
 * A handler in its two steps. What a request says is judged before what it names is looked up, so that a caller learns
 * of malformed input first; the pipeline stands between the two.
 */
export interface Handler<Call> {
  /** What the description of the interface says of it; null for what is not described. */
  readonly operation: Operation | null;
  /** Parses the request. @throws Refusal when it is malformed. */
  prepare(exchange: Exchange): Promise<PreparedHandler<Call>>;
}

/** A handler that has read its request. */
export interface PreparedHandler<Call> {
  /** Calls the use case and shapes what it gives. */
  answer(call: Call): Promise<Answer>;
  /** What else is wrong with the input, told before that its issuer or document is not there. @throws Refusal */
  review?(): void | Promise<void>;
  /** Looks up what the path names, for a caller who may not have it changed. @throws Refusal when it is not there. */
  find?(call: Call): Promise<unknown>;
}

/** What a handler reads, takes and gives, as the description of the interface shows it. */
export interface Operation extends OperationWords {
  readonly params: Fields<never>;
  readonly query: Fields<never>;
  readonly headers: Fields<never>;
  readonly body: BodyInput<unknown> | null;
  /** Whether browsers get problems as pages. */
  readonly showsPages: boolean;
}

/** What of an operation only words can say. */
export interface OperationWords {
  /** Its name in generated clients, unique. */
  readonly id: string;
  /** What it does, in a line. */
  readonly summary: string;
  /** What else is to be known of it. */
  readonly description?: string;
  /** What it answers, by status. */
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** The codes of the contract with which it refuses, beside those that follow from its input and route. */
  readonly refuses?: readonly ProblemCode[];
}

/** The body of an answer: JSON of a schema, other content by its type, or nothing. */
export type AnswerShape =
  | TSchema
  | { readonly content: Readonly<Record<string, TSchema>>; readonly about: string }
  | 'nothing';

/** What was read of a request, by where it stands. */
export interface ReadRequest<Params, Query, Headers, Body> {
  readonly params: FieldValues<Params>;
  readonly query: FieldValues<Query>;
  readonly headers: FieldValues<Headers>;
  readonly body: Body;
}

/** Makes a handler from what it reads and what is answered to it. */
export function defineHandler<
  Call extends PublicCall,
  Params extends Fields<PathReader> = Record<never, never>,
  Query extends Fields<QueryReader> = Record<never, never>,
  Headers extends Fields<Exchange> = Record<never, never>,
  Body = undefined,
  Input = ReadRequest<Params, Query, Headers, Body>,
>(steps: {
  readonly operation?: OperationWords;
  readonly params?: Params;
  readonly query?: Query;
  readonly headers?: Headers;
  readonly body?: BodyInput<Body>;
  /** Whether people open it in a browser: then problems are pages too, those of its input among them. */
  readonly showsPages?: boolean;
  /** Whether what is wrong with the path is told with what is wrong with the body; else the body is not read then. */
  readonly judgedTogether?: boolean;
  /** What a schema cannot say: rules between fields, and what the input becomes. @throws Refusal */
  readonly parse?: (exchange: Exchange, read: ReadRequest<Params, Query, Headers, Body>) => Input | Promise<Input>;
  readonly review?: (exchange: Exchange, input: Input) => void | Promise<void>;
  /** Looks up what the path names: its absence is reported before what the account may not do yet. @throws Refusal */
  readonly find?: (call: Call, input: Input) => Promise<unknown>;
  readonly answer: (call: Call, input: Input) => Promise<Answer>;
}): Handler<Call> {
  const { operation, params, query, headers, body, showsPages, judgedTogether = false } = steps;
  const { parse, review, find, answer } = steps;
  return {
    operation: operation
      ? {
          ...operation,
          params: params ?? {},
          query: query ?? {},
          headers: headers ?? {},
          body: body ?? null,
          showsPages: showsPages === true,
        }
      : null,
    async prepare(exchange) {
      if (showsPages) exchange.answersPages = true;
      const read = await readRequest(exchange, { params, query, headers, body, judgedTogether });
      // Without a parser the input is what was read, which the compiler cannot see.
      const input = (parse ? await parse(exchange, read) : read) as Input;
      return {
        answer: (call) => answer(call, input),
        ...(review ? { review: () => review(exchange, input) } : {}),
        ...(find ? { find: (call) => find(call, input) } : {}),
      };
    },
  };
}

/**
 * The limits of routes by address: of what opens accounts, of what writes or computes, of what is read, of pages with all
 * their files, and of what watches a server.
 */
export type AddressLimit = 'onboarding' | 'publicWork' | 'publicReads' | 'pages' | 'probes';

/** What holds for every route. */
export interface RouteBase {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With `:name` for its parameters. */
  readonly path: string;
  /**
   * As what its requests take the places of their caller. `apart` takes none: it waits for others than this process, or
   * takes turns of its own, and must not keep its caller's other requests from their places. Default `usual`.
   */
  readonly places?: RequestKind | 'apart';
}

/**
 * A route that needs no key. `onboarding` ones may be reserved to the web application by configuration; `service` ones
 * always are.
 */
export interface PublicRoute extends RouteBase {
  readonly access: 'public' | 'onboarding' | 'service';
  /** The limit its requests count against; null for that of reads. */
  readonly limit: AddressLimit | null;
  readonly handler: Handler<PublicCall>;
}

/** What of a route without a key is not as usual. */
export interface OpenRouteOptions extends Pick<RouteBase, 'places'> {
  /** The limit its requests count against; default that of reads. */
  readonly limit?: AddressLimit;
}

/** A route for anybody. */
export function publicly(
  method: RouteBase['method'],
  path: string,
  handler: Handler<PublicCall>,
  options?: OpenRouteOptions,
): PublicRoute {
  return { method, path, access: 'public', handler, limit: null, ...options };
}

/** A route by which accounts begin; configuration may reserve it to the web application. */
export function onboarding(
  method: RouteBase['method'],
  path: string,
  handler: Handler<PublicCall>,
  options?: OpenRouteOptions,
): PublicRoute {
  return { method, path, access: 'onboarding', handler, limit: null, ...options };
}

/** A route of the web application that acts for no account. */
export function service(method: RouteBase['method'], path: string, handler: Handler<PublicCall>): PublicRoute {
  return { method, path, access: 'service', handler, limit: null };
}

// --- internal ---

/** What the path and the query say is judged together, and before the body is read. */
async function readRequest<
  Params extends Fields<PathReader>,
  Query extends Fields<QueryReader>,
  Headers extends Fields<Exchange>,
  Body,
>(
  exchange: Exchange,
  inputs: {
    readonly params: Params | undefined;
    readonly query: Query | undefined;
    readonly headers: Headers | undefined;
    readonly body: BodyInput<Body> | undefined;
    readonly judgedTogether: boolean;
  },
): Promise<ReadRequest<Params, Query, Headers, Body>> {
  const path = new PathReader(exchange.params);
  const query = inputs.query ? new QueryReader(exchange.search) : null;
  const read = {
    params: inputs.params && readAll(inputs.params, path),
    query: inputs.query && query && readAll(inputs.query, query),
    headers: inputs.headers && readAll(inputs.headers, exchange),
  };
  const failures = [...path.failures, ...(query?.failures ?? [])];
  if (failures.length > 0 && !inputs.judgedTogether) throw invalid(failures);
  const body = await inputs.body?.read(exchange).catch((error: unknown) => {
    const others = error instanceof Refusal ? (error.details.failures ?? []) : [];
    throw failures.length > 0 && others.length > 0 ? invalid([...failures, ...others]) : error;
  });
  if (failures.length > 0) throw invalid(failures);
  const whole = { ...read, body };
  // What was not asked for is typed as having no fields.
  return whole as ReadRequest<Params, Query, Headers, Body>;
}
