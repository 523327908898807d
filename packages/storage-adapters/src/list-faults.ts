import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DOCUMENT_STATUSES, DOCUMENT_TYPES } from 'sri-core';
import { INITIAL_LENGTH, toLetters } from './name-letters.js';
import { EVERY_NAME, type NameScope } from './name-words.js';
import type { CoreTables } from './schema.js';

/** A count that lists would read and that is not what the documents say. */
export interface ListFault {
  /** The scope and the kind of count; never a name. */
  readonly object: string;
  readonly explanation: string;
}

/**
 * Figures and counts that disagree with the documents they are of, at most `limit`. Counts everything anew in the
 * database, kind by kind, each at one moment.
 */
export async function findListFaults(db: Kysely<CoreTables>, limit: number): Promise<readonly ListFault[]> {
  const faults: ListFault[] = [];
  for (const query of [figures(), ...COUNTED.map(counts), names(), initials(), namesWithWords()]) {
    if (faults.length >= limit) break;
    const { rows } = await sql<ListFault>`select * from (${query}) as fault limit ${limit - faults.length}`.execute(db);
    faults.push(...rows);
  }
  if (faults.length < limit) faults.push(...(await findLetterFaults(db, limit - faults.length)));
  return faults;
}

// --- internal ---

/** Kinds of counts: what each is called, the kind and the entry of a document, and which kinds there are. */
interface Counted {
  readonly called: string;
  readonly kind: RawBuilder<unknown>;
  readonly entry: RawBuilder<unknown>;
  readonly kinds: readonly string[];
}

const DAY = sql`cast(created_at / 86400000 as text)`;

const COUNTED: readonly Counted[] = [
  {
    called: 'blocks of numbers',
    kind: sql`document_type`,
    entry: sql`substr(sequential_digits, 1, 6)`,
    kinds: DOCUMENT_TYPES,
  },
  { called: 'statuses', kind: sql`'status'`, entry: sql`status`, kinds: ['status'] },
  { called: 'issue dates', kind: sql`'issued'`, entry: sql`issue_date`, kinds: ['issued'] },
  { called: 'days', kind: sql`'created'`, entry: DAY, kinds: ['created'] },
  {
    called: 'days of a status',
    kind: sql`'created ' || status`,
    entry: DAY,
    kinds: DOCUMENT_STATUSES.map((status) => `created ${status}`),
  },
  {
    called: 'days of a type',
    kind: sql`'created ' || document_type`,
    entry: DAY,
    kinds: DOCUMENT_TYPES.map((type) => `created ${type}`),
  },
];

function counts({ called, kind, entry, kinds }: Counted): RawBuilder<unknown> {
  return sql`select issuer_id || ', ' || environment || ', ' || ${sql.lit(called)} as object,
      'an entry counts ' || cast(sum(counted) as text) || ', and ' || cast(sum(there) as text) || ' are there' as explanation
    from (select issuer_id, environment, kind, entry, documents as counted, 0 as there
        from sri_counts where kind in (${sql.join(kinds)})
      union all
      select issuer_id, environment, ${kind}, ${entry}, 0, count(*) from sri_documents group by 1, 2, 3, 4) as both_sides
    group by issuer_id, environment, kind, entry having sum(counted) <> sum(there)`;
}

function figures(): RawBuilder<unknown> {
  const columns = sql.raw('issuer_id, environment, issue_date, document_type, status');
  return sql`select issuer_id || ', ' || environment || ', figures of ' || issue_date as object,
      'they count ' || cast(sum(counted) as text) || ' ' || status || ', and ' || cast(sum(there) as text)
        || ' are there, or their sums differ' as explanation
    from (select ${columns}, created_day, documents as counted, 0 as there, total_cents as cents, 0 as cents_there
        from sri_figures
      union all
      select ${columns}, created_at / 86400000, 0, count(*), 0, sum(total_cents)
        from sri_documents group by 1, 2, 3, 4, 5, 6) as both_sides
    group by ${columns}, created_day having sum(counted) <> sum(there) or sum(cents) <> sum(cents_there)`;
}

