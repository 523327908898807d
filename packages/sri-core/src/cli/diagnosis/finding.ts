import type { LocalizedText } from '../../catalogs/catalog.js';

/** The area of a comprobante that a finding is about. */
export type Area = 'file' | 'structure' | 'accessKey' | 'signature' | 'certificate' | 'sums' | 'content' | 'date';

/** One check. `fail`: the SRI rejects the file. `warn`: the SRI may reject it, or the check cannot be decided here. */
export interface Finding {
  readonly area: Area;
  readonly verdict: 'ok' | 'warn' | 'fail';
  /** The SRI's error code; null without a known code. */
  readonly sriCode: string | null;
  readonly message: LocalizedText;
  /** The usual cause and the remedy. */
  readonly advice: LocalizedText | null;
}

/** A passed check. */
export function pass(area: Area, message: LocalizedText): Finding {
  return { area, verdict: 'ok', sriCode: null, message, advice: null };
}

/** A failed or doubtful check. */
export function object(
  verdict: 'warn' | 'fail',
  area: Area,
  texts: { readonly message: LocalizedText; readonly advice?: LocalizedText | null; readonly sriCode?: string },
): Finding {
  return { area, verdict, sriCode: texts.sriCode ?? null, message: texts.message, advice: texts.advice ?? null };
}
