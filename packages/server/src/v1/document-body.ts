import { describeWarning, formatSequential, type StoredDocument, toIssueDate, type Warning } from 'sri-core';
import type { Language } from '../language.js';

/** A document as every answer shows it. Fields that do not apply are left out; they are never null. */
export interface DocumentBody {
  readonly accessKey: string;
  readonly documentType: string;
  readonly sequential: string;
  readonly status: string;
  readonly issueDate: string;
  readonly total: string;
  readonly authorizationNumber?: string;
  readonly authorizationDate?: string;
  readonly email: { readonly status: string; readonly sentAt?: string; readonly error?: string };
  readonly dispatch?: DispatchBody;
}

/** How far the SRI's part of a document in flight has come. */
export interface DispatchBody {
  readonly status: 'PENDING' | 'DISPATCHED' | 'FAILED';
  readonly attemptCount: number;
  readonly lastError: string | null;
}

/** Shapes the common fields of a document. */
export function toDocumentBody(document: StoredDocument): DocumentBody {
  const { authorization, mail } = document;
  const dispatch = toDispatch(document);
  return {
    accessKey: document.accessKey,
    documentType: document.documentType,
    sequential: formatSequential(document.sequential),
    status: document.status,
    issueDate: toIssueDate(document.issueDate),
    total: document.total,
    ...(authorization ? { authorizationNumber: authorization.number, authorizationDate: authorization.date } : {}),
    email: {
      status: mail.status,
      ...(mail.sentAt ? { sentAt: mail.sentAt.toISOString() } : {}),
      ...(mail.error ? { error: mail.error } : {}),
    },
    ...(dispatch ? { dispatch } : {}),
  };
}

/** The `warnings` member of an answer; without any, nothing. */
export function toWarningBodies(warnings: readonly Warning[], language: Language) {
  if (warnings.length === 0) return {};
  return {
    warnings: warnings.map((warning) => ({
      code: warning.code,
      field: warning.field,
      message: describeWarning(warning, language),
    })),
  };
}

// --- internal ---

function toDispatch({ status, job }: StoredDocument): DispatchBody | null {
  if (status !== 'PENDING_SEND' && status !== 'RECEIVED') return null;
  // No job is left when the late questions have ended too.
  if (!job) return { status: 'FAILED', attemptCount: 0, lastError: null };
  const running = job.running ? 'DISPATCHED' : 'PENDING';
  return {
    status: job.status === 'FAILED' ? 'FAILED' : running,
    attemptCount: job.attemptCount,
    lastError: job.lastError,
  };
}