/** Names count under `fresh` at first and under `name` once they are settled; together they are the documents. */
function names(): RawBuilder<unknown> {
  return sql`select issuer_id || ', ' || environment || ', names' as object,
      'a name counts ' || cast(sum(counted) as text) || ', and ' || cast(sum(there) as text) || ' are there' as explanation
    from (select issuer_id, environment, entry, documents as counted, 0 as there
        from sri_counts where kind in ('name', 'fresh')
      union all
      select issuer_id, environment, buyer_name_folded, 0, count(*) from sri_documents group by 1, 2, 3) as both_sides
    group by issuer_id, environment, entry having sum(counted) <> sum(there)`;
}

/** Beginnings are counted of the names that are settled. */
function initials(): RawBuilder<unknown> {
  return sql`select issuer_id || ', ' || environment || ', beginnings of names' as object,
      'an entry counts ' || cast(sum(counted) as text) || ', and ' || cast(sum(there) as text) || ' are there' as explanation
    from (select issuer_id, environment, entry, documents as counted, 0 as there from sri_counts where kind = 'initial'
      union all
      select issuer_id, environment, substr(entry, 1, ${sql.lit(INITIAL_LENGTH)}), 0, documents
        from sri_counts where kind = 'name') as both_sides
    group by issuer_id, environment, entry having sum(counted) <> sum(there)`;
}

/** How many names are found by their words is counted under the word that none has. */
function namesWithWords(): RawBuilder<unknown> {
  return sql`select issuer_id || ', ' || environment || ', names with words' as object,
      cast(sum(counted) as text) || ' are counted, and ' || cast(sum(there) as text) || ' are there' as explanation
    from (select issuer_id, environment, documents as counted, 0 as there
        from sri_counts where kind = 'names' and entry = ${EVERY_NAME}
      union all
      select issuer_id, environment, 0, count(*) from sri_counts where kind = 'name' and name_id is not null group by 1, 2
    ) as both_sides
    group by issuer_id, environment having sum(counted) <> sum(there)`;
}

/** Letters are counted of the names that are settled, which no SQL takes apart; one scope is held in memory at a time. */
async function findLetterFaults(db: Kysely<CoreTables>, limit: number): Promise<readonly ListFault[]> {
  const faults: ListFault[] = [];
  for (let last = { issuer_id: '', environment: '' }; faults.length < limit; ) {
    const { rows } = await sql<NameScope>`
      select issuer_id, environment from sri_counts where (issuer_id, environment) > (${last.issuer_id}, ${last.environment})
      order by issuer_id, environment limit 1`.execute(db);
    const [scope] = rows;
    if (!scope) break;
    for (const missing of (await countMissingLetters(db, scope)).values()) {
      if (missing === 0) continue;
      const object = `${scope.issuer_id}, ${scope.environment}, letters of names`;
      faults.push({ object, explanation: `an entry counts ${-missing} too many` });
    }
    last = scope;
  }
  return faults.slice(0, limit);
}

/** By letters, how many more documents of a scope have them in their buyers' names than are counted. */
async function countMissingLetters(db: Kysely<CoreTables>, scope: NameScope): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  const add = (letters: string, documents: number) => sums.set(letters, (sums.get(letters) ?? 0) + documents);
  const ofKind = (kind: string) =>
    db
      .selectFrom('sri_counts')
      .select(['entry', 'documents'])
      .where('issuer_id', '=', scope.issuer_id)
      .where('environment', '=', scope.environment)
      .where('kind', '=', kind);
  for (let last: string | null = null; ; ) {
    let names = ofKind('name').orderBy('entry').limit(NAMES_AT_A_TIME);
    if (last !== null) names = names.where('entry', '>', last);
    const rows = await names.execute();
    for (const { entry, documents } of rows) for (const letters of toLetters(entry)) add(letters, documents);
    last = rows.at(-1)?.entry ?? null;
    if (last === null || rows.length < NAMES_AT_A_TIME) break;
  }
  for (const { entry, documents } of await ofKind('letters').execute()) add(entry, -documents);
  return sums;
}

const NAMES_AT_A_TIME = 5000;
