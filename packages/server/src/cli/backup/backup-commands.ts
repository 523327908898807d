import { sql } from 'kysely';
import { type LocalizedText, systemClock } from 'sri-core';
import { CommandFailure, flagOption, toLines, UsageError } from 'sri-core/cli';
import type { Config } from '../../config/config.js';
import { databaseUrlOf, openDatabase, sqlitePathOf } from '../../open-database.js';
import { recordAction } from '../../operator/audited.js';
import { createServerClock } from '../../platform/clock.js';
import { sentenceOf } from '../../platform/language.js';
import { defineServerCommand, operatorOf, type ServerCall } from '../frame/command.js';
import { moveToPostgres } from './move-to-postgres.js';
import { backupPostgres, restoreCommand } from './postgres-backup.js';
import { backupSqlite, requireUnused, requireWhole, restoreSqlite } from './sqlite-backup.js';

const KEY_NOTICE = {
  es: 'La copia no contiene la clave maestra: guarde MASTER_KEYS (o master.key de la carpeta de datos) en otro lugar. Sin ella nada de la copia puede firmar.',
  en: 'The copy holds no master key: keep MASTER_KEYS (or master.key of the data directory) somewhere else. Without it nothing in the copy can sign.',
};

/** What no copy can contain. */
const NUMBERS_NOTICE = {
  es: 'El SRI puede conocer comprobantes con números más altos que los de este respaldo. Antes de emitir, compare cada\ncontador con el último comprobante emitido (doctor --reconcile ayuda), y adelántelo con\nPATCH /v1/issuers/:id/sequentials/:documentType.',
  en: 'The SRI may know documents with higher numbers than this backup. Before issuing, compare each counter with the\nlast document issued (doctor --reconcile helps), and set it forward with\nPATCH /v1/issuers/:id/sequentials/:documentType.',
};

