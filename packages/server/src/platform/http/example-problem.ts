import type { Language } from 'sri-core';
import type { ProblemCode } from '../errors/error-catalogue.js';
import { Refusal, ruleFailure } from '../errors/refusal.js';
import { toProblem } from './problem.js';

/** The body of an answer with that code, built by the server's own code. */
export function exampleProblem(
  code: ProblemCode,
  { language, docsUrl }: { readonly language: Language; readonly docsUrl: string },
): Readonly<Record<string, unknown>> {
  const failures = [ruleFailure('items[0].quantity', 'decimal', { decimals: 6 })];
  const refusal = new Refusal(code, { params: SAMPLES, ...(code === 'VALIDATION_FAILED' ? { failures } : {}) });
  const context = { language, instance: '/v1/documents', requestId: 'req_0197f3a0c5d27b1e', docsUrl };
  return toProblem(refusal, context).body;
}

/** Values for the `{name}` placeholders of the texts. */
export const SAMPLES = { quota: 100, scope: 'documents:write', allow: 'GET, POST', limit: 1048576, status: 'SIGNED' };
