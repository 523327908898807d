/** A step at which a process can die. */
export interface CrashStep {
  readonly name: string;
  readonly at: CrashMoment;
}

/** The moment before or after a statement, or an action of a port of the server. */
export type CrashMoment =
  | {
      readonly moment: 'before' | 'after';
      readonly statement: RegExp;
      /** Only in a transaction that already sent a matching statement. */
      readonly having?: RegExp;
    }
  | { readonly moment: 'port'; readonly port: CrashPort };

/** The actions of ports, in words. */
export type CrashPort =
  | 'a signature was made'
  | 'an answer is about to begin'
  | 'a submission is about to leave'
  | 'a submission has a connection'
  | 'a submission is written'
  | 'a submission is answered'
  | 'a question is about to leave'
  | 'a question is written'
  | 'a question is answered'
  | 'a mail is about to leave'
  | 'a mail is taken'
  | 'a webhook is about to leave'
  | 'a webhook is acknowledged';

/**
 * The header that names the step at which the process dies. A step of the request itself kills it at once; a later step
 * stays armed.
 */
export const CRASH_HEADER = 'x-crash-at';

/**
 * The setting that names a file shared by several processes: only the process that removes the file dies. Without the
 * setting every process dies.
 */
export const CRASH_TOKEN = 'CRASH_TOKEN';

/** The setting with the number of the statement before which a migrating process dies. */
export const CRASH_BEFORE_STATEMENT = 'CRASH_BEFORE_STATEMENT';
