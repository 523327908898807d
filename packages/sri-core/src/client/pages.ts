/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination: { readonly total: number; readonly page: number; readonly limit: number };
}

/**
 * Every item of a list that comes in pages, asked for as they are used: `for await (const item of …)`. What is added
 * meanwhile at the front of the list can make an item come twice.
 */
export async function* itemsOf<Item>(read: (page: number) => Promise<Page<Item>>): AsyncGenerator<Item> {
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await read(page);
    yield* data;
    if (data.length === 0 || page * pagination.limit >= pagination.total) return;
  }
}
