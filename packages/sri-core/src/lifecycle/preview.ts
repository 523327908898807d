import { type IsoDate, requireIsoDay } from '../calendar.js';
import { requireOptions } from '../choice.js';
import type { DocumentSummary } from '../documents/document-type.js';
import type { Warning } from '../documents/messages.js';
import { readComprobante } from '../documents/read-comprobante.js';
import { type DocumentTypeCode, documentTypeOf } from '../documents/registry.js';
import type { RideSum } from '../documents/ride-content.js';
import type { RideInput } from '../ride/pdf.js';
import type { Scope } from '../storage.js';
import type { LifecycleContext } from './context.js';
import { prepareFor } from './issue.js';
import type { EngineIssuer } from './issuer-source.js';
import { previewComprobante, requireMayIssue } from './signed-comprobante.js';

/** The options of a preview. */
export interface PreviewOptions {
  /** Whether to print the RIDE too. Default false. */
  readonly ride?: boolean;
  /** The day of issue: that of a document which keeps it when it is rebuilt. Default today. */
  readonly day?: IsoDate | undefined;
  /** The issuer of the scope, when the caller has just read it; otherwise it is looked up. */
  readonly issuer?: EngineIssuer;
}

/** A document as it would be created now. It has no number, and nothing of it is stored. */
export interface Preview {
  readonly document: PreviewedDocument;
  readonly warnings: readonly Warning[];
  /** The comprobante, unsigned. Its secuencial is 000000000, and its access key has zeros there. */
  readonly xml: string;
  /** The RIDE as PDF, marked as a preview without validity; null unless it was asked for. */
  readonly ridePdf: Uint8Array<ArrayBuffer> | null;
}

/** The facts of a previewed document: the fields of a list, and its sums. */
export interface PreviewedDocument extends DocumentSummary {
  readonly documentType: DocumentTypeCode;
  readonly issueDate: IsoDate;
  /** The rows at the foot of its RIDE, in the SRI's words; empty for a document without amounts. */
  readonly sums: readonly RideSum[];
}

/**
 * Validates and writes a document as a create would, without number, signature or trace.
 *
 * @throws what a create throws before it takes a number, and what signing throws; TypeError for an unknown option.
 */
export async function previewDocument(
  context: LifecycleContext,
  scope: Scope,
  body: unknown,
  { print, ...options }: PreviewOptions & { readonly print: (input: RideInput) => Promise<Uint8Array<ArrayBuffer>> },
): Promise<Preview> {
  requireOptions(['ride', 'day', 'issuer'], options, 'preview');
  const { ride = false, day, issuer: given } = options;
  if (day !== undefined) requireIsoDay(day, 'day');
  const { issuer, prepared } = await prepareFor(context, scope, body, { given, day });
  requireMayIssue(issuer, prepared.documentType);
  const xml = previewComprobante(context, issuer, prepared, scope.environment);
  const type = documentTypeOf(prepared.documentType);
  return {
    document: {
      documentType: prepared.documentType,
      issueDate: prepared.issueDate,
      ...type.summary(prepared),
      sums: type.ride(readComprobante(xml)).sums,
    },
    warnings: prepared.warnings,
    xml,
    ridePdf: ride ? await print({ xml, logo: issuer.logo ?? null }) : null,
  };
}
