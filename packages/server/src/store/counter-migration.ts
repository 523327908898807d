import { sql } from 'kysely';
import type { DialectTraits, Migration } from 'sri-storage-adapters';

/**
 * Where counters were moved to, so that a gap that somebody made can be told from one that nobody did. The gaps there are
 * count as made: until now nobody wrote them down.
 */
export const counterMoves: Migration = {
  name: '015-counter-moves',
  async up(transaction, { columns: { text, integer, bigint }, keyedTable }: DialectTraits) {
    const statements = [
      sql`create table counter_moves (
        issuer_id ${text} not null,
        environment ${text} not null,
        document_type ${text} not null,
        next_sequential ${integer} not null,
        moved_at ${bigint} not null,
        primary key (issuer_id, environment, document_type, next_sequential)
      ) ${keyedTable}`,
      sql`insert into counter_moves (issuer_id, environment, document_type, next_sequential, moved_at)
        select distinct issuer_id, environment, document_type, number, ${sql.lit(Date.now())}
        from (select issuer_id, environment, document_type, number,
            coalesce(lag(number) over (partition by issuer_id, environment, document_type order by number), 0) as prior
          from (select issuer_id, environment, document_type, sequential as number from sri_documents
            union all
            select issuer_id, environment, document_type, next_sequential from sri_sequentials) as given) as steps
        where number - prior > 1`,
    ];
    for (const statement of statements) await statement.execute(transaction);
  },
};
