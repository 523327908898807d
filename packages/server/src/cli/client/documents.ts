import { setTimeout as pause } from 'node:timers/promises';
import { isAccessKey } from 'sri-core';
import { CommandFailure, UsageError } from 'sri-core/cli';
import type { ApiClient } from './api-client.js';

/** A document as the server shows it; only what commands look at. */
export interface ShownDocument {
  readonly accessKey: string;
  readonly documentType: string;
  readonly sequential: string;
  readonly status: string;
  readonly issueDate: string;
  readonly total: string;
  readonly authorizationNumber?: string;
  readonly authorizationDate?: string;
  readonly dispatch?: { readonly status: string; readonly attemptCount: number; readonly lastError: string | null };
}

/** What the SRI said last, with what is to be made of it. */
export interface SriAnswer {
  readonly status: string;
  readonly messages:
    | readonly { readonly identifier: string; readonly message: string; readonly additionalInfo: string | null }[]
    | null;
  readonly advice?: readonly { readonly identifier: string; readonly meaning: string; readonly action: string }[];
}

/** An access key of the command line. @throws UsageError */
export function requireAccessKey(text: string | undefined): string {
  const key = (text ?? '').replace(/\s/g, '');
  if (isAccessKey(key)) return key;
  throw new UsageError({
    es: 'Una clave de acceso tiene 49 dígitos, el último verificador.',
    en: 'An access key has 49 digits, the last one a check digit.',
  });
}

/** A document as it stands. */
export async function readDocument(api: ApiClient, accessKey: string): Promise<ShownDocument> {
  return (await api(`/v1/documents/${accessKey}`)).json<{ document: ShownDocument }>().document;
}

/** What the SRI said last of a document; null when it was never asked. */
export async function readLastAnswer(api: ApiClient, accessKey: string): Promise<SriAnswer | null> {
  const path = `/v1/documents/${accessKey}/sri-responses`;
  const { sriResponses: data } = (await api(path)).json<{ sriResponses: readonly SriAnswer[] }>();
  return data.findLast(({ messages }) => messages !== null && messages.length > 0) ?? data.at(-1) ?? null;
}

/** Queues a document to be sent; one that is on its way, or was decided already, stays as it is. */
export async function sendDocument(api: ApiClient, document: ShownDocument): Promise<ShownDocument> {
  if (document.status !== 'SIGNED') return document;
  try {
    return (await api(`/v1/documents/${document.accessKey}/send`, { method: 'POST' })).json<{
      document: ShownDocument;
    }>().document;
  } catch (error) {
    // Somebody else, or an attempt of our own whose answer was lost, sent it meanwhile.
    if (error instanceof CommandFailure && error.code === 'INVALID_STATE_TRANSITION') {
      return readDocument(api, document.accessKey);
    }
    throw error;
  }
}

/** How a document stands for whoever waits for it. */
export type Outcome = 'authorized' | 'refused' | 'failed' | 'pending';

/** What has become of a document. `failed`: the attempts have ended without an answer. */
export function outcomeOf({ status, dispatch }: ShownDocument): Outcome {
  if (status === 'AUTHORIZED') return 'authorized';
  if (status === 'RETURNED' || status === 'NOT_AUTHORIZED' || status === 'VOIDED') return 'refused';
  return dispatch?.status === 'FAILED' ? 'failed' : 'pending';
}

/** Asks until a document is decided, or the time is over. */
export async function waitForDocument(
  api: ApiClient,
  accessKey: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<ShownDocument> {
  const deadline = performance.now() + timeoutMs;
  for (let delayMs = 150; ; delayMs = Math.min(delayMs * 1.5, 3000)) {
    const document = await readDocument(api, accessKey);
    if (outcomeOf(document) !== 'pending' || performance.now() >= deadline || signal?.aborted) return document;
    await pause(delayMs, undefined, signal ? { signal } : {}).catch(() => {});
  }
}
