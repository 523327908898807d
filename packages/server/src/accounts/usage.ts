/** A period in which documents are counted: its first instant, and the first of the next. */
export interface QuotaPeriod {
  readonly start: Date;
  readonly end: Date;
  /** What its count is stored under. */
  readonly name: string;
  /** How many months' documents may be created in it. */
  readonly months: number;
}

/** How much of its quota an account has used, and what it bought besides. */
export interface CurrentUsage {
  /** Documents created in its environment and current period. */
  readonly documentCount: number;
  readonly documentQuota: number;
  readonly period: QuotaPeriod;
  /** Seats in the web application beyond the plan's. */
  readonly extraSeats: number;
  /** How many they will be when the period ends; null when that is not to change. */
  readonly pendingExtraSeats: number | null;
}
