import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasTool, withDirectory } from './xml-tools.js';

/** The folder of the SRI's schemas, which are not shipped. */
const DIRECTORY = process.env['SRI_XSD_DIR'] ?? '';

/** Whether the schemas are available for checks; logs the reason when they are not. */
export function hasSchemas(): boolean {
  if (!hasTool('xmllint')) return false;
  const found = existsSync(join(DIRECTORY, 'factura_V1.1.0.xsd'));
  if (!found) process.stdout.write("The SRI's schemas are not here (SRI_XSD_DIR): tests against them are skipped.\n");
  return found;
}

/** The schema's errors for unsigned documents, in one run; empty when all are valid. The schema is named by its file. */
export function schemaComplaints(schema: string, documents: readonly string[]): string {
  return withDirectory((directory) => {
    const files = documents.map((document, index) => {
      const file = join(directory, `${index}.xml`);
      writeFileSync(file, document);
      return file;
    });
    const path = join(DIRECTORY, schema);
    const run = spawnSync('xmllint', ['--nonet', '--noout', '--schema', path, ...files], {
      maxBuffer: 64 * 1024 * 1024,
    });
    const said = run.stderr.toString();
    const validated = said.split('\n').filter((line) => line.endsWith(' validates')).length;
    if (run.status === 0 && validated === documents.length) return '';
    const index = Number(/(\d+)\.xml:\d+/.exec(said)?.[1] ?? -1);
    return `${said
      .split('\n')
      .filter((line) => !line.endsWith(' validates'))
      .slice(0, 10)
      .join('\n')}\n${documents[index] ?? ''}`;
  });
}

/** Whether each unsigned document is valid by the schema, in one run. */
export function schemaVerdicts(schema: string, documents: readonly string[]): readonly boolean[] {
  return withDirectory((directory) => {
    const files = documents.map((document, index) => {
      const file = join(directory, `${index}.xml`);
      writeFileSync(file, document);
      return file;
    });
    const run = spawnSync('xmllint', ['--nonet', '--noout', '--schema', join(DIRECTORY, schema), ...files], {
      maxBuffer: 64 * 1024 * 1024,
    });
    const valid = new Set([...run.stderr.toString().matchAll(/^(\S+) validates$/gm)].map((match) => match[1]));
    return files.map((file) => valid.has(file));
  });
}
