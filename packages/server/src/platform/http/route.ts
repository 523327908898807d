import type { TSchema } from '@sinclair/typebox';
import type { ProblemCode } from '../errors/error-catalogue.js';
import { invalid, Refusal } from '../errors/refusal.js';
import type { Answer } from './answer.js';
import type { BodyInput } from './body-input.js';
import type { RequestKind } from './caller-slots.js';
import type { Exchange } from './exchange.js';
import type { Fields, FieldValues } from './field.js';
import { headerInput, pathInput, queryInput } from './inputs.js';

/** The context of a public route. */
export interface PublicCall {
  readonly exchange: Exchange;
}

/**
 * A handler in its two steps. Input is validated before anything is looked up, so that malformed input is reported
 * first; the pipeline runs between the two.
 */
export interface Handler<Call> {
  /** The entry of the route in the description of the interface; null for an undescribed route. */
  readonly operation: Operation | null;
  /** Whether browsers get problems as pages. */
  readonly showsPages: boolean;
  /** Parses the request. @throws Refusal if it is malformed. */
  prepare(exchange: Exchange): Promise<PreparedHandler<Call>>;
}

/** A handler that has read its request. */
export interface PreparedHandler<Call> {
  /** Calls the use case and shapes its result. */
  answer(call: Call): Promise<Answer>;
  /** Further errors of the input, reported before a missing issuer or document. @throws Refusal */
  review?(): void | Promise<void>;
  /** Looks up the object of the path, for a caller who may not change it. @throws Refusal if it does not exist. */
  find?(call: Call): Promise<unknown>;
}

/** The input and output of a handler, for the description of the interface. */
export interface Operation extends OperationWords {
  readonly params: Fields;
  readonly query: Fields;
  readonly headers: Fields;
  readonly body: BodyInput<unknown> | null;
}

/** The texts about an operation. */
export interface OperationWords {
  /** Its name in generated clients, unique. */
  readonly id: string;
  /** Its effect, in a line. */
  readonly summary: string;
  /** Further information. */
  readonly description?: string;
  /** Its answers, by status. */
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** The error codes of the contract, next to the codes of its input and route. */
  readonly refuses?: readonly ProblemCode[];
}

/** The body of an answer: JSON of a schema, other content by its type with the headers that describe it, or nothing. */
export type AnswerShape =
  | TSchema
  | {
      readonly content: Readonly<Record<string, TSchema>>;
      readonly about: string;
      readonly headers?: readonly ContentHeader[];
    }
  | 'nothing';

/** The headers that describe a content. */
export type ContentHeader = 'Content-Disposition' | 'X-Accepted-At' | 'X-Document-Status' | 'X-Template-Version';

/** The parsed parts of a request, by place. */
export interface ReadRequest<Params, Query, Headers, Body> {
  readonly params: FieldValues<Params>;
  readonly query: FieldValues<Query>;
  readonly headers: FieldValues<Headers>;
  readonly body: Body;
}

/** Creates a handler from its inputs and its answer. */
export function routeHandler<
  Call extends PublicCall,
  Params extends Fields = Record<never, never>,
  Query extends Fields = Record<never, never>,
  Headers extends Fields = Record<never, never>,
  Body = undefined,
  Input = ReadRequest<Params, Query, Headers, Body>,
