import type { ProblemCode } from '../../error-catalogue.js';
import { invalid, Refusal, type RuleFailure, ruleFailure } from '../../errors.js';
import type { Exchange } from '../../http/exchange.js';
import type { JsonObject } from '../../http/parse-body.js';
import type { QueryReader } from '../../http/parse-query.js';
import { toUuid } from '../../http/uuid.js';

/** The id in the path. What is no UUID names nothing. @throws Refusal with `absent` */
export function readId(exchange: Exchange, name = 'id', absent: ProblemCode = 'NOT_FOUND'): string {
  const id = toUuid(exchange.params[name] ?? '');
  if (!id) throw new Refusal(absent);
  return id;
}

/** Which page of a list is wanted. */
export function readPage(query: QueryReader): { readonly page: number; readonly limit: number } {
  return {
    page: query.integer('page', { min: 1, max: 1_000_000, fallback: 1 }),
    limit: query.integer('limit', { min: 1, max: 100, fallback: 20 }),
  };
}

/** An id among the parameters of a query; null when it is left out. */
export function readQueryId(query: QueryReader, name: string): string | null {
  const text = query.text(name);
  if (text === null) return null;
  const id = toUuid(text);
  if (!id) query.fail(name, 'uuid');
  return id;
}

/** Takes fields out of a body and gathers what is wrong with them. */
export class BodyReader {
  readonly #body: JsonObject;
  readonly #failures: RuleFailure[] = [];

  constructor(body: JsonObject) {
    this.#body = body;
  }

  /** What the field holds, unread; undefined when it is left out or null. */
  value(name: string): unknown {
    const value = Object.hasOwn(this.#body, name) ? this.#body[name] : undefined;
    return value === null ? undefined : value;
  }

  /** A text; null when it is left out, which is a failure where it is required. */
  text(name: string, { required = true, max = 300 } = {}): string | null {
    const value = this.value(name);
    if (value === undefined) {
      if (required) this.fail(name, 'required');
    } else if (typeof value !== 'string') this.fail(name, 'type', { expected: 'string' });
    else if (value.trim() === '') this.fail(name, 'required');
    else if ([...value].length > max) this.fail(name, 'maxLength', { max });
    else return value;
    return null;
  }

  /** One of a few words. */
  choice<const T extends string>(name: string, allowed: readonly T[], { required = true } = {}): T | null {
    const value = this.value(name);
    const choice = allowed.find((entry) => entry === value);
    if (choice !== undefined) return choice;
    if (value !== undefined) this.fail(name, 'choice', { allowed: allowed.join(', ') });
    else if (required) this.fail(name, 'required');
    return null;
  }

  /** Notes a broken rule of a field. */
  fail(name: string, rule: string, params?: Readonly<Record<string, string | number>>): void {
    this.#failures.push(ruleFailure(name, rule, params));
  }

  /**
   * What was read, once nothing is wrong.
   *
   * @param read null in a field that must not be.
   * @throws Refusal VALIDATION_FAILED with everything that was noted.
   */
  done<Read extends Readonly<Record<string, unknown>>>(
    read: Read,
  ): { readonly [Name in keyof Read]: NonNullable<Read[Name]> } {
    if (this.#failures.length > 0) throw invalid(this.#failures);
    // A field that is null has been noted as a failure.
    return read as { readonly [Name in keyof Read]: NonNullable<Read[Name]> };
  }
}
