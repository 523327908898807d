import type { Diagnosis, JudgedDay } from './diagnose.js';

export type { Diagnosis } from './diagnose.js';

/** Loads `diagnose` on the first call, so that `help` does not wait for it. */
export async function diagnose(bytes: Uint8Array, now: Date, day: JudgedDay | null = null): Promise<Diagnosis> {
  return (await import('./diagnose.js')).diagnose(bytes, now, day);
}
