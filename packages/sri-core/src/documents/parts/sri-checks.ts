import { documentTypes } from '../../catalogs/document-types.js';
import { checkCedula, checkRuc } from '../../identification.js';
import { sum } from '../../money.js';
import { child, childText, type XmlElement } from '../../xml/reader.js';
import type { SriCheck } from '../document-type.js';
import { headTaxes } from './reading.js';
import { amount, type Compare, findGroupDifferences, findSumDifferences, type SummedParts } from './sum-checks.js';

/** Code 52: the sums of the document. @param compareTotal compares the sums that only this type has. */
export function sumsCheck(info: string, compareTotal: (parts: SummedParts, compare: Compare) => void): SriCheck {
  return { code: '52', outcome: 'refuses', find: (root) => findSumDifferences(root, info, compareTotal) };
}

/** Code 52 on the tax of a group. It only warns: the SRI's tolerance is unknown. */
export function groupTaxCheck(info: string): SriCheck {
  return { code: '52', outcome: 'warns', find: (root) => findGroupDifferences(root, info) };
}

/** Code 62: a party's cédula or RUC has a wrong check digit. @param suffix of its elements: `Comprador`, `Proveedor`. */
export function partyIdCheck(info: string, suffix: string): SriCheck {
  return {
    code: '62',
    outcome: 'warns',
    find: (root) => {
      const heading = child(root, info);
      const id = childText(heading, `identificacion${suffix}`) ?? '';
      const check = ID_CHECKS.get(childText(heading, `tipoIdentificacion${suffix}`) ?? '');
      return check?.(id) === 'wrong' ? [''] : [];
    },
  };
}

/** Code 69: the buyer is an unnamed consumer. */
export function finalConsumerCheck(info: string, message: string): SriCheck {
  return {
    code: '69',
    outcome: 'refuses',
    find: (root) => (textOf(root, info, 'tipoIdentificacionComprador') === '07' ? [message] : []),
  };
}

/** Code 92: IVA is refunded to a buyer without a cédula. Ficha técnica off-line v2.34, anexo 20. */
export function refundCheck(info: string): SriCheck {
  return {
    code: '92',
    outcome: 'returns',
    find: (root) => {
      const refunded = sum(headTaxes(child(root, info)).map((tax) => amount(tax, 'valorDevolucionIva')));
      return refunded > 0n && textOf(root, info, 'tipoIdentificacionComprador') !== '05' ? [''] : [];
    },
  };
}

/** Code 64: the type of the modified document is unknown. */
export function modifiedTypeCheck(info: string): SriCheck {
  return {
    code: '64',
    outcome: 'refuses',
    find: (root) => {
      const modified = textOf(root, info, 'codDocModificado');
      return documentTypes.some(({ code }) => code === modified) ? [] : [`codDocModificado: ${modified}`];
    },
  };
}

/** Code 68: the SRI does not know the modified document. */
export function modifiedKnownCheck(info: string): SriCheck {
  return {
    code: '68',
    outcome: 'warns',
    find: (root, { knows }) => {
      const number = textOf(root, info, 'numDocModificado');
      return knows(textOf(root, info, 'codDocModificado'), number) ? [] : [number];
    },
  };
}

// --- internal ---

function textOf(root: XmlElement, info: string, name: string): string {
  return childText(child(root, info), name) ?? '';
}

const ID_CHECKS: ReadonlyMap<string, typeof checkRuc> = new Map([
  ['04', checkRuc],
  ['05', checkCedula],
]);
