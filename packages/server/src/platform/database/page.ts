import type { SelectQueryBuilder } from 'kysely';

/** A page of a list: its number from 1, and its most rows. */
export interface WantedPage {
  readonly page: number;
  readonly limit: number;
}

/** One page of an ordered query, and the total of its rows. */
export async function readPage<Database, From extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, From, Row>,
  { page, limit }: WantedPage,
): Promise<{ readonly rows: readonly Row[]; readonly total: number }> {
  const { total } = await query
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .$castTo<{ readonly total: number | string }>()
    .executeTakeFirstOrThrow();
  const rows = await query
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { rows, total: Number(total) };
}
