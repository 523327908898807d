import { isAccessKey } from 'sri-core';
import { type CommandArgument, toLines, UsageError, writeOutputFile } from 'sri-core/cli';
import { type Client, type Document, type OperationAnswer, readRefusal, type SriRefusal } from 'sri-core/client';
import { oneLine } from '../../platform/one-line.js';

/** The document of a command. */
export const KEY_ARGUMENT: CommandArgument = {
  name: 'access-key',
  description: { es: 'Los 49 dígitos', en: 'The 49 digits' },
};

/** An access key of the command line. @throws UsageError */
export function requireAccessKey(text: string | undefined): string {
  const key = (text ?? '').replace(/\s/g, '');
  if (isAccessKey(key)) return key;
  throw new UsageError({
    es: 'Una clave de acceso tiene 49 dígitos, el último verificador.',
    en: 'An access key has 49 digits, the last one a check digit.',
  });
}

/** Why a document is not authorized. */
export interface Unauthorized extends Pick<SriRefusal, 'note'> {
  /** The newest answer of the SRI; null before the first. */
  readonly answer: OperationAnswer<'listSriResponses'>['sriResponses'][number] | null;
  /** Its reasons in one line each. */
  readonly reasons: readonly { readonly said: string; readonly advice: string }[];
}

/** Asks the server why a document is not authorized; null unless it was refused, or all attempts failed. */
export async function askWhy({ documents }: Client, document: Document): Promise<Unauthorized | null> {
  if (!['refused', 'failed'].includes(outcomeOf(document))) return null;
  const { accessKey } = document;
  const answers = await documents.sriResponses(accessKey);
  const { reasons, note } = readRefusal(answers, await documents.events(accessKey));
  const lines = reasons.map(({ identifier, message, additionalInfo, advice }) => ({
    said: oneLine([`${identifier} ${message}`, additionalInfo].filter(Boolean).join(': ')),
    advice: advice ? `${advice.meaning} ${advice.action}` : '',
  }));
  return { answer: answers[0] ?? null, reasons: lines, note };
}

/** Why a document is not authorized, in lines for people. */
export function explainRefusal({ reasons, note }: Unauthorized): readonly string[] {
  return [...reasons.map(({ said, advice }) => `${said}\n  ${advice}`), ...(note === null ? [] : [note])];
}

/** Facts in lines for people. Those without a value are left out. */
export function toFactLines(facts: Readonly<Record<string, unknown>>, language: 'es' | 'en'): string {
  const stated = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined);
  return toLines(Object.fromEntries(stated), language);
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
export type DocumentResult = 'authorized' | 'refused' | 'failed' | 'pending';

/** The outcome of a document. `failed`: all attempts ended without an answer. */
export function outcomeOf({ status, dispatch }: Pick<Document, 'status' | 'dispatch'>): DocumentResult {
  if (status === 'AUTHORIZED') return 'authorized';
  if (status === 'RETURNED' || status === 'NOT_AUTHORIZED' || status === 'VOIDED') return 'refused';
  return dispatch?.status === 'FAILED' ? 'failed' : 'pending';
}
