import { UsageError } from './failure.js';

/** The whole number of an option. @param name the option, as it is typed. @throws UsageError */
export function readWhole(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new UsageError({
    es: `${name} es un número entero de ${least} a ${most}.`,
    en: `${name} is a whole number from ${least} to ${most}.`,
  });
}
