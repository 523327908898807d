import { readFileSync } from 'node:fs';
import { DOCUMENT_TYPES, isDocumentType, type Language, type LocalizedText } from 'sri-core';
import { ConfigComplaint } from '../platform/config-values.js';
import { type OfferedTier, PLAN_LIMITS, type PlanLimits, type Plans, TIERS } from './plans.js';

/**
 * Reads the file with the differences from the built-in plans: a JSON object of tiers, each with the values to replace,
 * such as `{"STARTER": {"documentQuota": 500, "monthlyPriceUsd": "25.00"}}`. Omitted values keep their defaults.
 *
 * @returns the whole table; or the errors, each place by its path in the file.
 */
export function readPlansFile(path: string): Plans | ConfigComplaint {
  const content = readJson(path);
  if (content instanceof ConfigComplaint) return content;
  const complaints: { readonly place: string; readonly texts: LocalizedText }[] = [];
  const complain = (place: string, texts: LocalizedText) => complaints.push({ place, texts });
  for (const name of Object.keys(content)) {
    if (!(TIERS as readonly string[]).includes(name)) {
      complain(name, {
        es: `no hay tal plan. Planes: ${TIERS.join(', ')}`,
        en: `no such tier. Tiers: ${TIERS.join(', ')}`,
      });
    }
  }
  const planOf = (tier: OfferedTier) => readPlan(tier, Object.hasOwn(content, tier) ? content[tier] : {}, complain);
  const plans: Plans = {
    FREE: planOf('FREE'),
    STARTER: planOf('STARTER'),
    GROWTH: planOf('GROWTH'),
    BUSINESS: planOf('BUSINESS'),
    OWN: PLAN_LIMITS.OWN,
  };
  const sentence = (language: Language) =>
    `${path}: ${complaints.map(({ place, texts }) => `${place}: ${texts[language]}`).join('; ')}.`;
  return complaints.length > 0 ? new ConfigComplaint({ es: sentence('es'), en: sentence('en') }) : plans;
}

// --- internal ---

type Complain = (place: string, texts: LocalizedText) => void;

/** Reads one value, or describes the expected form. */
type ReadValue<T> = (value: unknown) => T | ConfigComplaint;

const MAX_BYTES = 64 * 1024;

function readJson(path: string): Readonly<Record<string, unknown>> | ConfigComplaint {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return new ConfigComplaint({ es: `${path} no se puede leer (${code}).`, en: `${path} cannot be read (${code}).` });
  }
  if (bytes.byteLength > MAX_BYTES)
    return new ConfigComplaint({
      es: `${path} tiene más de ${MAX_BYTES / 1024} KiB.`,
      en: `${path} is larger than ${MAX_BYTES / 1024} KiB.`,
    });
  try {
    const content: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isObject(content)) return content;
  } catch {
    return new ConfigComplaint({ es: `${path} no es JSON en UTF-8.`, en: `${path} is not JSON in UTF-8.` });
  }
  return new ConfigComplaint({
    es: `${path} no tiene un objeto JSON de planes.`,
    en: `${path} does not hold a JSON object of tiers.`,
  });
}

function readPlan(tier: OfferedTier, given: unknown, complain: Complain): PlanLimits {
  const builtIn = PLAN_LIMITS[tier];
  if (!isObject(given)) {
    complain(tier, { es: 'escriba un objeto', en: 'give an object' });
    return builtIn;
  }
  const plan: { -readonly [Name in keyof PlanLimits]: PlanLimits[Name] } = { ...builtIn };
  function replace<Name extends keyof PlanLimits>(name: Name, written: unknown): void {
    const read: ReadValue<PlanLimits[Name]> = READERS[name];
    const value = read(written);
    if (value instanceof ConfigComplaint) complain(`${tier}.${name}`, value.texts);
    else plan[name] = value;
  }
  for (const [name, written] of Object.entries(given)) {
    if (isLimit(name)) replace(name, written);
    else {
      const names = Object.keys(READERS).join(', ');
      complain(`${tier}.${name}`, { es: `no hay tal valor. Valores: ${names}`, en: `no such value. Values: ${names}` });
    }
  }
  return plan;
}

function isLimit(name: string): name is keyof PlanLimits {
  return Object.hasOwn(READERS, name);
}

function wholeNumber(min: number, max: number): ReadValue<number> {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : new ConfigComplaint({
          es: `escriba un número entero de ${min} a ${max}`,
          en: `give a whole number from ${min} to ${max}`,
        });
}

/** Accepts null (no limit, or not offered) in addition to the values that `read` accepts. */
function orNull<T>(read: ReadValue<T>): ReadValue<T | null> {
  return (value) => {
    const given = value === null ? null : read(value);
    if (!(given instanceof ConfigComplaint)) return given;
    const { es, en } = given.texts;
    return new ConfigComplaint({ es: `${es}, o null`, en: `${en}, or null` });
  };
}

const price: ReadValue<string> = (value) => {
  const [, whole, cents = ''] = (typeof value === 'string' && /^(0|[1-9]\d{0,6})(?:\.(\d{1,2}))?$/.exec(value)) || [];
  if (whole === undefined)
    return new ConfigComplaint({
      es: 'escriba dólares como texto, así: "20.00"',
      en: 'give dollars as text, such as "20.00"',
    });
  return `${whole}.${cents.padEnd(2, '0')}`;
};

const documentTypes: ReadValue<PlanLimits['documentTypes']> = (value) => {
  const codes: readonly unknown[] = Array.isArray(value) ? value : [];
  const types = DOCUMENT_TYPES.filter((type) => codes.includes(type));
  const known = codes.every((code) => typeof code === 'string' && isDocumentType(code));
  return types.length > 0 && known
    ? types
    : new ConfigComplaint({
        es: `escriba una lista de ${DOCUMENT_TYPES.join(', ')}`,
        en: `give a list of ${DOCUMENT_TYPES.join(', ')}`,
      });
};

const READERS: { readonly [Name in keyof PlanLimits]: ReadValue<PlanLimits[Name]> } = {
  documentQuota: wholeNumber(0, 1_000_000_000),
  maxApiKeys: wholeNumber(0, 100_000),
  maxWebhookEndpoints: wholeNumber(0, 1_000),
  documentTypes,
  maxBranches: orNull(wholeNumber(1, 1_000)),
  maxIssuePointsPerBranch: orNull(wholeNumber(1, 1_000)),
  readsPerMinute: wholeNumber(1, 100_000),
  writesPerMinute: wholeNumber(1, 100_000),
  mailsPerDay: orNull(wholeNumber(0, 10_000_000)),
  monthlyPriceUsd: orNull(price),
  yearlyPriceUsd: orNull(price),
  extraSeatMonthlyUsd: orNull(price),
  extraSeatYearlyUsd: orNull(price),
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
