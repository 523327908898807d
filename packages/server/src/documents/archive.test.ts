import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { archiveOf } from './archive.js';

it('an archive has all its files beyond 65,535', async () => {
  const count = 65_537;
  async function* files() {
    for (let number = 1; number <= count; number += 1) {
      yield { name: `${number}.xml`, input: `<n>${number}</n>`, lastModified: new Date() };
    }
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of archiveOf(files())) pieces.push(piece);
  const found = unzipSync(Buffer.concat(pieces));
  expect(Object.keys(found)).toHaveLength(count);
  expect(Buffer.from(found[`${count}.xml`] ?? []).toString()).toBe(`<n>${count}</n>`);
});
