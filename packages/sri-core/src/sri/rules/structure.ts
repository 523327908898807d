import type { ElementRule, ValueRule } from '../../documents/parts/element-rule.js';
import { findByRoot } from '../../documents/registry.js';
import type { XmlElement } from '../../xml/reader.js';

/** The structure that reception requires of a document, without the signature; or why it is unknown. */
export function findStructure(root: string, version: string): ElementRule | 'noSuchVersion' | 'noSuchDocument' {
  const type = findByRoot(root);
  if (!type) return 'noSuchDocument';
  const known = Object.hasOwn(type.structures, version) ? type.structures[version] : undefined;
  return known ?? 'noSuchVersion';
}

/**
 * Compares a document with its structure: order, presence, number, text and attributes of every element.
 *
 * @returns the first deviation, worded like the SRI's validator; null for a valid document.
 */
export function findDeviation(element: XmlElement, rule: ElementRule): string | null {
  return findWrongAttribute(element, rule) ?? findWrongContent(element, rule);
}

// --- internal ---

function findWrongContent(element: XmlElement, rule: ElementRule): string | null {
  const { content } = rule;
  if (content !== null && 'kind' in content) {
    const [nested] = element.children;
    if (nested)
      return `cvc-type.3.1.2: Element '${element.name}' is a simple type, so it must have no element children.`;
    return findWrongValue(element.text, content, element.name);
  }
  if (element.text.trim() !== '') {
    return `cvc-complex-type.2.3: Element '${element.name}' cannot have character [children], because the type's content type is element-only.`;
  }
  return findWrongSequence(element, content ?? []);
}

function findWrongSequence(element: XmlElement, rules: readonly ElementRule[]): string | null {
  let position = 0;
  let count = 0;
  for (const next of element.children) {
    // Optional rules are skipped. The error lists the rules that could apply at this place.
    const expected: string[] = [];
    for (;;) {
      const rule = rules[position];
      if (rule && rule.name === next.name && next.namespace === '' && count < rule.max) break;
      if (rule && count < rule.max) expected.push(rule.name);
      if (!rule || count < rule.min) return unexpected(next, expected);
      position += 1;
      count = 0;
    }
    count += 1;
    const rule = rules[position];
    const deviation = rule ? findDeviation(next, rule) : null;
    if (deviation !== null) return deviation;
  }
  for (; position < rules.length; position += 1, count = 0) {
    const rule = rules[position];
    if (rule && count < rule.min) {
      return `cvc-complex-type.2.4.b: The content of element '${element.name}' is not complete. One of '{${rule.name}}' is expected.`;
    }
  }
  return null;
}

function unexpected(element: XmlElement, expected: readonly string[]): string {
  return expected.length > 0
    ? `cvc-complex-type.2.4.a: Invalid content was found starting with element '${element.name}'. One of '{${expected.join(', ')}}' is expected.`
    : `cvc-complex-type.2.4.d: Invalid content was found starting with element '${element.name}'. No child element is expected at this point.`;
}

function findWrongAttribute(element: XmlElement, rule: ElementRule): string | null {
  for (const [name, value] of Object.entries(element.attributes)) {
    const attribute = Object.hasOwn(rule.attributes, name) ? rule.attributes[name] : undefined;
    if (!attribute) {
      return `cvc-complex-type.3.2.2: Attribute '${name}' is not allowed to appear in element '${element.name}'.`;
    }
    const wrong = findWrongValue(value, attribute, name);
    if (wrong !== null) return wrong;
  }
  const missing = Object.keys(rule.attributes).find((name) => element.attributes[name] === undefined);
  return missing === undefined
    ? null
    : `cvc-complex-type.4: Attribute '${missing}' must appear on element '${element.name}'.`;
}

function findWrongValue(value: string, rule: ValueRule, name: string): string | null {
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  // Blanks around a number do not count (XML Schema: whiteSpace is collapse for xs:decimal).
  if (rule.kind === 'decimal') return findWrongDecimal(withoutBlanks(value), rule, shown);
  if (rule.kind === 'pattern') {
    return new RegExp(`^(?:${rule.pattern})$`, 'u').test(value)
      ? null
      : `cvc-pattern-valid: Value '${shown}' is not facet-valid with respect to pattern '${rule.pattern}' for type '${name}'.`;
  }
  // UTF-16 units, as in Java's Xerces.
  const { length } = value;
  if (length === 0) {
    return `cvc-minLength-valid: Value '' with length = '0' is not facet-valid with respect to minLength '1' for type '${name}'.`;
  }
  if (length > rule.max) {
    return `cvc-maxLength-valid: Value '${shown}' with length = '${length}' is not facet-valid with respect to maxLength '${rule.max}' for type '${name}'.`;
  }
  if (!rule.lineFeeds && value.includes('\n')) {
    return `cvc-pattern-valid: Value '${shown}' is not facet-valid with respect to pattern '[^\\n]*' for type '${name}'.`;
  }
  return null;
}

function withoutBlanks(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && BLANKS.has(value[start])) start += 1;
  while (end > start && BLANKS.has(value[end - 1])) end -= 1;
  return value.slice(start, end);
}

const BLANKS: ReadonlySet<string | undefined> = new Set([' ', '\t', '\r', '\n']);

function findWrongDecimal(
  value: string,
  rule: Extract<ValueRule, { readonly kind: 'decimal' }>,
  shown: string,
): string | null {
  // The length check comes first: on a long run of zeros the expression takes quadratic time.
  const parts = value.length > 60 ? null : /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(value);
  if (!parts || !/\d/.test(value)) return `cvc-datatype-valid.1.2.1: '${shown}' is not a valid value for 'decimal'.`;
  const [, sign, whole = '', decimals = ''] = parts;
  if (sign === '-' && !rule.signed && /[1-9]/.test(value)) {
    return `cvc-minInclusive-valid: Value '${shown}' is not facet-valid with respect to minInclusive '0'.`;
  }
  if (decimals.length > rule.decimals) {
    return `cvc-fractionDigits-valid: Value '${shown}' has ${decimals.length} fraction digits, but the number of fraction digits has been limited to ${rule.decimals}.`;
  }
  const digits = whole.length + decimals.length;
  return digits > rule.digits
    ? `cvc-totalDigits-valid: Value '${shown}' has ${digits} total digits, but the number of total digits has been limited to ${rule.digits}.`
    : null;
}
