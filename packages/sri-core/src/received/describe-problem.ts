import type { Language, LocalizedText } from '../catalogs/catalog.js';
import { LIST_COLUMNS } from './list-layout.js';
import type { ListProblem, ListRule } from './received-list.js';

/** A fault of a list as a sentence, without its line. */
export function describeListProblem({ field, rule }: ListProblem, language: Language): string {
  const column = field === null ? '' : LIST_COLUMNS[field];
  return RULES[rule][language].replace('{column}', column);
}

// --- internal ---

const RULES: Readonly<Record<ListRule, LocalizedText>> = {
  size: { es: 'El archivo tiene más de 32 MiB: divídalo.', en: 'The file has more than 32 MiB: split it.' },
  binary: {
    es: 'No es un archivo de texto. Se necesita el TXT del portal, no un PDF, un ZIP o un XLSX.',
    en: "This is no text file. It has to be the portal's TXT, not a PDF, a ZIP or an XLSX.",
  },
  tooMany: {
    es: 'Desde aquí no se lee: la lista tiene más de 100 000 filas.',
    en: 'From here on nothing is read: the list has more than 100,000 rows.',
  },
  columns: {
    es: 'La fila no tiene las columnas del listado del portal.',
    en: "The row does not have the columns of the portal's list.",
  },
  accessKey: {
    es: '{column} no es una clave de acceso: fallan sus 49 dígitos o el dígito verificador.',
    en: '{column} is no access key: its 49 digits or its check digit are wrong.',
  },
  spreadsheet: {
    es: 'Una hoja de cálculo convirtió {column} en un número y perdió sus dígitos: use el TXT como se descargó.',
    en: 'A spreadsheet turned {column} into a number and lost its digits: use the TXT as downloaded.',
  },
  type: { es: '{column}: el tipo de comprobante no se conoce.', en: '{column}: the type of document is not known.' },
  disagrees: {
    es: '{column} dice otra cosa que la clave de acceso.',
    en: '{column} says something else than the access key.',
  },
  date: { es: '{column} no es una fecha.', en: '{column} is no date.' },
  amount: { es: '{column} no es un valor.', en: '{column} is no amount.' },
  duplicate: { es: 'La clave ya está más arriba en la lista.', en: 'The key stands in the list before.' },
};
