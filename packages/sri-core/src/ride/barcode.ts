/**
 * Encodes digits as Code 128: subset C, two digits per symbol, with a switch to subset B for an odd last digit. Every RIDE
 * shows the 49 digits of the access key like this.
 *
 * @returns the widths of bars and spaces in modules, from the first bar to the last, without quiet zones; null when the text
 * has other characters than digits.
 * @see ISO/IEC 15417, tables 1 and B.
 */
export function encodeCode128(digits: string): readonly number[] | null {
  if (!/^[0-9]{2,}$/.test(digits)) return null;
  const symbols = [START_C];
  for (let index = 0; index + 1 < digits.length; index += 2) symbols.push(Number(digits.slice(index, index + 2)));
  if (digits.length % 2 === 1) symbols.push(CODE_B, DIGIT_ZERO_IN_B + Number(digits.at(-1)));
  symbols.push(checkSymbol(symbols), STOP);
  return symbols.flatMap((symbol) => Array.from(PATTERNS[symbol] ?? '', Number));
}

/** The width of a symbol in modules. */
export function modulesOf(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}

/** Clear modules that a reader needs on each side. */
export const QUIET_ZONE_MODULES = 10;

// --- internal ---

const START_C = 105;
const STOP = 106;
const CODE_B = 100;
const DIGIT_ZERO_IN_B = 16;

function checkSymbol(symbols: readonly number[]): number {
  return symbols.reduce((total, symbol, position) => total + symbol * Math.max(position, 1), 0) % 103;
}

/** Bar, space, bar … of each symbol 0 to 106; the stop has seven elements. */
const PATTERNS: readonly string[] = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'
).split(' ');
