import type { Task } from '../platform/jobs/loop.js';
import { generateDueAgreements } from './generate-agreements.js';
import type { AgreementParts } from './publish-agreements.js';

/** Gives new accounts their copies of the agreements, and all accounts those of a version that was published. */
export function agreementsTask(parts: AgreementParts): Task {
  return { name: 'agreements', intervalMs: 15_000, run: (signal) => generateDueAgreements(parts, signal) };
}
