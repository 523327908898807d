import type { Language } from '../language.js';

/** The words of a failure of the database or of a backup, which are written in English; as they are where none is known. */
export function tellFailure(message: string, language: Language): string {
  if (language === 'en') return message;
  for (const [pattern, spanish] of SPANISH) if (pattern.test(message)) return message.replace(pattern, spanish);
  return message;
}

// --- internal ---

const SPANISH: readonly (readonly [RegExp, string])[] = [
  [/^(.+) does not answer: (.+)$/s, '$1 no responde: $2'],
  [
    /^The database file (.+?) is damaged: (.+)\. Keep a copy of it, and restore a backup: (.+)$/s,
    'El archivo de la base $1 está dañado: $2. Guarde una copia y restaure un respaldo: $3',
  ],
  [
    /^The master key (.+) is missing, which stored secrets are sealed with\.$/,
    'Falta la clave maestra $1, con la que están sellados los secretos guardados.',
  ],
  [
    /^The master key (.+) is another one than stored secrets are sealed with\.$/,
    'La clave maestra $1 es otra que aquella con la que están sellados los secretos guardados.',
  ],
  [
    /^There is no database at (.+?)\.$/,
    'No hay una base de datos en $1. ¿Es esta la carpeta de su .env? Una nueva se hace con: sri-server init',
  ],
  [
    /^The database has not been brought to this version, which starting the server does\. Missing: (.+)$/,
    'La base de datos no está al día con esta versión; iniciar el servidor la actualiza. Falta: $1',
  ],
  [
    /^(.+) exists already\. Name another file, or add --force\.$/,
    '$1 ya existe. Nombre otro archivo, o agregue --force.',
  ],
  [
    /^(.+) exists already\. Add --force to put the backup in its place\.$/,
    '$1 ya existe. Agregue --force para poner el respaldo en su lugar.',
  ],
  [/^(.+) exists already\.$/, '$1 ya existe.'],
  [/^The copy is not whole, so it was thrown away\.$/, 'La copia no salió entera, y se descartó.'],
  [/^(.+) is no whole backup of this server: .*$/s, '$1 no es un respaldo entero de este servidor.'],
  [/^The database cannot be copied: (.+)$/s, 'La base de datos no se puede copiar: $1'],
  [/^Something has (.+) open\. Stop the server first\.$/, 'Algo tiene abierto $1. Detenga antes el servidor.'],
  [
    /^Stop the servers, then restore with PostgreSQL's own tool: (.+)\n[\s\S]*$/,
    'Detenga los servidores y restaure con la herramienta de PostgreSQL: $1\nEl SRI puede conocer comprobantes con números más altos que los de este respaldo: antes de emitir, compare cada contador\n(doctor --reconcile ayuda) y adelántelo con PATCH /v1/issuers/:id/sequentials/:documentType.',
  ],
];
