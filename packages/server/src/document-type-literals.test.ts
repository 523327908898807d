import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const PACKAGES = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['sri-core/src', 'storage-adapters/src', 'server/src', 'server/console'];

/** A decision on the code of a type: `=== '01'`, `'04' ?`, `case '01':`, `root === 'factura'`. */
const DECISION =
  /[!=]==? ?['"](0[1-9])['"]|(?<!\?)\? ?['"]0[1-9]['"] :|['"](0[1-9])['"] \?(?!\?)|['"]0[1-9]['"] [!=]==?|case ['"]0[1-9]['"]|'=', '0[1-9]'|[!=]== ?'(factura|notaCredito)'/;

/** Identification types and payment methods have codes of two digits too. */
const OTHER_CODES = /idType|tipoIdentificacion|FINAL_CONSUMER|method|\.test\(id\)/;

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(PACKAGES, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|js)$/.test(name) && !/\.test\.ts$|(^|\/)testing\//.test(name))
    .map((name) => `${folder}/${name}`),
).filter((path) => !path.startsWith('sri-core/src/documents/'));

describe('the code of a document type', () => {
  it('no code outside documents/ decides on the code of a document type', () => {
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((path) =>
      readFileSync(join(PACKAGES, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => {
          const isDecision = DECISION.test(line) && !OTHER_CODES.test(line);
          return isDecision && !/^\s*(\/\/|\*|\/\*)/.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [];
        }),
    );
    expect(found).toEqual([]);
  });

  it.each([
    "if (documentType === '01') return a;",
    "documentType !== '04' && b",
    "const a = x === '04' ? b : c;",
    "if ('01' === documentType) return a;",
    "case '04':",
    ".where('document_type', '=', '04')",
    "root.name === 'factura' ? a : b",
  ])('detects a decision on the type in: %s', (line) => expect(line).toMatch(DECISION));
});
