import type { Operations } from './api.js';
import { ENDPOINTS } from './endpoints.js';
import { type Connection, sendRequest } from './send-request.js';

/** The name of an operation of the interface. */
export type OperationName = keyof Operations;

/** Method and path of every operation, and whether it needs an issuer. */
export type OperationEndpoints = typeof ENDPOINTS;

/** The answer of an operation. */
export type OperationAnswer<Name extends OperationName> = Operations[Name]['answer'];

/** The input of an operation: path parameters, query and body. */
export type OperationInput<Name extends OperationName> = Part<'params', Operations[Name]['params']> &
  Part<'query', Operations[Name]['query']> &
  BodyPart<Operations[Name]['body']> &
  CallOptions;

/** The parts of a call that every operation has. */
export interface CallOptions {
  /** The issuer of the call, when it is not the client's. */
  readonly issuerId?: string;
  /** Makes repeating the call safe. Only creating documents accepts it. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Calls operations by name. */
export interface Api {
  /** Calls an operation and returns its parsed answer. @throws ApiError */
  call<Name extends OperationName>(name: Name, input: OperationInput<Name>): Promise<OperationAnswer<Name>>;
  /** Calls an operation and returns the raw answer, for files and headers. @throws ApiError */
  open<Name extends OperationName>(name: Name, input: OperationInput<Name>): Promise<Response>;
  /**
   * Calls an operation and returns its answer as it comes, for files of any length: `timeoutMs` limits the wait until it
   * begins. A file that breaks off fails its reader. @throws ApiError
   */
  stream<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/**
 * Calls an operation. Reads and calls with an idempotency key are retried.
 *
 * @param longAnswer as in `RequestToSend`.
 * @returns the raw answer.
 * @throws ApiError; TypeError for an unknown operation, and without an issuer or a part of the path.
 */
export async function callOperation<Name extends OperationName>(
  connection: Connection & { readonly issuerId?: string | undefined },
  name: Name,
  input: OperationInput<Name>,
  { longAnswer = false }: { readonly longAnswer?: boolean } = {},
): Promise<Response> {
  if (!Object.hasOwn(ENDPOINTS, name)) throw new TypeError(`There is no operation ${name}.`);
  const [method, path, forIssuer] = ENDPOINTS[name];
  // The type of an input that an operation does not take is `undefined`.
  const { params, query, body, issuerId, idempotencyKey, signal } = input as LooseInput;
  const needsIssuer = forIssuer === 'unlessAll' ? query?.['issuerId'] !== 'all' : forIssuer;
  const issuer = issuerId ?? connection.issuerId;
  if (needsIssuer && !issuer)
    throw new TypeError(`${name} is for one issuer: give issuerId to the client or the call.`);
  return sendRequest(connection, {
    method,
    path: fill(name, path, params ?? {}) + toSearch(query ?? {}),
    headers: {
      ...(needsIssuer && issuer ? { 'x-issuer-id': issuer } : {}),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body,
    repeatable: method === 'GET' || idempotencyKey !== undefined,
    longAnswer,
    signal,
  });
}

// --- internal ---

type Part<Name extends string, Value> = Value extends null
  ? { readonly [Key in Name]?: undefined }
  : Record<never, never> extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value };

type BodyPart<Value> = [Value] extends [null]
  ? { readonly body?: FormData }
  : null extends Value
    ? { readonly body?: Exclude<Value, null> }
    : { readonly body: Value | FormData };

interface LooseInput extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

function fill(operation: string, path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_place, name: string) => {
    const value = params[name];
    // An empty part makes another address: that of a document becomes that of the list. So do dots, which no URL keeps.
    if (!value || value === '.' || value === '..') throw new TypeError(`${operation} needs ${name}.`);
    return encodeURIComponent(value);
  });
}

function toSearch(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}
