import { expect } from 'vitest';
import type { PrepareContext } from '../documents/context.js';
import { prepareDocument } from '../documents/prepare.js';
import { writeComprobante } from '../documents/write-comprobante.js';
import { ValidationError } from '../errors.js';
import { readSubmissionText, type Submission } from '../sri/rules/submission.js';
import { SAMPLE_ISSUER } from './sample-bodies.js';

/** The issuer and the day of a body under test. */
export const CONTEXT = { issuer: SAMPLE_ISSUER, today: '2026-11-21' } satisfies PrepareContext;

/** The number of a document under test. */
export const NUMBERING = { environment: 'production', sequential: 7, numericCode: '12345678' } as const;

/** The XML of a body. */
export function write(body: unknown): string {
  return writeComprobante(prepareDocument(body, CONTEXT), SAMPLE_ISSUER, NUMBERING).xml;
}

/** `field rule` of each failure, in order. */
export function failuresOf(body: unknown, context: Partial<PrepareContext> = {}): readonly string[] {
  return failuresIn(() => prepareDocument(body, { ...CONTEXT, ...context }));
}

/** As `failuresOf`, of any validation. */
export function failuresIn(validate: () => unknown): readonly string[] {
  try {
    validate();
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.failures.map(({ field, rule }) => `${field} ${rule}`);
    throw error;
  }
}

/** An XML as the SRI's checks take it. */
export function submissionOf(xml: string): Submission {
  const read = readSubmissionText(xml);
  return 'root' in read ? read : expect.fail(read.message);
}

/** The code, field and expected value of each warning, in order. */
export function warningsOf(body: unknown) {
  return prepareDocument(body, CONTEXT).warnings.map(({ code, field, params }) => [code, field, params?.['expected']]);
}
