import { checkCedula, type IsoDate, idTypes, paymentMethods, taxRates } from 'sri-core';
import type { CliText } from 'sri-core/cli';

/** A parsed value, or its error. */
export type Read<T> = { readonly value: T } | { readonly wrong: CliText };

/** A cell that cannot be read, and why. */
export function wrong(es: string, en: string): { readonly wrong: CliText } {
  return { wrong: { es, en } };
}

/**
 * Parses a number as people in Ecuador write it: decimal comma or point, thousands separators (`1.234,56`), with or
 * without `$`. An ambiguous separator is an error.
 * @param delimiter of the file: with semicolons numbers usually have a decimal comma, with commas a decimal point.
 */
export function readDecimal(text: string, delimiter: string): Read<string> {
  const plain = text.replace(/^(USD|\$)\s*/i, '').replace(/\s/g, '');
  const [usual, unusual] = delimiter === ',' ? ['.', ','] : [',', '.'];
  if (new RegExp(`^[1-9]\\d{0,2}\\${unusual}\\d{3}$`).test(plain)) {
    const [whole, decimal] = [plain.replace(unusual, ''), plain.replace(unusual, usual)];
    return wrong(
      `«${text}» se puede leer de dos maneras; escriba ${whole} o ${decimal}.`,
      `«${text}» can be read in two ways; write ${whole} or ${decimal}.`,
    );
  }
  // The accounting format of Excel shows a zero as a dash.
  if (plain === '-') return { value: '0' };
  if (/^\d+([.,]\d{1,})?$/.test(plain)) return { value: plain.replace(',', '.') };
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(plain)) return { value: plain.replaceAll('.', '').replace(',', '.') };
  if (/^\d{1,3}(,\d{3})+\.\d+$/.test(plain)) return { value: plain.replaceAll(',', '') };
  return wrong(`«${text}» no es un número.`, `«${text}» is not a number.`);
}

/** A day, `21/11/2026`, `1/2/2026` or `2026-11-21`, in the form of the SRI. */
export function readDate(text: string): Read<string> {
  const spoken = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text);
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (spoken) return { value: `${spoken[1]?.padStart(2, '0')}/${spoken[2]?.padStart(2, '0')}/${spoken[3]}` };
  if (iso) return { value: `${iso[3]}/${iso[2]}/${iso[1]}` };
  return wrong(`«${text}» no es una fecha como 21/11/2026.`, `«${text}» is not a date such as 21/11/2026.`);
}

/** Whether a day in the form of the SRI equals another day. */
export function isDayOf(date: string, day: IsoDate): boolean {
  const [year, month, dayOfMonth] = day.split('-');
  return date === `${dayOfMonth}/${month}/${year}`;
}

/** An identification as people and Excel write it. @param type as written; if it is empty, the length must be that of one. */
export function readId(text: string, type: string): Read<string> {
  const id = plainId(text);
  if (isRounded(id)) return rounded('la identificación', 'the identification', text);
  const whole = typeByLength(`0${id}`);
  if (whole !== null && (type === '' || ID_TYPES.get(simplify(type)) === whole)) return zeroLost(text, id);
  if (type !== '' || typeByLength(id) !== null) return { value: id };
  return wrong(
    `«${text}» no es una cédula (10 dígitos) ni un RUC (13); para pasaporte u otra, agregue la columna tipo_identificacion.`,
    `«${text}» is neither a cédula (10 digits) nor a RUC (13); for a passport or another, add the column id_type.`,
  );
}

/** An identification without a type, as a passport too. A cédula is known by its check digit, a RUC by its end. */
export function readUntypedId(text: string): Read<string> {
  const read = readDigits(text);
  if ('wrong' in read) return read;
  const whole = `0${read.value}`;
  const lacksZero = checkCedula(whole) === 'right' || /^\d{10}001$/.test(whole);
  return lacksZero ? zeroLost(text, read.value) : read;
}

/** The type of an identification, by its code or by name. Without a type, the length of the identification decides. */
export function readIdType(type: string, id: string): Read<string | undefined> {
  if (type === '') return { value: typeByLength(plainId(id)) ?? undefined };
  const named = ID_TYPES.get(simplify(type));
  if (named !== undefined) return { value: named };
  return wrong(`No hay un tipo de identificación «${type}».`, `There is no type of identification «${type}».`);
}

