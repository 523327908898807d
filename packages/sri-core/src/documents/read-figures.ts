import type { TaxFigures } from './parts/tax-figures.js';
import { readComprobante } from './read-comprobante.js';
import { documentTypeOf } from './registry.js';

/** The amounts by tax of a comprobante, signed or not, of any schema version. @throws XmlError */
export function readFigures(xml: string): TaxFigures {
  const comprobante = readComprobante(xml);
  return documentTypeOf(comprobante.documentType).figures(comprobante);
}
