import { isAccessKey } from 'sri-core';
import { UsageError, writeOutputFile } from 'sri-core/cli';
import type { Client, Document, OperationAnswer } from 'sri-core/client';

/** An answer of the SRI about a document, with advice. */
export type SriAnswer = OperationAnswer<'listSriResponses'>['sriResponses'][number];

/** An access key of the command line. @throws UsageError */
export function requireAccessKey(text: string | undefined): string {
  const key = (text ?? '').replace(/\s/g, '');
  if (isAccessKey(key)) return key;
  throw new UsageError({
    es: 'Una clave de acceso tiene 49 dígitos, el último verificador.',
    en: 'An access key has 49 digits, the last one a check digit.',
  });
}

/** The newest answer of the SRI about a document, with messages where there is one; null before the first answer. */
export async function readLastAnswer({ documents }: Client, accessKey: string): Promise<SriAnswer | null> {
  const answers = await documents.sriResponses(accessKey);
  return answers.find(({ messages }) => messages !== null && messages.length > 0) ?? answers[0] ?? null;
}

/** What the SRI said about a document, with advice, in lines for people. */
export function tellAnswer(answer: SriAnswer | null): readonly string[] {
  const advice = answer?.advice ?? [];
  return (answer?.messages ?? []).map(({ identifier, message, additionalInfo }, index) => {
    const { meaning, action } = advice[index] ?? { meaning: '', action: '' };
    return `${identifier} ${message}${additionalInfo ? `: ${additionalInfo}` : ''}\n  ${meaning} ${action}`;
  });
}

/** The XML of a document, byte by byte. */
export async function downloadXml(api: Client, accessKey: string): Promise<Uint8Array> {
  return new Uint8Array(await (await api.open('downloadXml', { params: { accessKey } })).arrayBuffer());
}

/** Saves the files of a document that have a path. @returns the paths. */
export async function saveFiles(
  api: Client,
  { accessKey }: Document,
  { ride, xml }: { readonly ride: string | null; readonly xml: string | null },
): Promise<readonly string[]> {
  if (ride !== null) await writeOutputFile(ride, await api.documents.ride(accessKey), { force: true });
  if (xml !== null) await writeOutputFile(xml, await downloadXml(api, accessKey), { force: true });
  return [ride, xml].filter((path) => path !== null);
}

/** Sends a document unless it was sent. */
export async function sendDocument({ documents }: Client, document: Document): Promise<Document> {
  return document.status === 'SIGNED' ? documents.sendOnce(document.accessKey) : document;
}

/** The outcome of a document for a command that waits for it. */
export type Outcome = 'authorized' | 'refused' | 'failed' | 'pending';

/** The outcome of a document. `failed`: all attempts ended without an answer. */
export function outcomeOf({ status, dispatch }: Pick<Document, 'status' | 'dispatch'>): Outcome {
  if (status === 'AUTHORIZED') return 'authorized';
  if (status === 'RETURNED' || status === 'NOT_AUTHORIZED' || status === 'VOIDED') return 'refused';
  return dispatch?.status === 'FAILED' ? 'failed' : 'pending';
}
