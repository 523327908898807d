import { type TSchema, Type } from '@sinclair/typebox';
import { requireIsoDay } from '../calendar.js';
import { LANGUAGES } from '../catalogs/catalog.js';
import { requireChoice, requireFlag, requireOptions } from '../choice.js';
import type { PrepareContext } from './context.js';
import { OWN_RULES } from './describe-rule.js';
import { codeField } from './field.js';
import { createFindings, type Findings } from './findings.js';
import { checkCertificateRuc, checkIssuer } from './issuer-check.js';
import { inspectCommonParts } from './parts/common-parts.js';
import { additionalInfo, buyerSchema, issueDate, itemsWithOptionalSums, itemsWithSums } from './parts/schemas.js';
import { DEFAULT_DOCUMENT_TYPE, DOCUMENT_TYPES, documentTypeOf, type PreparedFor } from './registry.js';
import { createShape, type Shape } from './shape.js';

/**
 * Validates a creation body and computes every sum: everything a document needs except its number.
 *
 * @param body any value; unknown fields are ignored. Its `documentType` selects the body's shape.
 * @throws ValidationError with the failures of the body and the issuer, 50 at most. No other error is thrown, for any
 * `body`. TypeError when `today` has another form than YYYY-MM-DD, for an unknown language, a misspelt option, or a flag
 * that is neither true nor false.
 */
export function prepareDocument<const Body>(body: Body, context: PrepareContext): PreparedFor<Body> {
  requireOptions(CONTEXT, context, 'prepareDocument');
  const { language = 'es' } = context;
  requireIsoDay(context.today, 'today');
  requireFlag(context.strict, 'strict');
  requireFlag(context.requireAmounts, 'requireAmounts');
  requireChoice(LANGUAGES, language, 'language');
  const findings = createFindings({
    language,
    strict: context.strict ?? false,
    ownRules: OWN_RULES,
  });
  if (checkIssuer(context.issuer, findings)) checkCertificateRuc(context, findings);
  const head = HEAD.copy(body);
  if (!HEAD.fits(head)) return refuse(body, context, findings);
  const type = documentTypeOf(head.documentType);
  const shape = shapeOf(context.requireAmounts ? type.body.withSums : type.body.optionalSums);
  const copy = shape.copy(body);
  type.checkFirst?.(copy, context, findings);
  if (!shape.fits(copy)) {
    failShape(shape, copy, findings);
    type.inspect(copy, context, findings);
    checkUnknownFields(shape, body, findings);
    return findings.refuse();
  }
  const computed = type.prepare(copy, context, findings);
  checkUnknownFields(shape, body, findings);
  findings.throwIfFailed();
  return { documentType: type.code, ...computed, warnings: findings.warnings } as PreparedFor<Body>;
}

// --- internal ---

const CONTEXT = [
  'issuer',
  'today',
  'keepIssueDate',
  'certificateRuc',
  'strict',
  'requireAmounts',
  'softwareProviderRuc',
  'language',
] satisfies (keyof PrepareContext)[];

const documentType = codeField({
  codes: DOCUMENT_TYPES.map((code) => ({ code })),
  description: 'The document to create.',
  example: DEFAULT_DOCUMENT_TYPE,
});
const HEAD = createShape(Type.Object({ documentType }));
const shared = { documentType, issueDate, buyer: buyerSchema };
const SHARED = createShape(Type.Object({ ...shared, items: itemsWithOptionalSums, additionalInfo }));
const SHARED_WITH_SUMS = createShape(Type.Object({ ...shared, items: itemsWithSums, additionalInfo }));

const shapes = new Map<TSchema, Shape<TSchema>>();

/** The shape of a schema: one for the process, which compiles it once. */
function shapeOf(schema: TSchema): Shape<TSchema> {
  const shape = shapes.get(schema) ?? createShape(schema);
  shapes.set(schema, shape);
  return shape;
}

function failShape(shape: Shape<TSchema>, copy: unknown, findings: Findings): void {
  for (const { field, fault } of shape.faults(copy)) findings.fail(field, fault.rule, fault.params);
}

/** Warns of unknown fields. Reads no more of them than the report may hold. */
function checkUnknownFields(shape: Shape<TSchema>, body: unknown, findings: Findings): void {
  for (const { field, nearest } of shape.unknown(body)) {
    findings.warn(field, 'UNKNOWN_FIELD', nearest === null ? undefined : { nearest });
    if (findings.isFull) return;
  }
}

/** Without a type the body is invalid, but its common parts are still validated. */
function refuse(body: unknown, context: PrepareContext, findings: Findings): never {
  const shape = context.requireAmounts ? SHARED_WITH_SUMS : SHARED;
  const copy = shape.copy(body);
  failShape(shape, copy, findings);
  inspectCommonParts(copy, context, findings);
  return findings.refuse();
}
