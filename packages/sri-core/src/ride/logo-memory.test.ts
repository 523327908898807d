import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printableLogo } from './logo-memory.js';

const jpeg = new Uint8Array(readFileSync(new URL('../../fixtures/ride/logo-baseline.jpg', import.meta.url)));

/** Another file with the same picture: its comment makes its bytes unique. */
function numbered(number: number, bytes = 4): Uint8Array {
  const comment = Buffer.alloc(bytes);
  comment.writeUInt32BE(number);
  const length = Uint8Array.of(0xff, 0xfe, (bytes + 2) >> 8, (bytes + 2) & 255);
  return Buffer.concat([jpeg.subarray(0, 2), length, comment, jpeg.subarray(2)]);
}

describe('printableLogo', () => {
  it('reads a logo once, by its content', async () => {
    const first = await printableLogo(jpeg);
    expect(first?.format).toBe('jpeg');
    expect(await printableLogo(jpeg.slice())).toBe(first);
  });

  it('remembers an unreadable logo', async () => {
    expect(await printableLogo(Uint8Array.of(1, 2, 3))).toBeNull();
    expect(await printableLogo(Uint8Array.of(1, 2, 3))).toBeNull();
  });

  it('drops the least recently used logos', async () => {
    const kept = await printableLogo(numbered(0));
    const forgotten = await printableLogo(numbered(1));
    for (let number = 2; number < 150; number += 1) {
      await printableLogo(numbered(number));
      await printableLogo(numbered(0));
    }
    expect(await printableLogo(numbered(0))).toBe(kept);
    expect(await printableLogo(numbered(1))).not.toBe(forgotten);
  });
});
