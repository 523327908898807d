import type { Migration, MigrationPlan } from 'sri-storage-adapters';
import { accountTables } from './account-migration.js';
import { agreementTables } from './agreement-migration.js';
import { billingTables } from './billing-migration.js';
import { keyTables } from './key-migration.js';
import { mailTables } from './mail-migration.js';
import { notificationTables } from './notification-migration.js';
import { operationTables } from './operation-migration.js';
import { operatorTables } from './operator-migration.js';
import { webhookTables } from './webhook-migration.js';

const tables: Migration = {
  name: '001-tables',
  async up(transaction, traits) {
    const statements = [
      accountTables,
      keyTables,
      mailTables,
      agreementTables,
      notificationTables,
      webhookTables,
      billingTables,
      operatorTables,
      operationTables,
    ].flatMap((of) => of(traits));
    for (const statement of statements) await statement.execute(transaction);
  },
};

/** The server's tables, step by step. A step that was released is never edited; a change is a new step. */
export const SERVER_MIGRATIONS: MigrationPlan = { namespace: 'sri-server', migrations: [tables] };
