import type { SriCheck, SriCheckContext } from '../../documents/document-type.js';
import type { SriMessage } from '../../storage.js';
import { sriMessage } from './sri-message.js';
import type { Submission } from './submission.js';

/** Reception's checks of a document's content: the first fault; null without one. Structure and key must be valid. */
export function findReturn(submission: Submission): SriMessage | null {
  return findFirst(submission, 'returns', WITHOUT_CONTEXT);
}

/** The SRI's checks of a document's content: the first refusal; null without one. */
export function findRefusal(submission: Submission, context: SriCheckContext): SriMessage | null {
  return findFirst(submission, 'refuses', context);
}

/** The warnings of an authorization, in the SRI's order. */
export function findWarnings(submission: Submission, context: SriCheckContext): readonly SriMessage[] {
  return checksOf(submission, 'warns').flatMap((check) =>
    check
      .find(submission.root, context)
      .map((fault) => ({ ...sriMessage(check.code, fault || null), type: 'ADVERTENCIA' })),
  );
}

/** A fault of a document's content other than a wrong sum. */
export interface ContentFault {
  readonly code: string;
  readonly outcome: SriCheck['outcome'];
  /** As the SRI words it; empty where it adds no detail. */
  readonly detail: string;
}

/** Every fault of a document's content other than wrong sums. Structure and key must be valid. */
export function findContentFaults({ root, type }: Submission, context: SriCheckContext): readonly ContentFault[] {
  const checks = type?.sriChecks.filter(({ code }) => code !== SUMS) ?? [];
  return checks.flatMap(({ code, outcome, find }) => find(root, context).map((detail) => ({ code, outcome, detail })));
}

/** Whether the SRI adds up documents of this type. */
export function hasSums({ type }: Submission): boolean {
  return type?.sriChecks.some(({ code }) => code === SUMS) ?? false;
}

/** The differing sums, code 52; with `warns`, the group taxes that may pass. */
export function findSumFaults(submission: Submission, outcome: SriCheck['outcome']): readonly string[] {
  return checksOf(submission, outcome)
    .filter(({ code }) => code === SUMS)
    .flatMap((check) => check.find(submission.root, WITHOUT_CONTEXT));
}

// --- internal ---

const SUMS = '52';
const WITHOUT_CONTEXT: SriCheckContext = { knows: () => true };

function findFirst(submission: Submission, outcome: SriCheck['outcome'], context: SriCheckContext): SriMessage | null {
  for (const check of checksOf(submission, outcome)) {
    const faults = check.find(submission.root, context);
    if (faults.length > 0) return refusal(submission, check, faults);
  }
  return null;
}

function checksOf({ type }: Submission, outcome: SriCheck['outcome']): readonly SriCheck[] {
  return type?.sriChecks.filter((check) => check.outcome === outcome) ?? [];
}

/** Sums are listed under the document's name; every other code has one fault. */
function refusal({ type }: Submission, { code }: SriCheck, faults: readonly string[]): SriMessage {
  if (code !== SUMS) return sriMessage(code, faults[0] || null);
  const list = faults.map((fault) => `\n\t${fault}`).join('');
  return sriMessage(code, `\n\n--- Inventario de errores ---\n\n- ${type?.texts.sriName}:${list}`);
}