/** Commands that make and restore backups. */
export const BACKUP_COMMANDS = {
  backup: defineServerCommand({
    about: {
      es: `SQLite: un archivo consistente, revisado antes de recibir su nombre. PostgreSQL: con pg_dump, donde esté instalado.\n${KEY_NOTICE.es}`,
      en: `SQLite: one consistent file, checked before it gets its name. PostgreSQL: made with pg_dump, where it is installed.\n${KEY_NOTICE.en}`,
    },
    args: [{ name: 'file', description: { es: 'Dónde', en: 'Where to' } }],
    options: {
      force: flagOption({ es: 'Reemplaza el archivo que haya', en: 'Put it in the place of a file that is there' }),
    },
    async run(call) {
      const target = call.args[0] ?? '';
      const force = call.options.force;
      const config = call.config();
      const { services } = await call.open();
      const path = sqlitePathOf(config);
      const made =
        path === null
          ? await backupPostgres(databaseUrlOf(config), target, { force, schema: await schemaOf(call) })
          : await backupSqlite(path, target, { force });
      const { sizeBytes, sha256 } = made;
      const action = ofServer('database.backup', { file: target, sizeBytes, sha256 });
      // A full disk, another writer or READ_ONLY stops the entry. The copy is whole, and wanted most then.
      const unrecorded = await noticeUnless(recordAction(services, operatorOf(call), action));
      const notices = [KEY_NOTICE, ...unrecorded];
      return { json: { ok: true, backup: made }, text: toLines({ ...made }, call.language), notices };
    },
  }),
  restore: defineServerCommand({
    about: {
      es: 'Primero se revisa el respaldo, y la base que haya se conserva al lado con otro nombre.\nPostgreSQL: imprime el comando pg_restore que hay que ejecutar.',
      en: 'The backup is checked first, and an existing database is kept next to it under another name.\nPostgreSQL: prints the pg_restore command to run.',
    },
    args: [{ name: 'file', description: { es: 'El respaldo', en: 'The backup' } }],
    options: {
      force: flagOption({ es: 'Aunque ya haya una base de datos', en: 'Also where a database is there already' }),
    },
    async run(call) {
      const source = call.args[0] ?? '';
      const force = call.options.force;
      const config = call.config();
      const path = sqlitePathOf(config);
      if (path === null) {
        const command = restoreCommand(databaseUrlOf(config), source, { clean: force });
        throw new CommandFailure('RESTORE_BY_HAND', {
          es: `Detenga los servidores y restaure con la herramienta de PostgreSQL: ${command}\n${NUMBERS_NOTICE.es}`,
          en: `Stop the servers, then restore with PostgreSQL's own tool: ${command}\n${NUMBERS_NOTICE.en}`,
        });
      }
      const restored = await restoreSqlite(source, path, { force, now: systemClock.now() });
      const unrecorded = await noticeUnless(recordRestore(call, config, { file: source, sha256: restored.sha256 }));
      return {
        json: { ok: true, restored },
        text: toLines({ ...restored }, call.language),
        notices: [NUMBERS_NOTICE, ...unrecorded],
      };
    },
  }),
  move: defineServerCommand({
    about: {
      es: 'El destino es la base PostgreSQL de DATABASE_URL, sin cuentas todavía. Se copia todo en una transacción; luego el archivo\nqueda con otro nombre. Las claves maestras no cambian.',
      en: 'The target is the PostgreSQL database of DATABASE_URL, without accounts yet. Everything is copied in one transaction;\nthen the file gets another name. The master keys stay the same.',
    },
    args: [{ name: 'file', description: { es: 'El archivo: app.db de DATA_DIR', en: 'The file: app.db of DATA_DIR' } }],
    async run(call) {
      const source = call.args[0] ?? '';
      const config = call.config();
      if (sqlitePathOf(config) !== null)
        throw new UsageError({
          es: 'Ponga en DATABASE_URL la dirección de PostgreSQL: postgres://…',
          en: 'Set DATABASE_URL to the address of PostgreSQL: postgres://…',
        });
      const clock = createServerClock(config.clockOffsetMs);
      // Before anything is written to it: the file of another program would get tables.
      await requireWhole(source);
      await requireUnused(source);
      const former = { ...config, databaseUrl: `file:${source}`, databaseSchema: null };
      await (await openDatabase(former, clock, { isPatient: true })).close();
      const target = await openDatabase(config, clock, { isPatient: true });
      try {
        const parts = { database: target.database, clock, newId: target.publishing.newId };
        const moved = await moveToPostgres(source, target.database, { place: target.place, now: clock.now() });
        const action = ofServer('database.move', { ...moved });
        const notices = await noticeUnless(recordAction(parts, operatorOf(call), action));
        const shown = { database: target.place, ...moved };
        return { json: { ok: true, moved: shown }, text: toLines(shown, call.language), notices };
      } finally {
        await target.close();
      }
    },
  }),
} as const;

// --- internal ---

function ofServer(action: string, detail: Readonly<Record<string, unknown>>) {
  return { action, targetType: 'server', targetId: null, detail } as const;
}

/** What to say when a finished backup or restore could not be recorded. */
function noticeUnless(recorded: Promise<void>): Promise<readonly LocalizedText[]> {
  return recorded.then(
    () => [],
    (error: unknown) => [
      {
        es: `Está hecho, pero «admin audit» no lo muestra: ${sentenceOf(error, 'es')}`,
        en: `It is done, but "admin audit" does not show it: ${sentenceOf(error, 'en')}`,
      },
    ],
  );
}

async function schemaOf(call: ServerCall): Promise<string> {
  const { services } = await call.open();
  const { rows } = await services.database.read((tables) =>
    sql<{ schema: string }>`select current_schema() as schema`.execute(tables),
  );
  return rows[0]?.schema ?? 'public';
}

/** Works in the restored database itself. Its tables are migrated to this version first. */
async function recordRestore(call: ServerCall, config: Config, detail: Readonly<Record<string, unknown>>) {
  const clock = createServerClock(config.clockOffsetMs);
  const opened = await openDatabase(config, clock);
  try {
    const parts = { database: opened.database, clock, newId: opened.publishing.newId };
    await recordAction(parts, operatorOf(call), ofServer('database.restore', detail));
  } finally {
    await opened.close();
  }
}
