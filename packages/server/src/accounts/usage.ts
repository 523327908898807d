/** A period in which documents are counted: its first instant, and the first of the next. */
export interface QuotaPeriod {
  readonly start: Date;
  readonly end: Date;
  /** The name under which its count is stored. */
  readonly name: string;
  /** The number of months whose documents it may hold. */
  readonly months: number;
}

/** The used part of an account's quota, and its purchased extras. */
export interface CurrentUsage {
  /** Documents created in its environment and current period. */
  readonly documentCount: number;
  readonly documentQuota: number;
  readonly period: QuotaPeriod;
  /** Seats in the web application beyond the plan's. */
  readonly extraSeats: number;
  /** Extra seats after the end of the period; null when no change is pending. */
  readonly pendingExtraSeats: number | null;
}
