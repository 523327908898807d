import type { Diagnosis, JudgedDay } from './diagnose.js';

export type { Diagnosis } from './diagnose.js';

/** `diagnose`, loaded when it is first called: whoever only wants help never waits for it. */
export async function diagnose(bytes: Uint8Array, now: Date, day: JudgedDay | null = null): Promise<Diagnosis> {
  return (await import('./diagnose.js')).diagnose(bytes, now, day);
}
