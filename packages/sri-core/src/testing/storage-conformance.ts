import type { ConformanceCase } from './conformance/case.js';
import { changing } from './conformance/changing.js';
import { claiming } from './conformance/claiming.js';
import { creating } from './conformance/creating.js';
import { crediting } from './conformance/crediting.js';
import { failing } from './conformance/failing.js';
import { figures } from './conformance/figures.js';
import { hosts } from './conformance/hosts.js';
import { listing } from './conformance/listing.js';
import { numbering } from './conformance/numbering.js';
import { paging } from './conformance/paging.js';

export type { ConformanceCase } from './conformance/case.js';

/**
 * The conformance cases of every storage, one per promise of the port. They need no test runner:
 *
 * ```ts
 * for (const { name, run } of storageConformance) it(name, () => run(openMyStorage));
 * ```
 *
 * The data must be empty at the start of each case, because jobs are claimed across all issuers. A case may open several
 * storages, like several processes: each has to have the same data.
 */
export const storageConformance: readonly ConformanceCase[] = [
  ...numbering,
  ...creating,
  ...changing,
  ...claiming,
  ...hosts,
  ...failing,
  ...crediting,
  ...listing,
  ...paging,
  ...figures,
];
