import { readFile } from 'node:fs/promises';
import { codeOf } from './failure.js';

/**
 * Returns the version of a module's package: the nearest `package.json` above it. Sources and build output lie at different
 * depths.
 *
 * @param module its `import.meta.url`.
 * @throws Error when no parent folder holds a package.json.
 */
export async function readPackageVersion(module: string): Promise<string> {
  const file = new URL('package.json', module);
  try {
    const { version } = JSON.parse(await readFile(file, 'utf8')) as { readonly version?: unknown };
    return typeof version === 'string' ? version : 'unknown';
  } catch (error) {
    const above = new URL('..', new URL('.', module)).href;
    if (codeOf(error) !== 'ENOENT' || above === new URL('.', module).href) throw error;
    return readPackageVersion(above);
  }
}
