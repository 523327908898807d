import { join } from 'node:path';
import { writeOutputFile } from 'sri-core/cli';
import type { Client, Document } from 'sri-core/client';
import { downloadXml, outcomeOf } from '../client/documents.js';

/** Saves the files of an authorized document under its access key. @param folders null for a file that is not saved */
export async function saveFiles(
  api: Client,
  document: Document,
  folders: { readonly ride: string | null; readonly xml: string | null },
): Promise<void> {
  if (outcomeOf(document) !== 'authorized') return;
  const { accessKey } = document;
  const { ride, xml } = folders;
  if (ride !== null) {
    await writeOutputFile(join(ride, `${accessKey}.pdf`), await api.documents.ride(accessKey), { force: true });
  }
  if (xml !== null) {
    await writeOutputFile(join(xml, `${accessKey}.xml`), await downloadXml(api, accessKey), { force: true });
  }
}
