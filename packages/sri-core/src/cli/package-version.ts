import { readFile } from 'node:fs/promises';

/**
 * The version of the package a module belongs to: of the nearest `package.json` above it. The sources and what is built of
 * them lie at different depths below it.
 *
 * @param module its `import.meta.url`.
 * @throws Error when no folder above it holds one.
 */
export async function readPackageVersion(module: string): Promise<string> {
  const file = new URL('package.json', module);
  try {
    const { version } = JSON.parse(await readFile(file, 'utf8')) as { readonly version?: unknown };
    return typeof version === 'string' ? version : 'unknown';
  } catch (error) {
    const isElsewhere = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const above = new URL('..', new URL('.', module)).href;
    if (!isElsewhere || above === new URL('.', module).href) throw error;
    return readPackageVersion(above);
  }
}
