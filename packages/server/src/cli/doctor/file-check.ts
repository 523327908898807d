import { existsSync } from 'node:fs';
import { DatabaseDamagedError, requireWholeFile } from '../../platform/database/file-check.js';
import { type DoctorFinding, fail, fine } from './finding.js';

/**
 * Whether the file of a SQLite database is undamaged, whatever its size.
 * @param path null if the database is not a file.
 * @returns null if there is no file, or none that can be read: the check of the database says why.
 */
export async function findInFile(path: string | null): Promise<DoctorFinding | null> {
  if (path === null || !existsSync(path)) return null;
  try {
    await requireWholeFile(path);
    return fine('databaseFile', {
      es: 'El archivo de la base no está dañado.',
      en: 'The database file is undamaged.',
    });
  } catch (error) {
    if (!(error instanceof DatabaseDamagedError)) return null;
    return fail(
      'databaseFile',
      { es: 'El archivo de la base está dañado.', en: 'The database file is damaged.' },
      {
        es: 'Detenga el servidor, guarde una copia del archivo y restaure un respaldo: sri-server admin restore <archivo> --force',
        en: 'Stop the server, keep a copy of the file, and restore a backup: sri-server admin restore <file> --force',
      },
    );
  }
}
