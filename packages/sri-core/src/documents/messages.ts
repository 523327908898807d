import type { Language, LocalizedText } from '../catalogs/catalog.js';
import type { Failure } from '../errors.js';

/** Texts of rules by rule name; `{name}` in a text is a parameter of the rule. */
export type RuleTexts = Readonly<Record<string, LocalizedText>>;

/** The parameters of a rule, for its text. */
export type Params = Readonly<Record<string, string | number>>;

/** A doubt about a field that does not stop the document. */
export interface Warning {
  /** UPPER_SNAKE, never translated. */
  readonly code: WarningCode;
  /** Path of the field: `items[0].taxes[0].taxAmount`. */
  readonly field: string;
  readonly message: string;
  readonly params?: Params;
}

/** Each warning, with its rule name: strict checking reports it as a failure of that rule. */
export const WARNING_RULES = {
  /** A line's IVA base is not quantity × price − discount (+ ICE), by more than a cent. */
  LINE_BASE_MISMATCH: 'lineBaseMismatch',
  /** A line's IVA is not base × rate, by more than a cent. */
  TAX_MISMATCH: 'taxMismatch',
  /** The IVA or IRBPNR of all lines of one rate differs by more than a cent from that rate of their base total. */
  TAX_GROUP_MISMATCH: 'taxGroupMismatch',
  /** The payments do not add up to the total. */
  PAYMENTS_MISMATCH: 'paymentsMismatch',
  /** The identification does not have the form of its type. */
  ID_FORMAT: 'idFormat',
  /** The check digit of a cédula or RUC is wrong. */
  ID_CHECK_DIGIT: 'idCheckDigit',
  /** A sale to an unnamed consumer above the legal limit. */
  FINAL_CONSUMER_LIMIT: 'finalConsumerLimit',
  /** The percentage does not match its code, or the code was not in force that day. */
  TAX_RATE_MISMATCH: 'taxRateMismatch',
  /** A tax occurs twice at one rate in a document of others. */
  TAX_REPEATED: 'taxRepeated',
  /** The tip is above a tenth of the subtotal. */
  TIP_LIMIT: 'tipLimit',
  /** The buyer of an export is identified by a cédula or not at all. */
  EXPORT_BUYER: 'exportBuyer',
  /** A line of an invoice for reimbursed expenses has an IVA other than «not subject». */
  REIMBURSEMENT_TAX: 'reimbursementTax',
  /** A line with IVA 5 %, for building materials, has no code of tabla 31. */
  BUILDING_MATERIAL_CODE: 'buildingMaterialCode',
  /** The percentage withheld is not the table's for that code on the issue date. */
  WITHHOLDING_RATE_MISMATCH: 'withholdingRateMismatch',
  /** The code of a withholding is unknown, or closed on the issue date. */
  WITHHOLDING_CODE_UNKNOWN: 'withholdingCodeUnknown',
  /** The amount withheld is not base × percentage, by more than a cent. */
  WITHHOLDING_AMOUNT_MISMATCH: 'withholdingAmountMismatch',
  /** The bases of a withheld tax add up to more than the document has. */
  WITHHOLDING_BASE_LIMIT: 'withholdingBaseLimit',
  /** The type of document does not support that use. */
  SUPPORT_CODE_MISMATCH: 'supportCodeMismatch',
  /** A sum of the document differs by more than a cent from its parts. */
  SUM_MISMATCH: 'sumMismatch',
  /** A self-withholding whose subject, use or document is not its own. */
  SELF_WITHHOLDING_MISMATCH: 'selfWithholdingMismatch',
  /** A foreign identification that has the form of a cédula or RUC. */
  LOCAL_ID_AS_FOREIGN: 'localIdAsForeign',
  /** An unknown field, which is ignored: probably a misspelt name. */
  UNKNOWN_FIELD: 'unknownField',
  /** The certificate belongs to another taxpayer: the SRI rejects its signatures with code 39. */
  CERTIFICATE_OF_ANOTHER_RUC: 'certificateOfAnotherRuc',
  /** The certificate has no readable RUC: the SRI rejects its signatures unless it finds one. */
  CERTIFICATE_WITHOUT_RUC: 'certificateWithoutRuc',
} as const satisfies Record<string, string>;

/** The code of a warning. */
export type WarningCode = keyof typeof WARNING_RULES;

/** Every warning code. */
export const WARNING_CODES = Object.keys(WARNING_RULES) as readonly WarningCode[];

