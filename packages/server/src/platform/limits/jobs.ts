import type { Task } from '../jobs/loop.js';
import { SHARE_MS } from './frequent-limits.js';
import type { Limits } from './limits.js';

/** Reports uses of shared limits to other processes. */
export function limitsTask(limits: Limits): Task {
  return { name: 'limits', intervalMs: SHARE_MS, run: () => limits.share() };
}
