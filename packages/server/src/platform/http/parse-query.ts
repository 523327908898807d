import { invalid, type RuleFailure, ruleFailure } from '../errors/refusal.js';

/** Takes parameters out of a query string and collects their errors. Unknown parameters are ignored. */
export class QueryReader {
  readonly #failures: RuleFailure[] = [];
  readonly #parameters: ReadonlyMap<string, readonly string[]>;

  /** @param search the query of the address, with or without its question mark. */
  constructor(search: string) {
    this.#parameters = parseQuery(search);
  }

  /** The parameter's text; null if it is absent. Given twice, or not decodable, it is an error. */
  text(name: string): string | null {
    const values = this.#parameters.get(name);
    if (!values) return null;
    const [value = ''] = values;
    if (values.length > 1) this.fail(name, 'single');
    else if (CONTROL.test(value) || value.includes('�')) this.fail(name, 'text');
    else return value;
    return null;
  }

  /** A text of 1 to `max` code points. */
  words(name: string, max: number): string | null {
    const value = this.text(name);
    if (value === null) return null;
    if (value.trim() === '') this.fail(name, 'minLength', { min: 1 });
    else if ([...value].length > max) this.fail(name, 'maxLength', { max });
    else return value;
    return null;
  }

  /** One of a few words. */
  choice<const T extends string>(name: string, allowed: readonly T[]): T | null {
    const value = this.text(name);
    if (value === null) return null;
    const choice = allowed.find((entry) => entry === value);
    if (choice === undefined) this.fail(name, 'choice', { allowed: allowed.join(', ') });
    return choice ?? null;
  }

  /** A plain whole number within bounds. */
  integer(name: string, bounds: { readonly min: number; readonly max: number; readonly fallback: number }): number {
    const { min, max, fallback } = bounds;
    const value = this.text(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (/^\d{1,15}$/.test(value) && number >= min && number <= max) return number;
    this.fail(name, 'integer', { min, max });
    return fallback;
  }

  /** A plain whole number from 1 to `max`; null if it is absent. */
  count(name: string, max: number): number | null {
    return this.#parameters.has(name) ? this.integer(name, { min: 1, max, fallback: 1 }) : null;
  }

  /** Reports a broken rule of a parameter. */
  fail(name: string, rule: string, params?: Readonly<Record<string, string | number>>): void {
    this.#failures.push(ruleFailure(`query:${name}`, rule, params));
  }

  /** The errors so far. */
  get failures(): readonly RuleFailure[] {
    return this.#failures;
  }

  /** @param others further errors of the request. @throws Refusal with all errors. */
  done(others: readonly RuleFailure[] = []): void {
    const failures = [...others, ...this.#failures];
    if (failures.length > 0) throw invalid(failures);
  }
}

// --- internal ---

const CONTROL = /[\0-\x1f\x7f-\x9f]/;

function parseQuery(search: string): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const list = parameters.get(name);
    if (list) list.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}