/** Creates a failure with its message in a language. `own` are the texts of rules that only some types have. */
export function createFailure(
  field: string,
  rule: string,
  params: Params | undefined,
  language: Language,
  own: RuleTexts = {},
): Failure {
  return {
    field,
    rule,
    code: field.replaceAll(/\[\d+\]/g, ''),
    message: describeRule(rule, params ?? {}, language, own),
    ...(params && { params }),
  };
}

/** Describes a broken rule in a language, from its name and parameters. */
export function describeRule(rule: string, params: Params, language: Language, own: RuleTexts = {}): string {
  const name = rule === 'unknownField' && 'nearest' in params ? 'unknownFieldNear' : rule;
  const texts = Object.hasOwn(own, name) ? own : TEXTS;
  const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
  return (text ?? UNKNOWN)[language].replaceAll(/\{(\w+)\}/g, (_, param: string) => {
    const value = String(params[param] ?? '');
    if (param === 'form' && language === 'es') return value.replace('YYYY', 'AAAA');
    return param === 'expected' ? (TYPES[value]?.[language] ?? value) : value;
  });
}

// --- internal ---

const TYPES: Readonly<Record<string, LocalizedText>> = {
  string: { es: 'texto', en: 'text' },
  number: { es: 'un número', en: 'a number' },
  boolean: { es: 'verdadero o falso', en: 'true or false' },
  array: { es: 'una lista', en: 'a list' },
  object: { es: 'un objeto', en: 'an object' },
};

