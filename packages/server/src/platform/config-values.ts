import type { LocalizedText } from 'sri-core';
import { isEmailAddress } from './email-address.js';

/** One invalid variable, and why. */
export interface ConfigProblem {
  readonly variable: string;
  readonly texts: LocalizedText;
  /** The English text. */
  readonly message: string;
}

/** The configuration is invalid. `problems` names every invalid variable, so that one start shows them all. */
export class ConfigError extends Error {
  readonly code = 'CONFIG_INVALID';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly Omit<ConfigProblem, 'message'>[]) {
    super(problems.map(({ variable, texts }) => `${variable}: ${texts.en}`).join('\n'));
    this.problems = problems.map(({ variable, texts }) => ({ variable, texts, message: texts.en }));
  }

  override get name(): string {
    return 'ConfigError';
  }
}

/** A number per span: `5/1h`. */
export interface Rate {
  readonly limit: number;
  readonly windowMs: number;
}

/** Parses one value, or states its form. The text is trimmed and not empty. */
export type Parse<T> = (text: string) => T | ConfigComplaint;

/** The error of a value, as a sentence without the variable's name. */
export class ConfigComplaint {
  readonly texts: LocalizedText;

  constructor(texts: LocalizedText) {
    this.texts = texts;
  }
}

/** `250ms`, `30s`, `5m`, `24h`, `7d`, or `0`. Milliseconds. */
export const parseSpan: Parse<number> = (text) => {
  if (text === '0') return 0;
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  if (!match)
    return new ConfigComplaint({
      es: 'un tiempo es un número con ms, s, m, h o d, como 30s.',
      en: 'a time span is a number with ms, s, m, h or d, for example 30s.',
    });
  const ms = Number(match[1]) * (SPAN_UNITS_MS[match[2] ?? ''] ?? 0);
  return ms <= LONGEST_SPAN_MS
    ? ms
    : new ConfigComplaint({ es: 'un tiempo es a lo más 3650d.', en: 'a time span is at most 3650d.' });
};

/** A span of at least `minMs` that a timer waits: at most a day. Node's timers hold 24 days. */
export function parseWait(minMs: number, parse: Parse<number> = parseSpan): Parse<number> {
  return (text) => {
    const ms = parse(text);
    if (typeof ms !== 'number' || (ms >= minMs && ms <= LONGEST_WAIT_MS)) return ms;
    return new ConfigComplaint({
      es: `escriba un tiempo de ${minMs}ms a 24h.`,
      en: `give a time span from ${minMs}ms to 24h.`,
    });
  };
}

/** How long something holds: a span above 0, which elsewhere often means without an end. */
export const parseLifetime: Parse<number> = (text) =>
  parseSpan(text) ||
  new ConfigComplaint({ es: 'escriba un tiempo mayor que 0, como 24h.', en: 'give a time span above 0, such as 24h.' });

/** A lifetime, or `off` for null. */
export const parseLifetimeOrOff: Parse<number | null> = (text) => (text === 'off' ? null : parseLifetime(text));

/** Spans separated by commas. Milliseconds. */
export const parseSpans: Parse<readonly number[]> = (text) => {
  const spans = text.split(',').map((part) => parseSpan(part.trim()));
  return spans.find((span) => span instanceof ConfigComplaint) ?? spans.filter((span) => typeof span === 'number');
};

/** A span with a sign: `+7d`, `-1h`. Milliseconds. */
export const parseSignedSpan: Parse<number> = (text) => {
  const span = parseSpan(text.replace(/^[+-]/, ''));
  if (span instanceof ConfigComplaint)
    return new ConfigComplaint({
      es: 'escriba un tiempo con su signo, como +7d.',
      en: 'give a time span with its sign, for example +7d.',
    });
  return text.startsWith('-') ? -span : span;
};

/** Whole seconds, or a span with its unit. Milliseconds. */
export const parseSeconds: Parse<number> = (text) => (/^\d{1,6}$/.test(text) ? Number(text) * 1000 : parseSpan(text));

