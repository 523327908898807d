// Times are epoch milliseconds, booleans 0 or 1, structured values JSON text: the same on every database.

/** Subscriptions of accounts. At most one of an account is active or waits for its first payment. */
export interface SubscriptionsTable {
  id: string;
  tenant_id: string;
  tier: string;
  billing_interval: string;
  status: string;
  anchor: number | null;
  current_period_start: number | null;
  current_period_end: number | null;
  pending_tier: string | null;
  pending_billing_interval: string | null;
  pending_extra_seats: number | null;
  pending_at: number | null;
  pending_is_paid: number;
  extra_seats: number;
  warned_for: number | null;
  /** When time alone changes it next; null for never. */
  next_step_at: number | null;
  created_at: number;
  updated_at: number;
  canceled_at: number | null;
}

/** Bank transfers that are due, on their way or done. Amounts are exact decimal text in dollars. */
export interface PaymentsTable {
  id: string;
  tenant_id: string;
  subscription_id: string;
  purpose: string;
  status: string;
  payment_code: string;
  amount: string;
  iva_rate: string;
  iva_amount: string;
  total_amount: string;
  target_tier: string;
  target_billing_interval: string;
  target_extra_seats: number;
  rejection_reason: string | null;
  due_at: number;
  reported_at: number | null;
  verified_at: number | null;
  /** The paid period; null until it is applied. */
  period_start: number | null;
  period_end: number | null;
  created_at: number;
  updated_at: number;
  /** JSON of the state before it was applied; null until then. */
  state_before: string | null;
}

/** Files that prove a transfer. A file that was taken back stays, inactive, for the operator. */
export interface PaymentProofsTable {
  id: string;
  tenant_id: string;
  payment_id: string;
  filename: string;
  mime_type: string;
  reference_number: string;
  size_bytes: number;
  /** Of the file, lower-case hex. */
  sha256: string;
  /** The file, base64. */
  content: string;
  active: number;
  created_at: number;
}

/** Prices with the day from which they apply, as exact decimal text. */
export interface PublishedPricesTable {
  id: string;
  tier: string;
  billing_interval: string;
  previous_price_usd: string;
  new_price_usd: string;
  effective_at: number;
  published_at: number;
  /** Null for a price that holds, or will hold. */
  withdrawn_at: number | null;
}

/** The accounts notified of each price. */
export interface PriceAnnouncementsTable {
  price_id: string;
  tenant_id: string;
  announced_at: number;
  /** When the account was notified of the withdrawal of the price; null until then. */
  withdrawal_notified_at: number | null;
}

/** The operator's own invoices for payments. */
export interface InvoiceLinksTable {
  payment_id: string;
  subscription_id: string;
  tenant_id: string;
  access_key: string;
  linked_at: number;
}

declare module '../platform/database/tables.js' {
  interface ServerTables {
    subscriptions: SubscriptionsTable;
    payments: PaymentsTable;
    payment_proofs: PaymentProofsTable;
    published_prices: PublishedPricesTable;
    price_announcements: PriceAnnouncementsTable;
    invoice_links: InvoiceLinksTable;
  }
}
