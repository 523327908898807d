import type { LocalizedText } from './catalog.js';

/**
 * Usual reasons for moving goods [motivoTraslado], as suggestions: the element is free text, and the SRI publishes no
 * table. Printed guías de remisión list these. A document carries the Spanish text.
 */
export const transferReasons: readonly LocalizedText[] = [
  { es: 'Venta', en: 'Sale' },
  { es: 'Compra', en: 'Purchase' },
  { es: 'Transformación', en: 'Transformation' },
  { es: 'Consignación', en: 'Consignment' },
  { es: 'Devolución', en: 'Return' },
  { es: 'Importación', en: 'Import' },
  { es: 'Exportación', en: 'Export' },
  { es: 'Traslado entre establecimientos de una misma empresa', en: 'Transfer between branches of one company' },
  { es: 'Traslado por emisor itinerante de comprobantes de venta', en: 'Transfer by an itinerant seller' },
  { es: 'Otros', en: 'Other' },
];
