import type { CrashStep } from './crash-step.js';

/** A moment of a create. */
export interface CreateStep extends CrashStep {
  /** Whether the document exists by then. */
  readonly committed: boolean;
}

const COUNTER_READ = /^select "issuer_id", .* from "sri_sequentials"/;

/** The steps of a create from the first to the last. */
export const CREATE_STEPS: readonly CreateStep[] = [
  {
    name: 'create: its key was looked for',
    at: { moment: 'after', statement: /^select .*"idempotency_key" = / },
    committed: false,
  },
  {
    name: 'create: its number was read',
    at: { moment: 'after', statement: COUNTER_READ },
    committed: false,
  },
  { name: 'create: it was signed', at: { moment: 'port', port: 'a signature was made' }, committed: false },
  { name: 'create: before its transaction', at: { moment: 'before', statement: /^begin/ }, committed: false },
  { name: 'create: its transaction began', at: { moment: 'after', statement: /^begin/ }, committed: false },
  ...(
    [
      // A database that writes several tables in one statement combines this step with the next four.
      ['its counter', /update sri_sequentials/],
      ['its document', /insert into "?sri_documents"?/],
      ['its access key', /insert into "?sri_access_keys"?/],
      ['its contents', /insert into "?sri_contents"?/],
      ['its event', /insert into "?sri_events"?/],
      ['the count of the account', /insert into "?document_usage"?/],
      // Such a database also combines these three.
      ['the figures', /insert into "?sri_figures"?/],
      ['the names of lists', /insert into "?sri_names"?/],
      ['the blocks of lists', /insert into "?sri_blocks"?/],
    ] as const
  ).map(
    ([what, statement]): CreateStep => ({
      name: `create: ${what} written`,
      at: { moment: 'after', statement },
      committed: false,
    }),
  ),
  { name: 'create: before its commit', at: { moment: 'before', statement: /^commit/ }, committed: false },
  { name: 'create: its commit', at: { moment: 'after', statement: /^commit/ }, committed: true },
  { name: 'create: before its answer', at: { moment: 'port', port: 'an answer is about to begin' }, committed: true },
];
