import { toLines } from 'sri-core/cli';
import { openDatabase } from '../open-database.js';
import { createServerClock } from '../platform/clock.js';
import { defineServerCommand } from './frame/command.js';

/** `db migrate` */
export const migrateCommand = defineServerCommand({
  about: {
    es: 'Para actualizar las tablas antes de arrancar el servidor. Servidores de la versión anterior no deben estar en\nmarcha. Haga antes un respaldo: db backup.',
    en: 'To bring the tables to this version before the server starts. No server of the former version may be running.\nMake a backup first: db backup.',
  },
  async run(call) {
    const config = call.config();
    const opened = await openDatabase(config, createServerClock(config.clockOffsetMs), { isPatient: true });
    const { place } = opened;
    await opened.close();
    return { json: { ok: true, database: place }, text: toLines({ database: place }, call.language) };
  },
});
