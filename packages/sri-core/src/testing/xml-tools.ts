import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether a command is installed; tests that need it are skipped without it. */
export function hasTool(command: string): boolean {
  const found = !spawnSync(command, ['--version']).error;
  if (!found) process.stdout.write(`${command} is not installed: the tests that need it are skipped.\n`);
  return found;
}

/** Runs `use` with a temporary directory. */
export function withDirectory<T>(use: (directory: string) => T): T {
  const directory = mkdtempSync(join(tmpdir(), 'sri-core-'));
  try {
    return use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs `use` with one file per document, in a temporary directory: `0.xml`, `1.xml` … */
export function withFiles<T>(documents: readonly string[], use: (files: readonly string[], directory: string) => T): T {
  return withDirectory((directory) => {
    const files = documents.map((_, index) => join(directory, `${index}.xml`));
    for (const [index, file] of files.entries()) writeFileSync(file, documents[index] ?? '');
    return use(files, directory);
  });
}

/** Canonical XML 1.0 with comments of each document, one after the other, from libxml2. @throws when xmllint rejects one */
export function xmllintCanonical(...documents: readonly string[]): string {
  return withFiles(documents, (files) =>
    execFileSync('xmllint', ['--nonet', '--c14n', ...files], { maxBuffer: LARGEST_OUTPUT }).toString(),
  );
}

/**
 * Verifies signed comprobantes with xmlsec1 in one run. Each must have three valid references.
 *
 * @param roots expanded names of the roots, `factura` or `urn:a:factura`: xmlsec1 needs them to find ids.
 * @returns xmlsec1's message about the first bad document, and that document; empty when every signature is valid.
 */
export function xmlsecComplaints(
  documents: readonly string[],
  certificatePem: string,
  roots: readonly string[],
): string {
  return withFiles(documents, (files, directory) => {
    const certificate = join(directory, 'certificate.pem');
    writeFileSync(certificate, certificatePem);
    const ids = [
      ...roots.flatMap((root) => ['--id-attr:id', root]),
      ...ID_HOLDERS.flatMap((name) => ['--id-attr:Id', name]),
    ];
    const run = spawnSync('xmlsec1', ['--verify', '--pubkey-cert-pem', certificate, ...ids, ...files], {
      maxBuffer: LARGEST_OUTPUT,
    });
    const said = `${run.stdout}${run.stderr}`;
    const good = said.split('SignedInfo References (ok/all): 3/3').length - 1;
    return run.status === 0 && good === documents.length ? '' : `${said.slice(-4000)}\n${documents[good]}`;
  });
}

// --- internal ---

const LARGEST_OUTPUT = 64 * 1024 * 1024;

const ID_HOLDERS = ['http://uri.etsi.org/01903/v1.3.2#:SignedProperties', 'http://www.w3.org/2000/09/xmldsig#:KeyInfo'];
