import type { DocumentTexts } from '../document-type.js';
import { ACCEPTED_ANNULMENT } from '../parts/annulment.js';

/** The words of a withholding receipt. */
export const WITHHOLDING_TEXTS = {
  name: { es: 'Comprobante de retención', en: 'Withholding receipt' },
  sriName: 'Comprobante de Retención',
  total: { es: 'Valor retenido', en: 'Amount withheld' },
  voidAdvice: ACCEPTED_ANNULMENT,
  rules: {
    form104Code: {
      es: 'Es un casillero del formulario 104, no un código de retención. En la tabla 20 use: {expected}.',
      en: 'Is a box of form 104, not a withholding code. From table 20 use: {expected}.',
    },
    onlyVersion2: {
      es: 'La versión 1.0.0 del esquema no lo admite: quítelo, o emita en la 2.0.0.',
      en: 'Version 1.0.0 of the schema does not hold it: remove it, or issue in 2.0.0.',
    },
    foreignSubject: {
      es: 'Va solo con una identificación del exterior (tipo 08).',
      en: 'Goes with a foreign identification (type 08) alone.',
    },
    paymentAbroad: {
      es: 'Va solo con un pago al exterior (location 02).',
      en: 'Goes with a payment abroad (location 02) alone.',
    },
    withoutTreaty: {
      es: 'Va solo cuando no se aplica un convenio de doble tributación (treaty false).',
      en: 'Goes alone where no double taxation treaty applies (treaty false).',
    },
    countryAbroad: {
      es: 'Ecuador (593) no es un país de ese régimen.',
      en: 'Ecuador (593) is not a country of that regime.',
    },
    dividendSupport: {
      es: 'Va solo en retenciones de renta con código de sustento 10.',
      en: 'Goes with withholdings of income tax under support code 10 alone.',
    },
    bananaCode: {
      es: 'Va solo con los códigos 338, 340, 341, 342, 342A y 342B.',
      en: 'Goes with codes 338, 340, 341, 342, 342A and 342B alone.',
    },
    reimbursingType: {
      es: 'Van solo con un documento por reembolso (tipos 41, 47 y 48).',
      en: 'Go with a document for a reimbursement (types 41, 47 and 48) alone.',
    },
    reimbursedType: {
      es: 'El esquema de la retención admite aquí tipos de dos dígitos.',
      en: 'The schema of the withholding takes types of two digits here.',
    },
    wholeRate: {
      es: 'El esquema de la retención admite aquí una tarifa sin decimales.',
      en: 'The schema of the withholding takes a rate without decimals here.',
    },
    specialTaxpayerLength: {
      es: 'El esquema 2.0.0 de la retención admite un número de contribuyente especial de hasta {max} caracteres: corríjalo en el emisor.',
      en: 'Schema 2.0.0 of the withholding takes a special taxpayer number of up to {max} characters: correct it in the issuer.',
    },
    withholdingRateMismatch: {
      es: 'No es el porcentaje de ese código en esa fecha: {expected}.',
      en: 'Is not the percentage of that code on that date: {expected}.',
    },
    withholdingCodeUnknown: {
      es: 'No es un código de retención vigente en esa fecha.',
      en: 'Is not a withholding code in force on that date.',
    },
    withholdingAmountMismatch: {
      es: 'El valor retenido no es base × porcentaje: se esperaba {expected}. El SRI compara los dos (código 52).',
      en: 'The amount withheld is not base × percentage: expected {expected}. The SRI compares the two (code 52).',
    },
    withholdingBaseLimit: {
      es: 'Las bases de ese impuesto suman más que lo que tiene el documento, {max}.',
      en: 'The bases of that tax add up to more than the document has, {max}.',
    },
    supportCodeMismatch: {
      es: 'Ese código de sustento admite los tipos {types}.',
      en: 'That support code takes the types {types}.',
    },
    selfWithholdingMismatch: {
      es: 'En una autorretención se esperaba {expected}.',
      en: 'A self-withholding was expected to have {expected}.',
    },
    localIdAsForeign: {
      es: 'Tiene la forma de una cédula o un RUC: un proveedor del país no lleva el tipo 08.',
      en: 'Has the form of a cédula or RUC: a supplier of the country has not type 08.',
    },
  },
} as const satisfies DocumentTexts;
