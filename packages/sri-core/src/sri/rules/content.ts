import type { SriCheck, SriCheckContext } from '../../documents/document-type.js';
import type { SriMessage } from '../../storage.js';
import { sriMessage } from './sri-message.js';
import type { Submission } from './submission.js';

/** The SRI's checks of a document's content: the first refusal; null without one. */
export function findRefusal(submission: Submission, context: SriCheckContext): SriMessage | null {
  for (const check of checksOf(submission, 'refuses')) {
    const faults = check.find(submission.root, context);
    if (faults.length > 0) return refusal(submission, check, faults);
  }
  return null;
}

/** The warnings of an authorization, in the SRI's order. */
export function findWarnings(submission: Submission, context: SriCheckContext): readonly SriMessage[] {
  return checksOf(submission, 'warns').flatMap((check) =>
    check
      .find(submission.root, context)
      .map((fault) => ({ ...sriMessage(check.code, fault || null), type: 'ADVERTENCIA' })),
  );
}

/** The differing sums, code 52; with `warns`, the group taxes that may pass. */
export function findSumFaults(submission: Submission, outcome: SriCheck['outcome']): readonly string[] {
  return checksOf(submission, outcome)
    .filter(({ code }) => code === SUMS)
    .flatMap((check) => check.find(submission.root, { knows: () => true }));
}

// --- internal ---

const SUMS = '52';

function checksOf({ type }: Submission, outcome: SriCheck['outcome']): readonly SriCheck[] {
  return type?.sriChecks.filter((check) => check.outcome === outcome) ?? [];
}

/** Sums are listed under the document's name; every other code has one fault. */
function refusal({ type }: Submission, { code }: SriCheck, faults: readonly string[]): SriMessage {
  if (code !== SUMS) return sriMessage(code, faults[0] || null);
  const list = faults.map((fault) => `\n\t${fault}`).join('');
  return sriMessage(code, `\n\n--- Inventario de errores ---\n\n- ${type?.texts.sriName}:${list}`);
}