/** Digits that Excel may have turned into a number, such as an authorization. */
export function readDigits(text: string): Read<string> {
  const plain = text.replace(/^'/, '').replace(/\s/g, '');
  return isRounded(plain) ? rounded('el número', 'the number', text) : { value: plain };
}

/** A document number, `001-001-000000123`; also without its leading zeros at the end, or as 15 digits without dashes. */
export function readDocumentNumber(text: string): Read<string> {
  const plain = text.replace(/^'/, '').replace(/\s/g, '');
  const [, branch, point, sequential] =
    /^(\d{3})-(\d{3})-(\d{1,9})$/.exec(plain) ?? /^(\d{3})(\d{3})(\d{9})$/.exec(plain) ?? [];
  if (branch && point && sequential) return { value: `${branch}-${point}-${sequential.padStart(9, '0')}` };
  if (isRounded(plain)) return rounded('el número', 'the number', text);
  return wrong(
    `«${text}» no es un número como 001-001-000000123.`,
    `«${text}» is not a number such as 001-001-000000123.`,
  );
}

/** A month, `11/2026` or `2026-11`, in the form of the SRI. */
export function readMonth(text: string): Read<string> {
  const [, month, year] = /^(\d{1,2})[/-](\d{4})$/.exec(text) ?? [];
  const [, isoYear, isoMonth] = /^(\d{4})-(\d{2})$/.exec(text) ?? [];
  const [m, y] = [month ?? isoMonth, year ?? isoYear];
  if (m && y && Number(m) >= 1 && Number(m) <= 12) return { value: `${m.padStart(2, '0')}/${y}` };
  return wrong(`«${text}» no es un mes como 11/2026.`, `«${text}» is not a month such as 11/2026.`);
}

/** Yes or no. */
export function readYesNo(text: string): Read<boolean> {
  const plain = simplify(text);
  if (/^(si|s|yes|y|true|1)$/.test(plain)) return { value: true };
  if (/^(no|n|false|0)$/.test(plain)) return { value: false };
  return wrong(`«${text}» no es sí ni no.`, `«${text}» is neither yes nor no.`);
}

/** The tax of a line, by its percentage or by name. */
export function readVat(text: string): Read<{ readonly code: '2'; readonly rateCode: string; readonly rate: string }> {
  const plain = simplify(text.replace('%', ''));
  const named = plain === 'exento' || plain === 'exempt' ? '7' : plain === 'no_objeto' ? '6' : null;
  const percent = /^\d{1,2}([.,]0+)?$/.test(plain) ? String(Number(plain.replace(',', '.'))) : null;
  const row = taxRates.find(
    ({ taxCode, rateCode, rate }) =>
      taxCode === '2' && (named ? rateCode === named : rate === percent && rateCode !== '6' && rateCode !== '7'),
  );
  if (row?.rate) return { value: { code: '2', rateCode: row.rateCode, rate: row.rate } };
  return wrong(
    `«${text}» no es una tarifa de IVA: 15, 13, 5, 0, 8, exento o no objeto.`,
    `«${text}» is no rate of IVA: 15, 13, 5, 0, 8, exento or no objeto.`,
  );
}

/** A form of payment by its code or by name; default: not through the financial system. */
export function readPaymentMethod(text: string): Read<string> {
  if (text === '') return { value: '01' };
  const named = PAYMENT_METHODS.get(simplify(text)) ?? text.padStart(2, '0');
  if (paymentMethods.some(({ code }) => code === named)) return { value: named };
  return wrong(
    `No hay una forma de pago «${text}»: ${paymentMethods.map(({ code }) => code).join(', ')}, efectivo, transferencia o tarjeta.`,
    `There is no form of payment «${text}»: ${paymentMethods.map(({ code }) => code).join(', ')}, efectivo, transferencia or tarjeta.`,
  );
}

/** Text without capitals, accents and blanks, as names are compared. @param gaps what an underscore stands for */
export function simplify(text: string, gaps = /\s+/g): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase().replace(gaps, '_');
}

// --- internal ---

/** Codes of the types of identification that begin with a province. */
const RUC = '04';
const CEDULA = '05';
const ID_TYPES = new Map<string, string>([
  ...idTypes.flatMap(({ code }): [string, string][] => [
    [code, code],
    [String(Number(code)), code],
  ]),
  ['ruc', RUC],
  ['cedula', CEDULA],
  ['pasaporte', '06'],
  ['passport', '06'],
  ['consumidor_final', '07'],
  ['exterior', '08'],
]);

const PAYMENT_METHODS = new Map([
  ['efectivo', '01'],
  ['cash', '01'],
  ['tarjeta_de_debito', '16'],
  ['debito', '16'],
  ['tarjeta', '19'],
  ['tarjeta_de_credito', '19'],
  ['transferencia', '20'],
  ['cheque', '20'],
]);

/** Digits without blanks and hyphens; anything else as it is, since passports may contain hyphens. */
function plainId(text: string): string {
  const written = text.replace(/^'/, '').trim();
  const digits = written.replace(/[\s-]/g, '');
  return /^\d+$/.test(digits) ? digits : written;
}

function zeroLost(text: string, id: string) {
  return wrong(
    `«${text}» tiene ${id.length} dígitos: Excel quita el cero inicial. Dé a la columna formato de texto y escriba 0${id}.`,
    `«${text}» has ${id.length} digits: Excel drops the leading zero. Give the column text format and write 0${id}.`,
  );
}

function isRounded(text: string): boolean {
  return /^\d([.,]\d+)?E\+\d+$/i.test(text);
}

function rounded(es: string, en: string, text: string) {
  return wrong(
    `Excel convirtió ${es} en «${text}» y perdió dígitos: dé a la columna formato de texto y ${es.startsWith('la') ? 'escríbala' : 'escríbalo'} de nuevo.`,
    `Excel has turned ${en} into «${text}» and lost digits: give the column text format and write it again.`,
  );
}

function typeByLength(id: string): string | null {
  if (id === '9999999999999') return '07';
  if (/^\d{13}$/.test(id)) return RUC;
  return /^\d{10}$/.test(id) ? CEDULA : null;
}
