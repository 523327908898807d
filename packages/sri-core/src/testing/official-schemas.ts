import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasTool, withFiles } from './xml-tools.js';

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
  return withFiles(documents, (files) => {
    const { status, said, valid } = runXmllint(schema, files);
    if (status === 0 && valid.size === documents.length) return '';
    const index = Number(/(\d+)\.xml:\d+/.exec(said)?.[1] ?? -1);
    const complaints = said.split('\n').filter((line) => !line.endsWith(' validates'));
    return `${complaints.slice(0, 10).join('\n')}\n${documents[index] ?? ''}`;
  });
}

/** Whether each unsigned document is valid by the schema, in one run. */
export function schemaVerdicts(schema: string, documents: readonly string[]): readonly boolean[] {
  return withFiles(documents, (files) => {
    const { valid } = runXmllint(schema, files);
    return files.map((file) => valid.has(file));
  });
}

// --- internal ---

function runXmllint(schema: string, files: readonly string[]) {
  const args = ['--nonet', '--noout', '--schema', join(DIRECTORY, schema), ...files];
  const { status, stderr } = spawnSync('xmllint', args, { maxBuffer: 64 * 1024 * 1024 });
  const said = stderr.toString();
  return { status, said, valid: new Set([...said.matchAll(/^(\S+) validates$/gm)].map((match) => match[1])) };
}
