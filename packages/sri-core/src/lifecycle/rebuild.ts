import { parseAccessKey } from '../access-key.js';
import { ecuadorDate, toIssueDate } from '../calendar.js';
import type { Language } from '../catalogs/catalog.js';
import { requireFlag, requireOptions } from '../choice.js';
import { createFailure } from '../documents/messages.js';
import { prepareDocument } from '../documents/prepare.js';
import type { DocumentBody } from '../documents/registry.js';
import { documentTypeOf, type PreparedDocument } from '../documents/registry.js';
import type { Numbering } from '../documents/write-comprobante.js';
import { InvalidTransitionError, SequentialExhaustedError, ValidationError } from '../errors.js';
import { randomDigits } from '../random.js';
import { LAST_SEQUENTIAL } from '../sequential.js';
import type { Scope, StoredDocument } from '../storage.js';
import { type ChangeDecision, changeDocument } from './change.js';
import { type LifecycleContext, requireIssuer } from './context.js';
import { movedEvent } from './history.js';
import { type Created, mailOf } from './issue.js';
import type { EngineIssuer } from './issuer-source.js';
import { jsonPayload } from './json-payload.js';
import { requireUnpaused, signComprobante } from './signed-comprobante.js';
import { type DocumentStatus, nextStatus } from './status.js';

/** The options of a correction. */
export interface RebuildOptions {
  /** A whole creation body of the same type; absent, the stored payload is signed again with today's issuer data. */
  readonly body?: DocumentBody;
  /** Uses today as issue date, which makes a new access key. */
  readonly redate?: boolean;
  /** Uses the next number, which makes a new access key. Only from RETURNED. */
  readonly resequence?: boolean;
}

/**
 * Signs a corrected document. It keeps the access key, as the SRI asks, unless a new date or number is requested. Old access
 * keys still find the document.
 *
 * @throws DocumentNotFoundError, InvalidTransitionError, IssuerPausedError, SequentialExhaustedError, ValidationError and
 * what signing throws; TypeError for an unknown option.
 */
export async function rebuildDocument(
  context: LifecycleContext,
  scope: Scope,
  accessKey: string,
  options: RebuildOptions,
): Promise<Created> {
  // A body in place of the options would be ignored, and the stored one signed again.
  requireOptions(OPTIONS, options, 'rebuild');
  requireFlag(options.redate, 'redate');
  requireFlag(options.resequence, 'resequence');
  const issuer = await requireIssuer(context, scope.issuerId);
  let warnings: PreparedDocument['warnings'] = [];
  const document = await changeDocument(context, scope, accessKey, async (current, now) => {
    // As in every operation with a body, its failures come first.
    if (options.body === undefined) requireRebuildable(current, issuer, options);
    const contents = await context.storage.readContents(current, current.accessKey);
    const payload = options.body === undefined ? contents?.requestPayload : options.body;
    const prepared = prepareDocument(undated(payload, current, options), {
      issuer,
      today: ecuadorDate(now),
      ...(options.redate ? {} : { keepIssueDate: current.issueDate }),
      strict: context.strict,
      language: context.language,
      requireAmounts: context.requireAmounts,
      ...(context.softwareProviderRuc ? { softwareProviderRuc: context.softwareProviderRuc } : {}),
    });
    if (prepared.documentType !== current.documentType) throw otherType(current, context.language);
    const status = requireRebuildable(current, issuer, options);
    const requestPayload = options.body === undefined ? undefined : jsonPayload(options.body, context.language).payload;
    warnings = prepared.warnings;
    const summary = documentTypeOf(prepared.documentType).summary(prepared);

    const under = async (sequential: number): Promise<ChangeDecision> => {
      if (sequential > LAST_SEQUENTIAL) throw new SequentialExhaustedError('The counter has no number left.');
      const signed = await signComprobante(context, issuer, prepared, {
        ...numbering(context, current, options),
        sequential,
      });
      return {
        set: {
          status,
          accessKey: signed.accessKey,
          sequential,
          issueDate: prepared.issueDate,
          ...summary,
          mail: mailOf(summary),
        },
        contents: {
          signedXml: signed.signedXml,
          authorizedXml: null,
          ...(requestPayload === undefined ? {} : { requestPayload }),
        },
        events: [movedEvent(now, { from: current.status, to: status, eventType: 'REBUILT' })],
        job: null,
      };
    };
    if (!options.resequence) return under(current.sequential);
    return { counter: { ...scope, documentType: current.documentType }, under };
  });
  return { document, warnings, replayed: false };
}

// --- internal ---

const OPTIONS = ['body', 'redate', 'resequence'] satisfies (keyof RebuildOptions)[];

/** The status after the rebuild. @throws InvalidTransitionError, IssuerPausedError */
function requireRebuildable(current: StoredDocument, issuer: EngineIssuer, options: RebuildOptions): DocumentStatus {
  const status = nextStatus(current.status, 'rebuild');
  if (!status) throw new InvalidTransitionError('be rebuilt', current.status);
  if (options.resequence && current.status !== 'RETURNED') {
    throw new InvalidTransitionError('take another number', current.status);
  }
  requireUnpaused(issuer);
  return status;
}

/** A new key gets new random digits; the same key keeps its digits. */
function numbering(
  context: LifecycleContext,
  current: StoredDocument,
  options: RebuildOptions,
): Omit<Numbering, 'sequential'> {
  const newKey = options.redate || options.resequence;
  return {
    environment: current.environment,
    numericCode: newKey ? randomDigits(context.random, 8) : parseAccessKey(current.accessKey).numericCode,
  };
}

/**
 * A payload without a date that the document had. The stored payload names such a date, if any: an earlier rebuild may have
 * given the document another one.
 */
function undated(payload: unknown, { issueDate: oldDate }: StoredDocument, { body, redate }: RebuildOptions): unknown {
  if (payload === null || typeof payload !== 'object' || !('issueDate' in payload)) return payload;
  const { issueDate, ...rest } = payload;
  return body === undefined || (redate && issueDate === toIssueDate(oldDate)) ? rest : payload;
}

function otherType({ documentType }: StoredDocument, language: Language): ValidationError {
  return new ValidationError([createFailure('documentType', 'sameType', { documentType }, language)], language);
}
