/** How full a bounded queue or cache of this process is, and the most it holds. */
export interface Occupancy {
  readonly used: number;
  readonly limit: number;
}

/** Bounded queues and caches by name. */
export type Occupancies = Readonly<Record<string, () => Occupancy>>;
