import type { Client } from 'sri-core/client';
import type { Draft } from './form.js';

/** A document as the server would issue it now. */
export interface Preview {
  /** The body with every sum, as sent to issue it. */
  readonly body: Draft;
  readonly total: string;
  readonly warnings: readonly { readonly field: string; readonly message: string }[];
  readonly xml: string;
  /** The RIDE; null unless requested. */
  readonly ride: Blob | null;
}

/** What a preview shows besides the sums. */
export interface PreviewWish {
  readonly ride: boolean;
  /** The day of issue of a correction that keeps it; null for today. */
  readonly issueDate: string | null;
}

/** Requests the preview of a body. The server numbers, signs and stores nothing. @throws ApiError */
export async function previewOf(
  api: Client,
  body: Draft,
  { ride, issueDate }: PreviewWish,
  signal?: AbortSignal,
): Promise<Preview> {
  const answer = await api.call('previewDocument', {
    query: { fill: 'true', ride: ride ? 'true' : 'false', ...(issueDate ? { issueDate } : {}) },
    body: body as never,
    ...(signal ? { signal } : {}),
  });
  const { document, warnings = [], xml, ridePdf, body: filled } = answer;
  return {
    body: filled as Draft,
    total: document.total,
    warnings,
    xml,
    ride: ridePdf
      ? new Blob([Uint8Array.from(atob(ridePdf), (char) => char.charCodeAt(0))], { type: 'application/pdf' })
      : null,
  };
}