/** The texts of shared rules. No text contains a value from the caller. */
const TEXTS: RuleTexts = {
  required: { es: 'Es obligatorio.', en: 'This field is required.' },
  type: { es: 'Debe ser {expected}.', en: 'Must be {expected}.' },
  json: {
    es: 'No se puede guardar como JSON: se contiene a sí mismo, es demasiado profundo, lleva un BigInt o falla al leerse.',
    en: 'Cannot be stored as JSON: it contains itself, is too deep, has a BigInt, or fails when read.',
  },
  text: {
    es: 'Contiene caracteres que un comprobante no puede llevar (de control o incompletos).',
    en: 'Contains characters that a document cannot carry (control characters or broken ones).',
  },
  minLength: { es: 'No puede estar vacío.', en: 'Must not be empty.' },
  maxLength: { es: 'Debe tener como máximo {max} caracteres.', en: 'Must have at most {max} characters.' },
  minItems: { es: 'Faltan elementos: el mínimo es {min}.', en: 'Items are missing: the minimum is {min}.' },
  maxItems: { es: 'Debe tener como máximo {max} elementos.', en: 'Must have at most {max} items.' },
  decimal: {
    es: 'Debe ser un número de hasta {decimals} decimales, como texto: "1.00".',
    en: 'Must be a number of up to {decimals} decimals, as text: "1.00".',
  },
  digits: {
    es: 'Debe ser un número de hasta {digits} cifras significativas, como texto: "1.75" o "10.00".',
    en: 'Must be a number of up to {digits} significant digits, as text: "1.75" or "10.00".',
  },
  range: {
    es: 'Debe ser un número de {min} a {max}, con hasta {decimals} decimales.',
    en: 'Must be a number from {min} to {max}, with up to {decimals} decimals.',
  },
  pattern: { es: 'Debe tener la forma {form}.', en: 'Must have the form {form}.' },
  catalog: { es: 'No es un código del catálogo {catalog}.', en: 'Is not a code of the catalog {catalog}.' },
  oneOf: { es: 'Debe ser uno de estos: {values}.', en: 'Must be one of these: {values}.' },
  date: { es: 'Debe ser una fecha DD/MM/AAAA que exista.', en: 'Must be a DD/MM/YYYY date that exists.' },
  today: { es: 'Debe ser la fecha de hoy, {today}.', en: "Must be today's date, {today}." },
  notLater: { es: 'No puede ser posterior al {date}.', en: 'Must not be later than {date}.' },
  notEarlier: { es: 'No puede ser anterior al {date}.', en: 'Must not be earlier than {date}.' },
  finalConsumer: {
    es: 'Una nota no se puede emitir a consumidor final.',
    en: 'A note cannot be issued to an unnamed consumer (consumidor final).',
  },
  reimbursementTax: {
    es: 'La línea de un reembolso lleva IVA «no objeto», código 6.',
    en: 'The line of a reimbursement has IVA «not subject», code 6.',
  },
  refundBuyer: {
    es: 'El SRI devuelve el IVA solo a un comprador con cédula (tipo 05).',
    en: 'The SRI returns IVA only to a buyer with a cédula (type 05).',
  },
  refundTax: {
    es: 'La devolución necesita un IVA con tarifa en el documento.',
    en: 'The refund needs a taxed IVA in the document.',
  },
  email: { es: 'Correo no válido.', en: 'Invalid e-mail address.' },
  discount: {
    es: 'El descuento es mayor que cantidad × precio unitario.',
    en: 'The discount is greater than quantity × unit price.',
  },
  unsubsidizedPrice: {
    es: 'Es menor que el precio unitario, que ya lleva el subsidio.',
    en: 'Is below the unit price, which already has the subsidy.',
  },
  lineTotal: {
    es: 'No es cantidad × precio unitario − descuento, {expected}: el SRI admite solo lo que se va al redondear.',
    en: 'Is not quantity × unit price − discount, {expected}: the SRI allows for rounding alone.',
  },
  paymentsMismatch: {
    es: 'Los pagos no suman el total, {expected}.',
    en: 'The payments do not add up to the total, {expected}.',
  },
  maxAmount: { es: 'El valor pasa de {max}.', en: 'The amount is above {max}.' },
  noTicket: {
    es: 'Los documentos {documentType} no se imprimen como ticket: solo en A4.',
    en: 'Documents {documentType} are not printed as a ticket, only on A4.',
  },
  sameType: {
    es: 'No puede cambiar: el documento es de tipo {documentType}.',
    en: 'Cannot change: the document is of type {documentType}.',
  },
  xmlSize: {
    es: 'El XML firmado pasa de {max} KiB, más de lo que el SRI recibe.',
    en: 'The signed XML is above {max} KiB, more than the SRI accepts.',
  },
  lineBaseMismatch: {
    es: 'La base del IVA no es la de la línea: se esperaba {expected}.',
    en: "The IVA base is not the line's: expected {expected}.",
  },
  taxMismatch: {
    es: 'El impuesto no es base × tarifa: se esperaba {expected}.',
    en: 'The tax is not base × rate: expected {expected}.',
  },
  taxGroupMismatch: {
    es: 'El impuesto de las líneas suma {sum}, y base × tarifa del grupo es {expected}: el SRI compara los dos (código 52).',
    en: 'The tax of the lines adds up to {sum}, and base × rate of the group is {expected}: the SRI compares the two (code 52).',
  },
  idFormat: {
    es: 'La identificación no tiene la forma de su tipo: {form}.',
    en: 'The identification has not the form of its type: {form}.',
  },
  idCheckDigit: {
    es: 'El dígito verificador de la identificación no es el esperado.',
    en: 'The check digit of the identification is not the expected one.',
  },
  sumMismatch: {
    es: 'No es la suma de sus partes: se esperaba {expected}.',
    en: 'Is not the sum of its parts: expected {expected}.',
  },
  taxRateMismatch: {
    es: 'No es la tarifa de ese código en esa fecha: {expected}.',
    en: 'Is not the rate of that code on that date: {expected}.',
  },
  taxRepeated: {
    es: 'Ese impuesto con esa tarifa ya está arriba, y las dos bases se suman: si es el mismo, quite uno.',
    en: 'That tax at that rate is above already, and both bases are added: if it is the same, remove one.',
  },
  unknownField: {
    es: 'No es un campo del documento: se ignora.',
    en: 'Is not a field of the document: it is ignored.',
  },
  unknownFieldNear: {
    es: 'No es un campo del documento: se ignora. ¿Quiso decir «{nearest}»?',
    en: 'Is not a field of the document: it is ignored. Did you mean «{nearest}»?',
  },
  certificateOfAnotherRuc: {
    es: 'El certificado es del RUC {named} y el emisor es {own}: el SRI rechaza lo que firme (código 39).',
    en: 'The certificate is for RUC {named} and the issuer is {own}: the SRI refuses what it signs (code 39).',
  },
  certificateWithoutRuc: {
    es: 'En el certificado no se lee un RUC: el SRI exige que lleve el del emisor, {own} (código 39).',
    en: 'No RUC can be read in the certificate: the SRI asks for that of the issuer, {own} (code 39).',
  },
};

const UNKNOWN: LocalizedText = { es: 'No es válido.', en: 'Is not valid.' };
