import type { Task } from '../jobs/loop.js';
import { SHARE_MS } from './frequent-limits.js';
import type { Limits } from './limits.js';

/** Tells other processes of uses that count against limits they share. */
export function limitsTask(limits: Limits): Task {
  return { name: 'limits', intervalMs: SHARE_MS, run: () => limits.tell() };
}
