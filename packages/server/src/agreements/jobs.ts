import type { Logger } from 'sri-core';
import type { Task } from '../platform/jobs/loop.js';
import { generateDueAgreements } from './generate-agreements.js';
import type { AgreementDeps } from './publish-agreements.js';

/** Creates the copies of new accounts, and of all accounts after a publication. */
export function agreementsTask(parts: AgreementDeps, logger: Logger): Task {
  return { name: 'agreements', intervalMs: 15_000, run: (signal) => generateDueAgreements(parts, logger, signal) };
}
