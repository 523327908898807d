// Writes what is told of the configuration in three places from the one table the server reads by:
// docs/en/configuration.md, docs/es/configuration.md and .env.example. Run by `npm run config-reference`.
import { writeFile } from 'node:fs/promises';
import { configurationPage, environmentFile } from '../src/config-reference.ts';

const root = new URL('../../../', import.meta.url);
for (const language of ['en', 'es']) {
  await writeFile(new URL(`docs/${language}/configuration.md`, root), configurationPage(language));
}
await writeFile(new URL('.env.example', root), environmentFile());
