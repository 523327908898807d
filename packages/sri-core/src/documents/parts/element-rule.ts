/** The allowed text of an element or attribute. */
export type ValueRule =
  | { readonly kind: 'text'; readonly max: number; readonly lineFeeds: boolean }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'decimal'; readonly digits: number; readonly decimals: number; readonly signed: boolean };

/** The allowed form of an element: how often it occurs, and either a value or an ordered sequence of elements. */
export interface ElementRule {
  readonly name: string;
  readonly min: 0 | 1;
  readonly max: number;
  readonly content: ValueRule | readonly ElementRule[] | null;
  /** Attributes; all are required. */
  readonly attributes: Readonly<Record<string, ValueRule>>;
}

/** Exactly one. */
export function one(name: string, content: ElementRule['content'], attributes: ElementRule['attributes'] = {}) {
  return { name, min: 1, max: 1, content, attributes } as const satisfies ElementRule;
}

/** None or one. */
export function optional(name: string, content: ElementRule['content']) {
  return { name, min: 0, max: 1, content, attributes: {} } as const satisfies ElementRule;
}

/** One or more. */
export function several(
  name: string,
  content: ElementRule['content'],
  limits: { max?: number; min?: 0; attributes?: ElementRule['attributes'] } = {},
) {
  const { max = Number.POSITIVE_INFINITY, min = 1, attributes = {} } = limits;
  return { name, min, max, content, attributes } as const satisfies ElementRule;
}

/** Text of 1 to `max` characters on one line. */
export function line(max: number): ValueRule {
  return { kind: 'text', max, lineFeeds: false };
}

/** Text of 1 to `max` characters. */
export function text(max: number): ValueRule {
  return { kind: 'text', max, lineFeeds: true };
}

/** Text that a regular expression matches from end to end. */
export function pattern(expression: string): ValueRule {
  return { kind: 'pattern', pattern: expression };
}

/** A non-negative number with a maximum of digits and decimals. */
export function decimal(digits: number, decimals: number): ValueRule {
  return { kind: 'decimal', digits, decimals, signed: false };
}
