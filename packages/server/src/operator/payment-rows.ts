import {
  type Payment,
  type PaymentStatus,
  PROOF_COLUMNS,
  type StoredProof,
  selectPayments,
  toPayment,
  toProof,
} from '../billing/index.js';
import { readPage, type WantedPage } from '../platform/database/page.js';
import type { Tables } from '../platform/database/tables.js';

// The operator sees every account, so no query here is scoped by account.

/** A payment with its account. */
export interface OwnedPayment extends Payment {
  readonly tenantId: string;
  readonly email: string;
  readonly ruc: string;
}

/** The filter of payments; null for any. */
export interface PaymentFilter extends WantedPage {
  readonly status: PaymentStatus | null;
  readonly tenantId: string | null;
}

/** One page of payments, and the total. */
export interface PaymentPage {
  readonly payments: readonly OwnedPayment[];
  readonly total: number;
}

/** One page of payments, longest waiting first. */
export async function listPayments(
  tables: Tables,
  { status, tenantId, ...wanted }: PaymentFilter,
): Promise<PaymentPage> {
  let query = tables.selectFrom('payments').select('id').orderBy('created_at').orderBy('id');
  if (status !== null) query = query.where('status', '=', status);
  if (tenantId !== null) query = query.where('tenant_id', '=', tenantId);
  return readPayments(tables, await readPage(query, wanted));
}

/** Verified payments without an invoice, oldest first. */
export async function listUninvoicedPayments(tables: Tables, wanted: WantedPage): Promise<PaymentPage> {
  const query = tables
    .selectFrom('payments')
    .select('id')
    .where('status', '=', 'VERIFIED')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('invoice_links').select('payment_id').whereRef('payment_id', '=', 'payments.id'))),
    )
    .orderBy('verified_at')
    .orderBy('id');
  return readPayments(tables, await readPage(query, wanted));
}

/** A payment of any account, or null. */
export async function findPayment(tables: Tables, id: string): Promise<OwnedPayment | null> {
  const row = await owned(tables).where('payments.id', '=', id).executeTakeFirst();
  return row ? toOwned(row) : null;
}

/** The account of a subscription, or null. */
export async function findSubscriptionOwner(tables: Tables, subscriptionId: string): Promise<string | null> {
  const row = await tables
    .selectFrom('subscriptions')
    .select('tenant_id')
    .where('id', '=', subscriptionId)
    .executeTakeFirst();
  return row?.tenant_id ?? null;
}

/**
 * The verified payment of a subscription that gets an invoice, or null. It has none yet.
 *
 * @param invoice.paymentId null for the longest waiting payment. An invoice that is linked does not get the next one.
 */
export async function findUninvoicedPayment(
  tables: Tables,
  subscriptionId: string,
  { accessKey, paymentId }: { readonly accessKey: string; readonly paymentId: string | null },
): Promise<string | null> {
  let query = tables
    .selectFrom('payments')
    .leftJoin('invoice_links', 'invoice_links.payment_id', 'payments.id')
    .select('payments.id')
    .where('payments.subscription_id', '=', subscriptionId)
    .where('payments.status', '=', 'VERIFIED')
    .where('invoice_links.payment_id', 'is', null);
  query =
    paymentId === null
      ? query.where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('invoice_links').select('access_key').where('access_key', '=', accessKey))),
        )
      : query.where('payments.id', '=', paymentId);
  const row = await query.orderBy('payments.verified_at').orderBy('payments.id').limit(1).executeTakeFirst();
  return row?.id ?? null;
}

/** The operator's invoice for a payment. */
export interface InvoiceLink {
  readonly paymentId: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly accessKey: string;
  readonly linkedAt: Date;
}

/** Stores the invoice of a payment that has none. */
export async function insertInvoiceLink(tables: Tables, link: InvoiceLink): Promise<void> {
  await tables
    .insertInto('invoice_links')
    .values({
      payment_id: link.paymentId,
      subscription_id: link.subscriptionId,
      tenant_id: link.tenantId,
      access_key: link.accessKey,
      linked_at: link.linkedAt.getTime(),
    })
    .execute();
}

/** All proofs of a payment, including those taken back, oldest first. */
export async function listKeptProofs(tables: Tables, paymentId: string): Promise<readonly StoredProof[]> {
  const rows = await tables
    .selectFrom('payment_proofs')
    .select(PROOF_COLUMNS)
    .where('payment_id', '=', paymentId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toProof);
}

/** A proof with its file, or null. */
export async function readKeptProof(
  tables: Tables,
  paymentId: string,
  id: string,
): Promise<(StoredProof & { readonly bytes: Uint8Array }) | null> {
  const row = await tables
    .selectFrom('payment_proofs')
    .select([...PROOF_COLUMNS, 'content'])
    .where('payment_id', '=', paymentId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? { ...toProof(row), bytes: Buffer.from(row.content, 'base64') } : null;
}

// --- internal ---

function owned(tables: Tables) {
  return selectPayments(tables)
    .innerJoin('tenants', 'tenants.id', 'payments.tenant_id')
    .select(['tenants.email', 'tenants.ruc']);
}

type OwnedRow = Awaited<ReturnType<ReturnType<typeof owned>['execute']>>[number];

/** The payments of a page. Accounts and invoices are read for these alone. */
async function readPayments(
  tables: Tables,
  { rows, total }: { readonly rows: readonly { readonly id: string }[]; readonly total: number },
): Promise<PaymentPage> {
  if (rows.length === 0) return { payments: [], total };
  const ids = rows.map(({ id }) => id);
  const found = await owned(tables).where('payments.id', 'in', ids).execute();
  const byId = new Map(found.map((row) => [row.id, toOwned(row)]));
  return { payments: ids.flatMap((id) => byId.get(id) ?? []), total };
}

function toOwned(row: OwnedRow): OwnedPayment {
  return { ...toPayment(row), tenantId: row.tenant_id, email: row.email, ruc: row.ruc.slice(0, 13) };
}
