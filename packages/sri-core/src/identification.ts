/**
 * The verdict of an identification number's check digit. It never rejects a company: the registry holds active RUCs that
 * follow no published algorithm.
 *
 * `uncertain`: the old algorithms do not fit, and new numbers of the class need not follow them.
 */
export type CheckDigitVerdict = 'right' | 'wrong' | 'uncertain';

/**
 * Checks a cédula: ten digits, a province (01–24, or 30 for people registered abroad), a third digit of 0 to 6, and a modulo
 * 10 check digit.
 *
 * @param cedula ten digits; anything else is `wrong`.
 */
export function checkCedula(cedula: string): CheckDigitVerdict {
  if (!/^[0-9]{10}$/.test(cedula)) return 'wrong';
  const province = Number(cedula.slice(0, 2));
  if ((province < 1 || province > 24) && province !== 30) return 'wrong';
  if (Number(cedula[2]) > 6) return 'wrong';
  return modulo10(cedula.slice(0, 9)) === Number(cedula[9]) ? 'right' : 'wrong';
}

/**
 * Checks a RUC by its class. The third digit gives the class: 0–5 a person (cédula and establishment), 6 a public body or a
 * foreign person, 9 a company.
 *
 * @param ruc thirteen digits; anything else is `wrong`.
 */
export function checkRuc(ruc: string): CheckDigitVerdict {
  if (!/^[0-9]{13}$/.test(ruc)) return 'wrong';
  const kind = Number(ruc[2]);
  if (kind <= 5) return checkCedula(ruc.slice(0, 10));
  if (kind === 6 && checkCedula(ruc.slice(0, 10)) === 'right') return 'right';
  if (kind === 6 && modulo11(ruc.slice(0, 8), PUBLIC_WEIGHTS) === Number(ruc[8])) return 'right';
  if (kind === 9 && modulo11(ruc.slice(0, 9), COMPANY_WEIGHTS) === Number(ruc[9])) return 'right';
  return 'uncertain';
}

// --- internal ---

const PUBLIC_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];
const COMPANY_WEIGHTS = [4, 3, 2, 7, 6, 5, 4, 3, 2];

function modulo10(digits: string): number {
  let total = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const product = Number(digits[index]) * (index % 2 === 0 ? 2 : 1);
    total += product > 9 ? product - 9 : product;
  }
  return (10 - (total % 10)) % 10;
}

function modulo11(digits: string, weights: readonly number[]): number {
  const total = weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
  const digit = 11 - (total % 11);
  return digit === 11 ? 0 : digit;
}
