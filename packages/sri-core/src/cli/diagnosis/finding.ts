import type { LocalizedText } from '../../catalogs/catalog.js';

/** What a person looks for when the SRI refuses a comprobante. */
export type Area = 'file' | 'structure' | 'accessKey' | 'signature' | 'certificate' | 'sums' | 'date';

/** One thing looked at. `fail`: the SRI refuses it; `warn`: it may, or something here cannot be known. */
export interface Finding {
  readonly area: Area;
  readonly verdict: 'ok' | 'warn' | 'fail';
  /** The code the SRI answers with; null where it is none, or not known. */
  readonly sriCode: string | null;
  readonly message: LocalizedText;
  /** Why that usually happens and what to do. */
  readonly advice: LocalizedText | null;
}

/** A thing that is as it should be. */
export function pass(area: Area, message: LocalizedText): Finding {
  return { area, verdict: 'ok', sriCode: null, message, advice: null };
}

/** A thing that is not. */
export function object(
  verdict: 'warn' | 'fail',
  area: Area,
  told: { readonly message: LocalizedText; readonly advice?: LocalizedText | null; readonly sriCode?: string },
): Finding {
  return { area, verdict, sriCode: told.sriCode ?? null, message: told.message, advice: told.advice ?? null };
}
