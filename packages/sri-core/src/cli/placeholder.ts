import type { Language } from '../catalogs/catalog.js';

/** The place of a value in the help, `<archivo>`: the name in the language of the reader. */
export function placeholder(name: string, language: Language): string {
  return `<${(language === 'es' && SPANISH[name]) || name}>`;
}

// --- internal ---

/** Names that are the same in both languages are not here. */
const SPANISH: Readonly<Record<string, string>> = {
  'access-key': 'clave de acceso',
  account: 'cuenta',
  address: 'dirección',
  code: 'código',
  'code:rate': 'código:porcentaje',
  day: 'fecha',
  digits: 'dígitos',
  file: 'archivo',
  folder: 'carpeta',
  interval: 'intervalo',
  'issuer:type:n': 'emisor:tipo:n',
  job: 'trabajo',
  key: 'clave',
  list: 'lista',
  moment: 'momento',
  name: 'nombre',
  payment: 'pago',
  reason: 'motivo',
  seconds: 'segundos',
  status: 'estado',
  subscription: 'suscripción',
  text: 'texto',
  tier: 'plan',
  type: 'tipo',
  version: 'versión',
  'DD/MM/YYYY': 'DD/MM/AAAA',
  'YYYY-MM-DD': 'AAAA-MM-DD',
};
