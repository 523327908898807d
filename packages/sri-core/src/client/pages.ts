/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination: { readonly total: number; readonly page: number; readonly limit: number };
}

/**
 * Iterates over a paged list and requests pages on demand: `for await (const item of …)`. An insertion at the front of the
 * list during the iteration can repeat an item. An item that leaves the list makes a later page skip another.
 */
export async function* itemsOf<Item>(read: (page: number) => Promise<Page<Item>>): AsyncGenerator<Item> {
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await read(page);
    yield* data;
    if (data.length === 0 || page * pagination.limit >= pagination.total) return;
  }
}
