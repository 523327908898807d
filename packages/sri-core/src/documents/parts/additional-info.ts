import type { PrepareContext } from '../context.js';
import type { Findings } from '../findings.js';
import { normalizeText } from '../text.js';
import type { NameValue } from './prepared.js';

/** Pairs as written. */
export function prepareNameValues(pairs: readonly NameValue[] | null | undefined): NameValue[] {
  return (pairs ?? []).map(({ name, value }) => ({ name: normalizeText(name), value: normalizeText(value) }));
}

/** The fields at the foot. The RUC of the software provider is added unless the body has its own. */
export function prepareAdditionalInfo(
  pairs: readonly NameValue[] | null | undefined,
  context: PrepareContext,
  findings: Findings,
): NameValue[] {
  const info = prepareNameValues(pairs);
  const ruc = context.softwareProviderRuc;
  if (!ruc) return info;
  if (!/^[0-9]{13}$/.test(ruc)) findings.fail('softwareProviderRuc', 'pattern', { form: 'N'.repeat(13) });
  if (info.some((pair) => pair.name === PROVIDER_FIELD)) return info;
  if (info.length >= MAX_ADDITIONAL_INFO) findings.fail('additionalInfo', 'maxItems', { max: MAX_ADDITIONAL_INFO - 1 });
  return [...info, { name: PROVIDER_FIELD, value: ruc }];
}

/** The maximum of campoAdicional in the schemas. */
export const MAX_ADDITIONAL_INFO = 15;

// --- internal ---

/** [campoAdicional nombre] Exact case and space. Ficha técnica off-line v2.34, anexo 26. */
const PROVIDER_FIELD = 'RUC Proveedor';
