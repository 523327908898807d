import type { Operations } from './api.js';
import { ENDPOINTS } from './endpoints.js';
import { type Connection, sendRequest } from './send-request.js';

/** The name of an operation of the interface. */
export type OperationName = keyof Operations;

/** Where every operation is: its method, its path, and whether it is for one issuer. */
export type OperationPlaces = typeof ENDPOINTS;

/** What an operation answers. */
export type OperationAnswer<Name extends OperationName> = Operations[Name]['answer'];

/** What an operation takes: the parts of its path, its query and its body. */
export type OperationInput<Name extends OperationName> = Part<'params', Operations[Name]['params']> &
  Part<'query', Operations[Name]['query']> &
  BodyPart<Operations[Name]['body']> &
  CallOptions;

/** What of a call is not its operation's. */
export interface CallOptions {
  /** The issuer it is for, where it is another than the client's. */
  readonly issuerId?: string;
  /** Makes repeating the call safe. Only creating documents knows it. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Calls operations by their names. */
export interface Api {
  /** Calls an operation and gives what it answers. @throws ApiError */
  call<Name extends OperationName>(name: Name, input: OperationInput<Name>): Promise<OperationAnswer<Name>>;
  /** Calls an operation and gives the answer as it came, for files and headers. @throws ApiError */
  open<Name extends OperationName>(name: Name, input: OperationInput<Name>): Promise<Response>;
}

/**
 * Calls an operation. Reading is repeated where that can help, and so is what has an idempotency key.
 *
 * @returns the answer as it came.
 * @throws ApiError
 */
export async function callOperation<Name extends OperationName>(
  connection: Connection & { readonly issuerId?: string | undefined },
  name: Name,
  input: OperationInput<Name>,
): Promise<Response> {
  const [method, path, forIssuer] = ENDPOINTS[name];
  // What an operation does not take is typed as absent.
  const { params, query, body, issuerId, idempotencyKey, signal } = input as LooseInput;
  const issuer = issuerId ?? connection.issuerId;
  if (forIssuer && !issuer) throw new TypeError(`${name} is for one issuer: give issuerId to the client or the call.`);
  return sendRequest(connection, {
    method,
    path: fill(path, params ?? {}) + toSearch(query ?? {}),
    headers: {
      ...(forIssuer && issuer ? { 'x-issuer-id': issuer } : {}),
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    },
    body,
    repeatable: method === 'GET' || idempotencyKey !== undefined,
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

function fill(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_place, name: string) => encodeURIComponent(params[name] ?? ''));
}

function toSearch(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}
