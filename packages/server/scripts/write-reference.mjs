// Writes the pages of the documentation that are tables of the program: docs/*/configuration.md and .env.example from the
// variables the server reads, docs/*/sri-codes.md from the codes it explains. Run by `npm run reference`.
import { writeFile } from 'node:fs/promises';
import { configurationPage, environmentFile } from '../src/config/config-reference.ts';
import { sriCodesPage } from '../src/documents/sri-codes-page.ts';

const root = new URL('../../../', import.meta.url);
for (const language of ['en', 'es']) {
  await writeFile(new URL(`docs/${language}/configuration.md`, root), configurationPage(language));
  await writeFile(new URL(`docs/${language}/sri-codes.md`, root), sriCodesPage(language));
}
await writeFile(new URL('.env.example', root), environmentFile());
