import type { MigrationPlan } from '../migrator.js';
import { documents } from './001-documents.js';
import { lists } from './002-lists.js';
import { credits } from './003-credits.js';
import { search } from './004-search.js';
import { letters } from './005-letters.js';
import { compact } from './006-compact.js';
import { narrow } from './007-narrow.js';
import { copies } from './008-copies.js';
import { hosts } from './009-hosts.js';

/** The steps of core's own tables. */
export const CORE_MIGRATIONS: MigrationPlan = {
  namespace: 'sri-core',
  migrations: [documents, lists, credits, search, letters, compact, narrow, copies, hosts],
};
