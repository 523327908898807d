import type { IsoDate } from '../calendar.js';
import type { CatalogEntry } from './catalog.js';

const TABLE_24 = 'Ficha técnica off-line v2.34 (2026-07-27), tabla 24';

function row<const Code extends string>(code: Code, validFrom: IsoDate, es: string, en: string) {
  return { code, description: { es, en }, validFrom, source: TABLE_24 } as const satisfies CatalogEntry;
}

/** Forms of payment [formaPago]. The schema takes any number from 01 to 21; only these are in the table. */
export const paymentMethods = [
  row('01', '2013-01-01', 'Sin utilización del sistema financiero', 'Without the financial system (cash)'),
  row('15', '2013-01-01', 'Compensación de deudas', 'Offset of debts'),
  row('16', '2016-06-01', 'Tarjeta de débito', 'Debit card'),
  row('17', '2016-06-01', 'Dinero electrónico', 'Electronic money'),
  row('18', '2016-06-01', 'Tarjeta prepago', 'Prepaid card'),
  row('19', '2016-06-01', 'Tarjeta de crédito', 'Credit card'),
  row('20', '2016-06-01', 'Otros con utilización del sistema financiero', 'Other, through the financial system'),
  row('21', '2016-06-01', 'Endoso de títulos', 'Endorsement of securities'),
] as const;