/** `5/1h`: at most five within an hour. */
export const parseRate: Parse<Rate> = (text) => {
  const [count, span, ...rest] = text.split('/');
  const windowMs = parseSpan(span ?? '');
  const limit = Number(count);
  if (rest.length > 0 || !/^\d{1,6}$/.test(count ?? '') || limit < 1 || typeof windowMs !== 'number' || windowMs < 1) {
    return new ConfigComplaint({
      es: 'un límite es una cantidad y un tiempo, como 5/1h.',
      en: 'a rate is a count and a time span, for example 5/1h.',
    });
  }
  return { limit, windowMs };
};

/** A whole number within bounds, both included. */
export function parseInteger(min: number, max: number): Parse<number> {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= min && value <= max) return value;
    return new ConfigComplaint({
      es: `escriba un número entero de ${min} a ${max}.`,
      en: `give a whole number from ${min} to ${max}.`,
    });
  };
}

/** `true` or `false`, also `1` or `0`. */
export const parseFlag: Parse<boolean> = (text) => {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return new ConfigComplaint({ es: 'escriba true o false.', en: 'give true or false.' });
};

/** `on` or `off`. */
export const parseSwitch: Parse<boolean> = (text) =>
  text === 'on' || text === 'off'
    ? text === 'on'
    : new ConfigComplaint({ es: 'escriba on u off.', en: 'give on or off.' });

/** One plain e-mail address. */
export const parseEmail: Parse<string> = (text) =>
  isEmailAddress(text)
    ? text
    : new ConfigComplaint({
        es: 'escriba una dirección de correo, como ops@example.com.',
        en: 'give an address, such as ops@example.com.',
      });

/** Any text. */
export const parseText: Parse<string> = (text) => text;

/** One of a few words. */
export function parseChoice<const T extends string>(choices: readonly T[]): Parse<T> {
  return (text) =>
    choices.find((choice) => choice === text) ??
    new ConfigComplaint({ es: `escriba ${SPANISH_OR.format(choices)}.`, en: `give ${choices.join(' or ')}.` });
}

/** An http or https address without query, fragment or trailing slash. */
export const parseUrl: Parse<string> = (text) => {
  if (!URL.canParse(text))
    return new ConfigComplaint({
      es: 'escriba una dirección como https://api.example.com.',
      en: 'give an address such as https://api.example.com.',
    });
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || /[?#]/.test(url.href) || url.username || url.password) {
    return new ConfigComplaint({
      es: 'escriba una dirección http o https sin consulta, fragmento ni usuario.',
      en: 'give an http or https address without query, fragment or user.',
    });
  }
  return url.href.replace(/\/+$/, '');
};

/** A text that matches a pattern. */
export function parsePattern(pattern: RegExp, complaint: LocalizedText): Parse<string> {
  return (text) => (pattern.test(text) ? text : new ConfigComplaint(complaint));
}

/** Hosts with commas between, each with its port or without; in lower case. Empty entries are dropped. */
export const parseHosts: Parse<readonly string[]> = (text) => {
  const hosts = text.split(',').flatMap((entry) => entry.trim().toLowerCase() || []);
  if (hosts.every((host) => /^(\[[\da-f:.]+\]|[a-z\d.-]+)(:\d{1,5})?$/.test(host))) return hosts;
  return new ConfigComplaint({
    es: 'escriba servidores como app.example.com, con comas entre ellos.',
    en: 'give hosts such as app.example.com, with commas between.',
  });
};

// --- internal ---

/** Writes «u» before «off». */
const SPANISH_OR = new Intl.ListFormat('es', { type: 'disjunction' });

const SPAN_UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Ten years: a date that far from now is still one of every database. */
const LONGEST_SPAN_MS = 3_650 * 86_400_000;

const LONGEST_WAIT_MS = 86_400_000;
