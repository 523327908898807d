import type { NameValue } from './parts/prepared.js';

/** The parts of a RIDE between its head and the additional information. */
export interface RideContent {
  /** Panels and tables, from top to bottom. */
  readonly blocks: readonly (RidePanel | RideTable)[];
  /** The sums at the foot; empty for a document without amounts. */
  readonly sums: readonly RideSum[];
  readonly payments: readonly RidePayment[];
}

/** A framed box of full width: facts in two columns, then facts of full width. */
export interface RidePanel {
  readonly left: readonly RideFact[];
  readonly right: readonly RideFact[];
  readonly below?: readonly RideFact[];
}

/** A label and its value; a null value is left out. */
export type RideFact = readonly [label: string, value: string | null];

/** Lines under headings. */
export interface RideTable {
  readonly columns: readonly RideColumn[];
  readonly rows: readonly RideRow[];
  /** What the rows belong to; at the top of each page on which they continue. */
  readonly about?: string | null;
}

/** A column. An `optional` one is left out when it has no content. */
export interface RideColumn {
  readonly title: string;
  /** The title on narrow paper; by default the same. */
  readonly short?: string;
  readonly align: 'left' | 'right';
  readonly optional?: true;
  /** Minimum and maximum width, in points. The one column without limits takes the rest. */
  readonly limits?: readonly [least: number, most: number];
}

/** A line of a table. */
export interface RideRow {
  /** One text per column, empty where the row has none. */
  readonly cells: readonly string[];
  /** Pairs below the text of the widest column. */
  readonly details: readonly NameValue[];
}

/** One row of the sums. */
export interface RideSum {
  readonly label: string;
  readonly amount: string;
  /** Whether the row is the grand total. */
  readonly strong?: boolean;
}

/** A payment. */
export interface RidePayment {
  readonly method: string;
  readonly total: string;
  readonly term: string | null;
  readonly termUnit: string | null;
}
