import type { Migration, MigrationPlan } from 'sri-storage-adapters';
import { accountTables } from './accounts/migration.js';
import { agreementTables } from './agreements/migration.js';
import { billingTables } from './billing/migration.js';
import { sessionTables } from './gate/migration.js';
import { issuerTables } from './issuers/migration.js';
import { keyTables } from './keys/migration.js';
import { mailTables } from './mail/migration.js';
import { notificationTables } from './notifications/migration.js';
import { onboardingTables } from './onboarding/migration.js';
import { operatorTables } from './operator/migration.js';
import { operationTables } from './platform/database/migration.js';
import { webhookTables } from './webhooks/migration.js';

const tables: Migration = {
  name: '001-tables',
  async up(transaction, traits) {
    const statements = [
      accountTables,
      operationTables,
      issuerTables,
      onboardingTables,
      keyTables,
      sessionTables,
      mailTables,
      agreementTables,
      notificationTables,
      webhookTables,
      billingTables,
      operatorTables,
    ].flatMap((of) => of(traits));
    for (const statement of statements) await statement.execute(transaction);
  },
};

/** The server's tables, step by step. A released step is never edited; a change is a new step. */
export const SERVER_MIGRATIONS: MigrationPlan = { namespace: 'sri-server', migrations: [tables] };
