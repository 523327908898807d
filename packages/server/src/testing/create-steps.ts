/** A moment of a create at which a process may be gone. */
export interface CreateStep {
  readonly name: string;
  /** Just before or just after the statement that matches; or something that is no statement. */
  readonly at:
    | { readonly moment: 'before' | 'after'; readonly statement: RegExp }
    | { readonly moment: 'signed' | 'answering' };
  /** Whether the document exists by then. */
  readonly committed: boolean;
}

/** The steps of a create from the first to the last. */
export const CREATE_STEPS: readonly CreateStep[] = [
  {
    name: 'after its key was looked for',
    at: { moment: 'after', statement: /^select .*"idempotency_key" = / },
    committed: false,
  },
  {
    name: 'after its number was read',
    at: { moment: 'after', statement: /^select "next_sequential" from "sri_sequentials"/ },
    committed: false,
  },
  { name: 'after it was signed', at: { moment: 'signed' }, committed: false },
  { name: 'before its transaction', at: { moment: 'before', statement: /^begin/ }, committed: false },
  { name: 'after its transaction began', at: { moment: 'after', statement: /^begin/ }, committed: false },
  ...(
    [
      ['its counter', /^update "sri_sequentials"/],
      ['its document', /insert into "?sri_documents"?/],
      ['its access key', /insert into "?sri_access_keys"?/],
      // Where the database can write to several tables in one statement, these two are one step.
      ['its contents', /insert into "?sri_contents"?/],
      ['its event', /insert into "?sri_events"?/],
      ['the count of the account', /insert into "?document_usage"?/],
      ['the figures', /insert into "?sri_figures"?/],
      ['the counts of lists', /insert into "?sri_counts"?/],
    ] as const
  ).map(
    ([what, statement]): CreateStep => ({
      name: `after writing ${what}`,
      at: { moment: 'after', statement },
      committed: false,
    }),
  ),
  { name: 'before its commit', at: { moment: 'before', statement: /^commit/ }, committed: false },
  { name: 'after its commit', at: { moment: 'after', statement: /^commit/ }, committed: true },
  { name: 'before its answer', at: { moment: 'answering' }, committed: true },
];

/** Names the step in a request that is to go no further than that. */
export const CRASH_HEADER = 'x-crash-at';
