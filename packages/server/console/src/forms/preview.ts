import type { Client, OperationAnswer } from 'sri-core/client';
import type { Draft } from './form.js';

/** A document as the server would issue it now, with the body that is sent to issue it. */
export type Preview = OperationAnswer<'previewDocument'>;

/** The content of a preview besides the sums. */
export interface PreviewRequest {
  readonly ride: boolean;
  /** The day of issue of a correction that keeps it; null for today. */
  readonly issueDate: string | null;
}

/** Requests the preview of a body. The server numbers, signs and stores nothing. @throws ApiError */
export function previewOf(
  api: Client,
  body: Draft,
  { ride, issueDate }: PreviewRequest,
  signal?: AbortSignal,
): Promise<Preview> {
  return api.call('previewDocument', {
    query: { fill: 'true', ride: ride ? 'true' : 'false', ...(issueDate ? { issueDate } : {}) },
    body: body as never,
    ...(signal ? { signal } : {}),
  });
}

/** The RIDE of a preview; null unless requested. */
export function rideOf({ ridePdf }: Preview): Blob | null {
  if (!ridePdf) return null;
  return new Blob([Uint8Array.from(atob(ridePdf), (char) => char.charCodeAt(0))], { type: 'application/pdf' });
}
