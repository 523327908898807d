import type { Language, Logger } from 'sri-core';
import { Refusal } from '../errors/refusal.js';
import { LANGUAGES, preferredLanguage } from '../language.js';
import { preferred } from '../preferred.js';
import type { BodyShare } from './body-budget.js';
import { addressBucket, clientAddress, toPlainAddress } from './client-address.js';
import { type Form, readForm } from './multipart.js';
import {
  type JsonObject,
  parseJsonObject,
  parseJsonValue,
  readJsonBytes,
  readOptionalJsonBytes,
} from './parse-body.js';
import { incomingOf } from './read-incoming.js';
import type { Services } from './services.js';

/** The parameters of an exchange: the request from the web server. */
export interface IncomingRequest {
  readonly request: Request;
  /** Path without query, as sent. */
  readonly path: string;
  readonly search: string;
  readonly params: Readonly<Record<string, string>>;
  /** Null if the request came without a socket. */
  readonly socketAddress: string | null;
}

/** One request during its answer. */
export class Exchange {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly services: Services;
  /** Headers of every answer to this request. */
  readonly headers: Record<string, string> = {};
  /** Fields of the log line. */
  readonly logFields: Record<string, string | number> = {};
  /** True on routes for browsers: then problems are pages too. */
  answersPages = false;
  /** True once the caller is authenticated as the web application. */
  fromWebApplication = false;
  /** The account's language, known once the caller is authenticated. */
  tenantLanguage: Language | null = null;
  #account: string | null = null;
  #takesTurns = false;
  #share: BodyShare | null = null;
  readonly #request: Request;
  readonly #socketAddress: string | null;

  constructor(incoming: IncomingRequest, services: Services) {
    this.services = services;
    this.#request = incoming.request;
    this.#socketAddress = incoming.socketAddress;
    this.method = incoming.request.method;
    this.path = incoming.path;
    this.search = incoming.search;
    this.params = incoming.params;
    const given = this.header('x-request-id');
    this.requestId = given && /^[\w.-]{8,64}$/.test(given) ? given : `req_${services.newRequestId()}`;
  }

  /** The language of the request, otherwise of its account, otherwise Spanish. Pages may have it in `?lang=en`. */
  get language(): Language {
    const named = this.answersPages ? new URLSearchParams(this.search).get('lang') : null;
    const chosen = LANGUAGES.find((language) => language === named);
    return chosen ?? preferredLanguage(this.header('accept-language')) ?? this.tenantLanguage ?? 'es';
  }

  get logger(): Logger {
    return this.services.logger;
  }

  /** The value of a header; null if it is absent. */
  header(name: string): string | null {
    return this.#request.headers.get(name);
  }

  /** The token of `Authorization: Bearer`; null without one. */
  get bearer(): string | null {
    return /^Bearer +([!-~]{1,512})$/i.exec(this.header('authorization') ?? '')?.[1] ?? null;
  }

  /** The media type that the request prefers among some; null if it names none. */
  preferredType<Type extends string>(...types: readonly Type[]): Type | null {
    return preferred(this.header('accept'), (name) => types.find((type) => type === name));
  }

  /** Whether the client is a browser rather than a program. */
  get prefersHtml(): boolean {
    return this.preferredType('text/html', 'application/json') === 'text/html';
  }

  /** The client's address: the visitor named by the web application, otherwise the client itself. */
  get clientAddress(): string {
    const visitor = this.fromWebApplication ? toPlainAddress(this.header('x-forwarded-visitor-ip') ?? '') : null;
    return (
      visitor ?? clientAddress(this.#socketAddress, this.header('x-forwarded-for'), this.services.config.trustProxy)
    );
  }

  /** The peer of the connection, whomever it acts for; null without a connection. */
  get socketAddress(): string | null {
    return this.#socketAddress;
  }

  /** The key of limits by address. */
  get addressBucket(): string {
    return addressBucket(this.clientAddress);
  }

  /** The caller that the work of this request counts for: its known account, otherwise its address. */
  get caller(): string {
    return this.#account ?? `address ${this.addressBucket}`;
  }

  set caller(account: string) {
    this.#account = account;
  }

  /** The JSON object in the body. @param limit in bytes. @throws Refusal */
  async json(limit: number): Promise<JsonObject> {
    return this.#parse(await readJsonBytes(this.#request, limit, this.#bodyShare()), parseJsonObject);
  }

  /** The JSON value in the body, of any kind. @throws Refusal */
  async jsonValue(limit: number): Promise<unknown> {
    return this.#parse(await readJsonBytes(this.#request, limit, this.#bodyShare()), parseJsonValue);
  }

  /** The JSON object in the body; null if the request has no body. @throws Refusal */
  async optionalJson(limit: number): Promise<JsonObject | null> {
    const bytes = await readOptionalJsonBytes(this.#request, limit, this.#bodyShare());
    return bytes && this.#parse(bytes, parseJsonObject);
  }

  /**
   * Runs work that takes event loop time in proportion to the body: large bodies queue.
   * @throws Refusal SERVICE_UNAVAILABLE, TOO_MANY_REQUESTS if its turn does not come; otherwise the error of the work.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#takesTurns ? this.services.largeBodies.run(this.caller, () => this.unlessGone(work)) : work();
  }

  /**
   * Runs work that had to wait, unless the client has disconnected: an answer without a reader costs nothing.
   * @throws Refusal MALFORMED_REQUEST for a disconnected client; otherwise the error of the work.
   */
  async unlessGone<T>(work: () => Promise<T>): Promise<T> {
    if (incomingOf(this.#request)?.socket?.destroyed) {
      throw new Refusal('BAD_REQUEST', { reason: 'MALFORMED_REQUEST' });
    }
    return work();
  }

  /** The form in the body. @throws Refusal */
  form(): Promise<Form> {
    return readForm(this.#request, FORM_LIMIT, this.#bodyShare());
  }

  /** Frees the memory of the body after the answer. */
  close(): void {
    this.#share?.release();
  }

  #bodyShare(): BodyShare {
    this.#share ??= this.services.bodyBudget.open([`address ${this.addressBucket}`, this.caller]);
    return this.#share;
  }

  async #parse<T>(bytes: Uint8Array, parse: (bytes: Uint8Array) => T): Promise<T> {
    this.#takesTurns = bytes.byteLength > TURNLESS_BYTES;
    return this.inTurn(async () => parse(bytes));
  }
}

// --- internal ---

/** A body up to this size takes a millisecond or two to parse and validate. */
const TURNLESS_BYTES = 32 * 1024;
const FORM_LIMIT = 10 * 1024 * 1024;
