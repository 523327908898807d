import { statfs } from 'node:fs/promises';
import { quoteWord } from '../frame/shell-word.js';
import { type DoctorFinding, fail, fine, warn } from './finding.js';

const MB = 1024 * 1024;

/** Whether the disk of the data or of the database file has room: a full disk stops every document. */
export async function findOnDisk(folder: string): Promise<DoctorFinding> {
  const found = await statfs(folder).catch(() => null);
  if (!found) {
    return warn('disk', {
      es: `La carpeta ${folder} no existe todavía.`,
      en: `The folder ${folder} does not exist yet.`,
      fix: `mkdir -p ${quoteWord(folder)}`,
    });
  }
  const free = Math.floor((found.bavail * found.bsize) / MB);
  const message = {
    es: `Quedan ${free} MB en el disco de ${folder}.`,
    en: `${free} MB are free on the disk of ${folder}.`,
  };
  const fix = {
    es: `Libere espacio o mueva la carpeta: du -xh ${quoteWord(folder)} | sort -h | tail`,
    en: `Free some space or move the folder: du -xh ${quoteWord(folder)} | sort -h | tail`,
  };
  if (free < 100) return fail('disk', { ...message, fix });
  return free < 1024 ? warn('disk', { ...message, fix }) : fine('disk', message);
}
