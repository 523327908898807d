import type { OpenedDatabase } from '../../open-database.js';
import { parseMail } from '../parse-mail.js';
import type { SmtpSink } from '../smtp-sink.js';
import type { CountingSri } from './counting-sri.js';
import type { FaultCount } from './fault.js';

/** The background work of a server, each kind under its own lease. */
export type JobKind = 'document' | 'webhook' | 'mail';

/** The state of a document and of everything that depends on it. */
export interface DocumentFate {
  readonly status: string;
  /** Pending work. None means done: decided, mailed, and delivered to every endpoint. */
  readonly waiting: ReadonlySet<JobKind>;
  /** Moves to AUTHORIZED in its history. */
  readonly authorizations: number;
  /** Records of submissions. */
  readonly receptions: number;
  readonly accessKeys: number;
}

/** Reads it. */
export function readFate({ database }: OpenedDatabase, accessKey: string): Promise<DocumentFate> {
  return database.read(async (tables) => {
    const document = await tables
      .selectFrom('sri_documents')
      .select(['id', 'status'])
      .where('access_key', '=', accessKey)
      .executeTakeFirstOrThrow();
    const ofDocument = (table: 'sri_events' | 'sri_responses' | 'sri_access_keys') =>
      tables
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number | string>().as('rows'))
        .where('document_id', '=', document.id);
    const [authorizations, receptions, accessKeys] = await Promise.all([
      ofDocument('sri_events').where('to_status', '=', 'AUTHORIZED').executeTakeFirstOrThrow(),
      ofDocument('sri_responses').where('operation_type', '=', 'RECEPTION').executeTakeFirstOrThrow(),
      ofDocument('sri_access_keys').executeTakeFirstOrThrow(),
    ]);
    const [mails, deliveries, jobs] = await Promise.all([
      tables
        .selectFrom('jobs')
        .select('id')
        .where('status', '=', 'PENDING')
        .where('authorization_of', '=', document.id)
        .execute(),
      tables.selectFrom('jobs').select('id').where('kind', '=', 'WEBHOOK').where('status', '=', 'PENDING').execute(),
      tables.selectFrom('sri_jobs').select('document_id as id').where('document_id', '=', document.id).execute(),
    ]);
    const isDecided = document.status === 'AUTHORIZED' && jobs.length === 0;
    const kinds = [!isDecided && 'document', deliveries.length > 0 && 'webhook', mails.length > 0 && 'mail'] as const;
    return {
      status: document.status,
      // The consequences of the decision cannot exist before it.
      waiting: new Set(isDecided ? kinds.filter((kind) => kind !== false) : ['document', 'webhook', 'mail']),
      authorizations: Number(authorizations.rows),
      receptions: Number(receptions.rows),
      accessKeys: Number(accessKeys.rows),
    };
  });
}

/** The damage of a crash to one document: promised effects that are missing or duplicated. */
export function judgeFate(
  fate: DocumentFate,
  { accessKey, sri, mails }: { readonly accessKey: string; readonly sri: CountingSri; readonly mails: MailTrace },
): Pick<FaultCount, 'lost' | 'duplicated'> & { readonly why: string } {
  const { times, files } = sri.submissionsOf(accessKey);
  const lost = [
    times < 1 && 'it was never submitted',
    fate.authorizations < 1 && 'no authorization in its history',
    // The answer of one submission may be lost with its process, which then asks for the outcome.
    fate.receptions < times - 1 && `${fate.receptions} records of ${times} submissions`,
    mails.sent < 1 && 'no mail',
  ];
  const duplicated = [
    times > 2 && `submitted ${times} times`,
    files > 1 && `${files} different files under one key`,
    fate.accessKeys > 1 && `${fate.accessKeys} access keys`,
    fate.authorizations > 1 && `authorized ${fate.authorizations} times`,
    fate.receptions > times && `${fate.receptions} records of ${times} submissions`,
    mails.ids > 1 && `${mails.ids} different mails`,
  ];
  const why = [...lost, ...duplicated].filter((reason) => reason !== false).join(', ');
  return { lost: lost.some(Boolean) ? 1 : 0, duplicated: duplicated.some(Boolean) ? 1 : 0, why };
}

/** The mails to an address: their number, and the number of their Message-IDs. */
export interface MailTrace {
  readonly sent: number;
  readonly ids: number;
}

/** Counts the mails that a mail server received for an address. */
export function traceMails({ mails }: SmtpSink, address: string): MailTrace {
  const found = mails.filter(({ recipients }) => recipients.some((recipient) => recipient.includes(`<${address}>`)));
  return {
    sent: found.length,
    ids: new Set(found.map(({ content }) => parseMail(content).headers.get('message-id'))).size,
  };
}
