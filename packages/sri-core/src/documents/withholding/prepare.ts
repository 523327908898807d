import { type Static, Type } from '@sinclair/typebox';
import { formatMoney, sum } from '../../money.js';
import type { PrepareContext } from '../context.js';
import type { Computed, PreparedBase } from '../document-type.js';
import { optional, patternField } from '../field.js';
import type { Findings } from '../findings.js';
import { inspectHead, prepareHead } from '../parts/common-parts.js';
import { prepareParty } from '../parts/party.js';
import type { PreparedParty } from '../parts/prepared.js';
import { createShape, entriesOf } from '../shape.js';
import { subjectSchema, type WithholdingVersion, withholdingSchema } from './body.js';
import { inspectSupport, type PreparedSupport, prepareSupport, type SupportContext } from './supporting-document.js';

/** A validated withholding receipt (comprobante de retención). */
export interface PreparedWithholding extends PreparedBase {
  readonly documentType: '07';
  readonly version: WithholdingVersion;
  readonly subject: PreparedSubject;
  /** `11/2026` */
  readonly fiscalPeriod: string;
  readonly supportingDocuments: readonly PreparedSupport[];
  /** The amounts withheld, added up; decimal text with two decimals. */
  readonly total: string;
}

/** The subject, as written. */
export interface PreparedSubject extends PreparedParty {
  readonly kind: string | null;
  readonly relatedParty: boolean;
}

/** Validates the well-formed parts of the body of a withholding receipt whose shape is wrong. */
export function inspectWithholding(copy: unknown, context: PrepareContext, findings: Findings): void {
  inspectHead(copy, context, findings);
  const version = (VERSIONED.fits(copy) && copy.version) || '2.0.0';
  checkIssuer(context, version, findings);
  const subject = WITH_SUBJECT.fits(copy) ? prepareSubject(copy.subject, findings) : null;
  const documents = { ...supportContext(context, version), subjectId: subject?.id ?? null };
  entriesOf(copy, 'supportingDocuments').forEach((document, index) => {
    inspectSupport(document, `supportingDocuments[${index}]`, documents, findings);
  });
}

/** Validates the body of a withholding receipt and computes its sums. */
export function prepareWithholding(
  copy: Body,
  context: PrepareContext,
  findings: Findings,
): Computed<PreparedWithholding> {
  const head = prepareHead(copy, context, findings);
  const version = copy.version ?? '2.0.0';
  checkIssuer(context, version, findings);
  const subject = prepareSubject(copy.subject, findings);
  const documents = { ...supportContext(context, version), subjectId: subject.id };
  const supportingDocuments = copy.supportingDocuments.map((document, index) =>
    prepareSupport(document, `supportingDocuments[${index}]`, documents, findings),
  );

  const amounts = supportingDocuments.flatMap(({ withholdings }) => withholdings.map(({ amount }) => amount));
  return {
    ...head,
    version,
    subject,
    fiscalPeriod: copy.fiscalPeriod ?? `${head.issueDate.slice(5, 7)}/${head.issueDate.slice(0, 4)}`,
    supportingDocuments,
    total: formatMoney(sum(amounts)),
  };
}

// --- internal ---

type Body = Static<typeof withholdingSchema>;

const VERSIONED = createShape(Type.Object({ version: withholdingSchema.properties.version }));
const WITH_SUBJECT = createShape(Type.Object({ subject: subjectSchema }));
/** [contribuyenteEspecial] Schema 2.0.0 takes three to five characters, every other schema up to thirteen. */
const LONG_SPECIAL_TAXPAYER = createShape(
  Type.Object({
    specialTaxpayer: patternField({
      pattern: '^[A-Za-z0-9]{6,13}$',
      form: 'XXXXXX',
      description: 'A number too long for schema 2.0.0.',
      example: '123456',
    }),
  }),
);
/** The RUC as the issuer's own check leaves it. */
const WITH_RUC = createShape(
  Type.Object({ ruc: optional(patternField({ pattern: '', form: '', description: 'RUC.', example: '' })) }),
);
const FOREIGN = '08';

function supportContext(context: PrepareContext, version: WithholdingVersion): SupportContext {
  const issuer = WITH_RUC.copy(context.issuer);
  return {
    version,
    issueDate: context.keepIssueDate ?? context.today,
    ruc: WITH_RUC.fits(issuer) ? (issuer.ruc ?? '') : '',
    subjectId: null,
    bases: new Map(),
  };
}

function checkIssuer({ issuer }: PrepareContext, version: WithholdingVersion, findings: Findings): void {
  if (version === '1.0.0' || !LONG_SPECIAL_TAXPAYER.fits(LONG_SPECIAL_TAXPAYER.copy(issuer))) return;
  findings.fail('issuer.specialTaxpayer', 'specialTaxpayerLength', { max: 5 });
}

function prepareSubject(subject: Static<typeof subjectSchema>, findings: Findings): PreparedSubject {
  const party = prepareParty(subject, 'subject', findings);
  const isForeign = subject.idType === FOREIGN;
  if (isForeign && !subject.kind) findings.fail('subject.kind', 'required');
  if (!isForeign && subject.kind) findings.fail('subject.kind', 'foreignSubject');
  if (isForeign && /^([0-9]{10}|[0-9]{13})$/.test(party.id)) {
    // Numbers of other countries have ten digits too, so strict checking does not refuse it.
    findings.warn('subject.id', 'LOCAL_ID_AS_FOREIGN', undefined, 'uncertain');
  }
  return { ...party, kind: subject.kind ?? null, relatedParty: subject.relatedParty ?? false };
}
