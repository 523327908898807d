import type { CatalogEntry } from './catalog.js';

const TABLE_24 = 'Ficha técnica off-line v2.34 (2026-07-27), tabla 24';

/** Forms of payment [formaPago]. The schema takes any number from 01 to 21; only these are in the table. */
export const paymentMethods = [
  {
    code: '01',
    description: { es: 'Sin utilización del sistema financiero', en: 'Without the financial system (cash)' },
    validFrom: '2013-01-01',
    source: TABLE_24,
  },
  {
    code: '15',
    description: { es: 'Compensación de deudas', en: 'Offset of debts' },
    validFrom: '2013-01-01',
    source: TABLE_24,
  },
  {
    code: '16',
    description: { es: 'Tarjeta de débito', en: 'Debit card' },
    validFrom: '2016-06-01',
    source: TABLE_24,
  },
  {
    code: '17',
    description: { es: 'Dinero electrónico', en: 'Electronic money' },
    validFrom: '2016-06-01',
    source: TABLE_24,
  },
  {
    code: '18',
    description: { es: 'Tarjeta prepago', en: 'Prepaid card' },
    validFrom: '2016-06-01',
    source: TABLE_24,
  },
  {
    code: '19',
    description: { es: 'Tarjeta de crédito', en: 'Credit card' },
    validFrom: '2016-06-01',
    source: TABLE_24,
  },
  {
    code: '20',
    description: { es: 'Otros con utilización del sistema financiero', en: 'Other, through the financial system' },
    validFrom: '2016-06-01',
    source: TABLE_24,
  },
  {
    code: '21',
    description: { es: 'Endoso de títulos', en: 'Endorsement of securities' },
    validFrom: '2016-06-01',
    source: TABLE_24,
  },
] as const satisfies readonly CatalogEntry[];
