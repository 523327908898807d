import { documentTypes } from '../../catalogs/document-types.js';
import { child, childText, type XmlElement } from '../../xml/reader.js';
import type { SriCheck } from '../document-type.js';
import { buyerIdCheck, groupTaxCheck, sumsCheck } from '../parts/sri-checks.js';
import { amount, compensationsOf, taxesOf } from '../parts/sum-checks.js';

/** The SRI's checks of a credit note. Ficha técnica off-line v2.34, §11. */
export const CREDIT_NOTE_SRI_CHECKS: readonly SriCheck[] = [
  {
    code: '69',
    outcome: 'refuses',
    find: (root) =>
      textOf(root, 'tipoIdentificacionComprador') === '07'
        ? ['Una nota de crédito no puede emitirse a consumidor final.']
        : [],
  },
  {
    code: '64',
    outcome: 'refuses',
    find: (root) => {
      const modified = textOf(root, 'codDocModificado');
      return documentTypes.some(({ code }) => code === modified) ? [] : [`codDocModificado: ${modified}`];
    },
  },
  sumsCheck('infoNotaCredito', ({ info, totals }, compare) => {
    const computed = amount(info, 'totalSinImpuestos') + taxesOf(totals) - compensationsOf(info);
    compare('El valor de la modificación', amount(info, 'valorModificacion'), computed);
  }),
  buyerIdCheck('infoNotaCredito'),
  {
    code: '68',
    outcome: 'warns',
    find: (root, { knows }) => {
      const number = textOf(root, 'numDocModificado');
      return knows(textOf(root, 'codDocModificado'), number) ? [] : [number];
    },
  },
  groupTaxCheck('infoNotaCredito'),
];

// --- internal ---

function textOf(root: XmlElement, name: string): string {
  return childText(child(root, 'infoNotaCredito'), name) ?? '';
}