>(steps: {
  readonly operation?: OperationWords;
  readonly params?: Params;
  readonly query?: Query;
  readonly headers?: Headers;
  readonly body?: BodyInput<Body>;
  /** Whether browsers open the route: its problems are then pages, also the problems of its input. */
  readonly showsPages?: boolean;
  /**
   * Whether errors of the path and of the body are reported together; otherwise the body is not read after an error of
   * the path.
   */
  readonly collectsAllFaults?: boolean;
  /** Checks that a schema cannot express: rules between fields, and the conversion of the input. @throws Refusal */
  readonly parse?: (exchange: Exchange, read: ReadRequest<Params, Query, Headers, Body>) => Input | Promise<Input>;
  readonly review?: (exchange: Exchange, input: Input) => void | Promise<void>;
  /**
   * Looks up the object of the path: its absence is reported before a missing permission of the account. @throws
   * Refusal
   */
  readonly find?: (call: Call, input: Input) => Promise<unknown>;
  readonly answer: (call: Call, input: Input) => Promise<Answer>;
}): Handler<Call> {
  const { operation, params, query, headers, body, showsPages = false, collectsAllFaults = false } = steps;
  const { parse, review, find, answer } = steps;
  return {
    operation: operation
      ? {
          ...operation,
          params: params ?? {},
          query: query ?? {},
          headers: headers ?? {},
          body: body ?? null,
        }
      : null,
    showsPages,
    async prepare(exchange) {
      const read = await readRequest(exchange, { params, query, headers, body, collectsAllFaults });
      // Without a parser the input is the raw value; the compiler cannot infer that.
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
 * The limits of routes by address: routes that open accounts, that write or compute, that read, pages with all their
 * files, and monitoring.
 */
export type AddressLimit = 'onboarding' | 'publicWork' | 'publicReads' | 'pages' | 'probes';

/** The properties of every route. */
export interface RouteBase {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With `:name` for its parameters. */
  readonly path: string;
  /**
   * The kind of place that its requests take. `apart` takes none: it waits for others than this process, or has its own
   * queue, and must not block its caller's other requests. Default `usual`.
   */
  readonly slots?: RequestKind | 'apart';
}

/**
 * A route that needs no key. Configuration may reserve `onboarding` routes to the web application; `service` routes
 * always are.
 */
export interface PublicRoute extends RouteBase {
  readonly access: 'public' | 'onboarding' | 'service';
  /** The limit of the route's requests; null for the limit of reads. */
  readonly limit: AddressLimit | null;
  readonly handler: Handler<PublicCall>;
}

/** The special properties of a route without a key. */
export interface OpenRouteOptions extends Pick<RouteBase, 'slots'> {
  /** The limit of the route's requests; default the limit of reads. */
  readonly limit?: AddressLimit;
}

/** A route for every client. */
export function publicly(
  method: RouteBase['method'],
  path: string,
  handler: Handler<PublicCall>,
  options?: OpenRouteOptions,
): PublicRoute {
  return { method, path, access: 'public', handler, limit: null, ...options };
}

/** A route that opens accounts; configuration may reserve it to the web application. */
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

/** Path and query are validated together, before the body is read. */
async function readRequest<Params extends Fields, Query extends Fields, Headers extends Fields, Body>(
  exchange: Exchange,
  inputs: {
    readonly params: Params | undefined;
    readonly query: Query | undefined;
    readonly headers: Headers | undefined;
    readonly body: BodyInput<Body> | undefined;
    readonly collectsAllFaults: boolean;
  },
): Promise<ReadRequest<Params, Query, Headers, Body>> {
  const path = pathInput(exchange.params);
  const query = queryInput(exchange.search);
  const headers = headerInput(exchange);
  const read = {
    params: inputs.params && path.readAll(inputs.params),
    query: inputs.query && query.readAll(inputs.query),
    headers: inputs.headers && headers.readAll(inputs.headers),
  };
  const failures = [...path.failures, ...query.failures, ...headers.failures];
  if (failures.length > 0 && !inputs.collectsAllFaults) throw invalid(failures);
  const body = await inputs.body?.read(exchange).catch((error: unknown) => {
    const others = error instanceof Refusal ? (error.details.failures ?? []) : [];
    throw failures.length > 0 && others.length > 0 ? invalid([...failures, ...others]) : error;
  });
  if (failures.length > 0) throw invalid(failures);
  const whole = { ...read, body };
  // An absent part has a type without fields.
  return whole as ReadRequest<Params, Query, Headers, Body>;
}
