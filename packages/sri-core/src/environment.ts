/** Which of the SRI's two worlds: `sandbox` is «pruebas» (ambiente 1), `production` is «producción» (ambiente 2). */
export type Environment = 'sandbox' | 'production';

export const ENVIRONMENTS = ['sandbox', 'production'] as const satisfies readonly Environment[];

/** The SRI's `ambiente` digit. Ficha técnica off-line v2.34, tabla 4. */
export function toAmbiente(environment: Environment): '1' | '2' {
  return environment === 'production' ? '2' : '1';
}

/** The environment of an `ambiente` digit; null for any other text. */
export function fromAmbiente(ambiente: string): Environment | null {
  if (ambiente === '1') return 'sandbox';
  return ambiente === '2' ? 'production' : null;
}
