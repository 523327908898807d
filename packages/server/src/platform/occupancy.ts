/** How full a bounded queue, buffer or cache of this process is. */
export interface Occupancy {
  readonly used: number;
  readonly limit: number;
}

/** Bounded queues, buffers and caches by name. */
export type Occupancies = Readonly<Record<string, () => Occupancy>>;
