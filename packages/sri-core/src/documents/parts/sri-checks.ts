import { checkCedula, checkRuc } from '../../identification.js';
import { child, childText } from '../../xml/reader.js';
import type { SriCheck } from '../document-type.js';
import { type Compare, findGroupDifferences, findSumDifferences, type SummedParts } from './sum-checks.js';

/** Code 52: the sums of the document. @param compareTotal compares the sums that only this type has. */
export function sumsCheck(info: string, compareTotal: (parts: SummedParts, compare: Compare) => void): SriCheck {
  return { code: '52', outcome: 'refuses', find: (root) => findSumDifferences(root, info, compareTotal) };
}

/** Code 52 on the tax of a group. It only warns: the SRI's tolerance is unknown. */
export function groupTaxCheck(info: string): SriCheck {
  return { code: '52', outcome: 'warns', find: (root) => findGroupDifferences(root, info) };
}

/** Code 62: the buyer's cédula or RUC has a wrong check digit. */
export function buyerIdCheck(info: string): SriCheck {
  return {
    code: '62',
    outcome: 'warns',
    find: (root) => {
      const heading = child(root, info);
      const id = childText(heading, 'identificacionComprador') ?? '';
      const check = ID_CHECKS.get(childText(heading, 'tipoIdentificacionComprador') ?? '');
      return check?.(id) === 'wrong' ? [''] : [];
    },
  };
}

// --- internal ---

const ID_CHECKS: ReadonlyMap<string, typeof checkRuc> = new Map([
  ['04', checkRuc],
  ['05', checkCedula],
]);
