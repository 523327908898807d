import type { Client } from 'sri-core/client';
import type { Draft } from './form.js';

/** A document as the server would issue it now. */
export interface Preview {
  /** The body with every sum: what is sent to issue it. */
  readonly body: Draft;
  readonly total: string;
  readonly sums: readonly { readonly label: string; readonly amount: string }[];
  readonly warnings: readonly { readonly field: string; readonly message: string }[];
  readonly xml: string;
  /** The RIDE; null unless it was asked for. */
  readonly ride: Blob | null;
}

/** Asks for the document that a body would make. Nothing is numbered, signed or stored. @throws ApiError */
export async function previewOf(api: Client, body: Draft, withRide: boolean, signal?: AbortSignal): Promise<Preview> {
  const answer = await api.call('previewDocument', {
    query: { fill: 'true', ride: withRide ? 'true' : 'false' },
    body: body as never,
    ...(signal ? { signal } : {}),
  });
  const { document, warnings = [], xml, ridePdf, body: filled } = answer;
  return {
    body: filled as Draft,
    total: document.total,
    sums: document.sums,
    warnings,
    xml,
    ride: ridePdf
      ? new Blob([Uint8Array.from(atob(ridePdf), (char) => char.charCodeAt(0))], { type: 'application/pdf' })
      : null,
  };
}
