import { requireChoice } from './choice.js';

/** The SRI's environments: `sandbox` is «pruebas» (ambiente 1), `production` is «producción» (ambiente 2). */
export type Environment = 'sandbox' | 'production';

/** Both environments. */
export const ENVIRONMENTS = ['sandbox', 'production'] as const satisfies readonly Environment[];

/**
 * Rejects any other word, so that a typo never selects the other environment.
 *
 * @param what names the field in the message.
 * @throws TypeError
 */
export function requireEnvironment(environment: unknown, what = 'environment'): void {
  requireChoice(ENVIRONMENTS, environment, what);
}

/** The SRI's `ambiente` digit. Ficha técnica off-line v2.34, tabla 4. @throws TypeError for another word. */
export function toAmbiente(environment: Environment): '1' | '2' {
  requireEnvironment(environment);
  return environment === 'production' ? '2' : '1';
}

/** The environment of an `ambiente` digit; null for any other text. */
export function fromAmbiente(ambiente: string): Environment | null {
  if (ambiente === '1') return 'sandbox';
  return ambiente === '2' ? 'production' : null;
}
