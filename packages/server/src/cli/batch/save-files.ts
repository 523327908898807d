import { join } from 'node:path';
import { writeOutputFile } from 'sri-core/cli';
import type { ApiClient } from '../client/api-client.js';
import { outcomeOf, type ShownDocument } from '../client/documents.js';

/** Saves the files of an authorized document under its access key. @param folders null for none */
export async function saveFiles(
  api: ApiClient,
  document: ShownDocument,
  folders: { readonly ride: string | null; readonly xml: string | null },
): Promise<void> {
  if (outcomeOf(document) !== 'authorized') return;
  const { accessKey } = document;
  const { ride, xml } = folders;
  if (ride !== null) {
    const { bytes } = await api(`/v1/documents/${accessKey}/ride`);
    await writeOutputFile(join(ride, `${accessKey}.pdf`), bytes, { force: true });
  }
  if (xml !== null) {
    const { bytes } = await api(`/v1/documents/${accessKey}/xml`);
    await writeOutputFile(join(xml, `${accessKey}.xml`), bytes, { force: true });
  }
}
