import { sql } from 'kysely';
import type { OperatorAccess } from '../frame/operator-access.js';
import { type DoctorFinding, warn } from './finding.js';

/** Behind PgBouncer the server cannot set how long PostgreSQL keeps the transaction of a frozen process. */
export async function findInLocks({ opened, services }: OperatorAccess): Promise<readonly DoctorFinding[]> {
  if (opened.sqliteVersion !== null) return [];
  const { rows } = await services.database.read((tables) =>
    sql<{ account: string; limit: string }>`select quote_ident(current_user) as account,
      current_setting('idle_in_transaction_session_timeout') as limit`.execute(tables),
  );
  const [found] = rows;
  if (found?.limit !== '0') return [];
  return [
    warn(
      'database',
      {
        es: 'PostgreSQL no termina las transacciones de un servidor congelado o perdido: sus filas quedan bloqueadas.',
        en: 'PostgreSQL does not end the transactions of a frozen or lost server: their rows stay locked.',
      },
      `alter role ${found.account} set idle_in_transaction_session_timeout = '10s'`,
    ),
  ];
}
