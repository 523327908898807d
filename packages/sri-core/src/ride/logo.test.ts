import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImageInvalidError } from '../errors.js';
import { LOGO_MAX_BYTES, readLogo } from './logo.js';
import { openPng } from './png-reader.js';

const fixtures = new URL('../../fixtures/ride/', import.meta.url);
const file = (name: string) => new Uint8Array(readFileSync(new URL(name, fixtures)));

/** Red, green and blue of every pixel of a PNG from this library. */
async function pixelsOf(png: Uint8Array): Promise<number[]> {
  const pixels: number[] = [];
  for await (const { rgba } of openPng(png).rows()) pixels.push(...rgba.filter((_, index) => index % 4 !== 3));
  return pixels;
}

// --- a small PNG encoder, to have every kind that exists ---

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function chunk(type: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type), body]);
  const bytes = Buffer.alloc(body.length + 12);
  bytes.writeUInt32BE(body.length, 0);
  named.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(named), body.length + 8);
  return bytes;
}

interface Kind {
  readonly colour: keyof typeof CHANNELS;
  readonly depth: 1 | 2 | 4 | 8 | 16;
  readonly interlaced: boolean;
}

function head({ colour, depth, interlaced }: Kind, width: number, height: number): Buffer {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(width, 0);
  body.writeUInt32BE(height, 4);
  body.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  return chunk('IHDR', body);
}

/** `sample(x, y, channel)` in the range of the depth; each row takes the next of the five filters. */
function encode(
  kind: Kind,
  size: { readonly width: number; readonly height: number },
  sample: (x: number, y: number, channel: number) => number,
  extra: readonly Buffer[] = [],
): Buffer {
  const channels = CHANNELS[kind.colour];
  const step = Math.max(1, (channels * kind.depth) / 8);
  const lines: Uint8Array[] = [];
  for (const [x0, y0, dx, dy] of kind.interlaced ? PASSES : ([[0, 0, 1, 1]] as const)) {
    let above = new Uint8Array();
    for (let y = y0; y < size.height && x0 < size.width; y += dy) {
      let bits = '';
      for (let x = x0; x < size.width; x += dx) {
        for (let channel = 0; channel < channels; channel += 1) {
          bits += sample(x, y, channel).toString(2).padStart(kind.depth, '0');
        }
      }
      const raw = Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
      const filter = y % 5;
      const at = (line: Uint8Array, index: number) => line[index] ?? 0;
      const predicted = raw.map((_, index) => {
        const a = index < step ? 0 : at(raw, index - step);
        const b = at(above, index);
        const c = index < step ? 0 : at(above, index - step);
        const nearest = [a, b, c].toSorted((one, other) => Math.abs(a + b - c - one) - Math.abs(a + b - c - other))[0];
        return [0, a, b, (a + b) >> 1, nearest ?? 0][filter] ?? 0;
      });
      lines.push(Uint8Array.of(filter, ...raw.map((value, index) => value - at(predicted, index))));
      above = raw;
    }
  }
  return Buffer.concat([
    SIGNATURE,
    head(kind, size.width, size.height),
    ...extra,
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', new Uint8Array()),
  ]);
}

const kinds: readonly Kind[] = (
  [
    [0, [1, 2, 4, 8, 16]],
    [2, [8, 16]],
    [3, [1, 2, 4, 8]],
    [4, [8, 16]],
    [6, [8, 16]],
  ] as const
).flatMap(([colour, depths]) =>
  depths.flatMap((depth) => [false, true].map((interlaced) => ({ colour, depth, interlaced }))),
);

const size = { width: 13, height: 11 };

describe('readLogo', () => {
  it.each(['logo.png', {}, new ArrayBuffer(8), undefined])('accepts bytes, and rejects %j', async (given) => {
    await expect(readLogo(given as never)).rejects.toThrow(ImageInvalidError);
  });
});

describe('readLogo, PNG', () => {
  it.each(kinds)('reads a PNG of colour type $colour, $depth bits, interlaced: $interlaced', async (kind) => {
    const most = 2 ** kind.depth - 1;
    const channels = CHANNELS[kind.colour];
    const sample = (x: number, y: number, channel: number) => (x * 31 + y * 57 + channel * 91 + x * y) % (most + 1);
    const palette = Uint8Array.from({ length: 3 * Math.min(256, most + 1) }, (_, index) => (index * 37) % 256);
    const logo = await readLogo(encode(kind, size, sample, kind.colour === 3 ? [chunk('PLTE', palette)] : []));
    const expected: number[] = [];
    for (let y = 0; y < size.height; y += 1) {
      for (let x = 0; x < size.width; x += 1) {
        const byte = (channel: number) => {
          const value = sample(x, y, channel);
          return kind.depth === 16 ? value >> 8 : Math.round((value * 255) / most);
        };
        const entry = sample(x, y, 0) * 3;
        const colour =
          kind.colour === 3
            ? [...palette.subarray(entry, entry + 3)]
            : channels < 3
              ? [byte(0), byte(0), byte(0)]
              : [byte(0), byte(1), byte(2)];
        const opacity = channels % 2 === 0 ? byte(channels - 1) : 255;
        expected.push(...colour.map((value) => Math.round((value * opacity + 255 * (255 - opacity)) / 255)));
      }
    }
    expect(logo).toMatchObject({ format: 'png', ...size });
    expect(await pixelsOf(logo.bytes)).toEqual(expected);
  });

  it.each([
    {
      name: 'a palette',
      kind: { colour: 3, depth: 2, interlaced: false },
      transparency: [255, 0, 128],
      extra: true,
      white: 1,
    },
    { name: 'grey', kind: { colour: 0, depth: 2, interlaced: false }, transparency: [0, 1], extra: false, white: 1 },
    {
      name: 'grey of 8 bits',
      kind: { colour: 0, depth: 8, interlaced: false },
      transparency: [0, 1],
      extra: false,
      white: 1,
    },
    {
      name: 'colour of 16 bits',
      kind: { colour: 2, depth: 16, interlaced: true },
      transparency: [0, 1, 0, 1, 0, 1],
      extra: false,
      white: 1,
    },
  ] as const)('makes the transparent entry of a PNG white: $name', async ({ kind, transparency, extra, white }) => {
    const chunks = [
      ...(extra ? [chunk('PLTE', Uint8Array.of(9, 9, 9, 0, 0, 0, 100, 100, 100))] : []),
      chunk('tRNS', Uint8Array.from(transparency)),
    ];
    const logo = await readLogo(encode(kind, { width: 2, height: 1 }, (x) => (x === 0 ? white : 0), chunks));
    expect((await pixelsOf(logo.bytes)).slice(0, 3)).toEqual([255, 255, 255]);
    expect((await pixelsOf(logo.bytes)).slice(3)).not.toEqual([255, 255, 255]);
  });

  it('drops metadata and trailing bytes of a PNG, and accepts its own output unchanged', async () => {
    const kind: Kind = { colour: 2, depth: 8, interlaced: false };
    const script = Buffer.from('Comment\0<script>alert(1)</script>');
    const dirty = Buffer.concat([
      encode(kind, size, (x, y) => x + y, [chunk('tEXt', script)]),
      Buffer.from('PK\x03\x04<?php'),
    ]);
    const { bytes } = await readLogo(dirty);
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/script|php|tEXt/);
    expect((await readLogo(bytes)).bytes).toEqual(bytes);
  });

  it('shrinks a large PNG in proportion', async () => {
    const logo = await readLogo(
      encode({ colour: 0, depth: 1, interlaced: false }, { width: 3_000, height: 900 }, (x) => x & 1),
    );
    expect(logo).toMatchObject({ width: 1_200, height: 360 });
    const thin = await readLogo(
      encode({ colour: 0, depth: 1, interlaced: true }, { width: 4_096, height: 1 }, () => 1),
    );
    expect(thin).toMatchObject({ width: 1_200, height: 1 });
  });

  it('keeps every pixel of a PNG with more than 256 colours', async () => {
    const sample = (x: number, y: number, channel: number) =>
      (channel === 0 ? x * 5 : channel === 1 ? y * 6 : x ^ y) & 255;
    const wide = { width: 50, height: 40 };
    const logo = await readLogo(encode({ colour: 2, depth: 8, interlaced: false }, wide, sample));
    const expected = Array.from({ length: 50 * 40 * 3 }, (_, index) =>
      sample(Math.floor(index / 3) % 50, Math.floor(index / 150), index % 3),
    );
    expect(await pixelsOf(logo.bytes)).toEqual(expected);
  });

  it('shrinks a PNG until it fits the byte limit', async () => {
    let seed = 1;
    // Noise in sixteen colours: reduced, it has thousands of colours, and as true colour it first exceeds the limit by far.
    const noise = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed >>> 28;
    };
    const palette = chunk(
      'PLTE',
      Uint8Array.from({ length: 48 }, (_, index) => (index * index * 89) & 255),
    );
    const bytes = encode({ colour: 3, depth: 4, interlaced: false }, { width: 1_100, height: 880 }, noise, [palette]);
    expect(bytes.length).toBeLessThan(LOGO_MAX_BYTES);
    const logo = await readLogo(bytes);
    expect(logo.bytes.length).toBeLessThanOrEqual(LOGO_MAX_BYTES);
    expect(logo.width).toBeLessThan(750);
    expect(logo.width / logo.height).toBeCloseTo(1.25, 1);
  });

  const good = encode({ colour: 2, depth: 8, interlaced: false }, size, (x, y) => x * y);
  /** The good picture with a change in its head. */
  const strange = (index: number, value: number, more = 0) => {
    const body = Buffer.concat([good.subarray(16, 29), Buffer.alloc(more)]);
    body[index] = value;
    return Buffer.concat([SIGNATURE, chunk('IHDR', body), good.subarray(33)]);
  };
  /** The good picture with its pixels in two chunks and another chunk between them. */
  const split = (...between: readonly Buffer[]) => {
    const pixels = good.subarray(41, -16);
    const [first, second] = [pixels.subarray(0, 20), pixels.subarray(20)].map((part) => chunk('IDAT', part));
    return Buffer.concat([good.subarray(0, 33), first ?? pixels, ...between, second ?? pixels, good.subarray(-12)]);
  };

  it('joins the chunks of the pixels of a PNG', async () => {
    expect(strange(12, 0)).toEqual(good);
    expect(await readLogo(split())).toEqual(await readLogo(good));
  });

  it.each([
    { name: 'a wrong check sum', bytes: good.map((byte, index) => (index === 30 ? byte ^ 1 : byte)) },
    { name: 'a picture 0 pixels wide', bytes: bare(0, 5, deflateSync(Buffer.alloc(9))) },
    { name: 'a side of 4097', bytes: bare(4_097, 1, deflateSync(Buffer.alloc(9))) },
    { name: 'a head of 65,535 × 65,535', bytes: bare(65_535, 65_535, deflateSync(Buffer.alloc(9))) },
    { name: 'pixels that end early', bytes: bare(50, 50, deflateSync(Buffer.alloc(99))) },
    { name: 'pixels that are no zlib stream', bytes: bare(5, 5, Buffer.from('nonsense')) },
    { name: 'a row with an unknown filter', bytes: bare(1, 1, deflateSync(Uint8Array.of(9, 0, 0, 0))) },
    { name: 'no pixels', bytes: Buffer.concat([SIGNATURE, head(RGB, 5, 5), chunk('IEND', new Uint8Array())]) },
    { name: 'two heads', bytes: Buffer.concat([SIGNATURE, head(RGB, 5, 5), head(RGB, 5, 5)]) },
    {
      name: 'no head',
      bytes: Buffer.concat([SIGNATURE, chunk('IDAT', Buffer.alloc(3)), chunk('IEND', new Uint8Array())]),
    },
    { name: 'an unknown kind of colour', bytes: strange(9, 5) },
    { name: 'an impossible depth', bytes: strange(8, 4) },
    { name: 'an unknown compression', bytes: strange(10, 1) },
    { name: 'an unknown filter method', bytes: strange(11, 1) },
    { name: 'an unknown interlacing', bytes: strange(12, 2) },
    { name: 'a head that is too long', bytes: strange(12, 0, 1) },
    { name: 'pixels in two places', bytes: split(chunk('tEXt', Buffer.from('a'))) },
    {
      name: 'an unknown chunk that matters',
      bytes: Buffer.concat([SIGNATURE, head(RGB, 5, 5), chunk('ABCD', new Uint8Array())]),
    },
    { name: 'a palette that is missing', bytes: encode({ colour: 3, depth: 8, interlaced: false }, size, () => 0) },
    {
      name: 'a colour beyond its palette',
      bytes: encode({ colour: 3, depth: 8, interlaced: false }, size, () => 200, [chunk('PLTE', Buffer.alloc(30))]),
    },
  ])('rejects a PNG with $name', async ({ bytes }) => {
    await expect(readLogo(bytes)).rejects.toThrow(ImageInvalidError);
  });

  it.each([false, true])('stops inflating a PNG after the last pixel, interlaced: %j', async (interlaced) => {
    const bomb = chunk('IDAT', deflateSync(Buffer.alloc(60_000_000)));
    const png = Buffer.concat([SIGNATURE, head({ ...RGB, interlaced }, 2, 2), bomb, chunk('IEND', new Uint8Array())]);
    const before = process.memoryUsage().arrayBuffers;
    expect(await readLogo(png)).toMatchObject({ width: 2, height: 2 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });
});

const RGB: Kind = { colour: 2, depth: 8, interlaced: false };

function bare(width: number, height: number, data: Uint8Array): Buffer {
  return Buffer.concat([SIGNATURE, head(RGB, width, height), chunk('IDAT', data), chunk('IEND', new Uint8Array())]);
}

describe('readLogo, GIF', () => {
  it.each(['logo-plain.gif', 'logo-interlaced.gif', 'logo-animated.gif'])(
    'decodes the first picture of a GIF: %s',
    async (name) => {
      const logo = await readLogo(file(name));
      const original = await readLogo(file('logo-16-colours.png'));
      expect(logo).toMatchObject({ format: 'png', width: 120, height: 34 });
      expect(await pixelsOf(logo.bytes)).toEqual(await pixelsOf(original.bytes));
    },
  );

  it('shows white where a GIF is transparent', async () => {
    const logo = await readLogo(file('logo-transparent.gif'));
    expect((await pixelsOf(logo.bytes)).slice(0, 3)).toEqual([255, 255, 255]);
  });

  const COLOURS = [9, 8, 7, 90, 80, 70, 200, 190, 180, 255, 255, 255];
  interface Drawn {
    readonly shared?: readonly number[];
    readonly own?: readonly number[];
    readonly before?: readonly number[];
    readonly place?: readonly [left: number, top: number, width: number, height: number];
    readonly codeSize?: number;
  }
  /** Two pixels of the colours 0 and 1 on a screen of 3 × 2, by codes of three bits. */
  const drawn = ({ shared = [], own = [], before = [], place = [1, 1, 2, 1], codeSize = 2 }: Drawn) => {
    const table = (colours: readonly number[]) => (colours.length > 0 ? 0x81 : 0);
    const sides = place.flatMap((side) => [side, 0]);
    return Uint8Array.from([
      ...Buffer.from('GIF89a'),
      ...[3, 0, 2, 0, table(shared), 0, 0, ...shared, ...before],
      ...[0x2c, ...sides, table(own), ...own, codeSize, 2, 0b01_000_100, 0b1010, 0, 0x3b],
    ]);
  };
  const white = [255, 255, 255];
  const OPAQUE = [...[white, white, white, white].flat(), 9, 8, 7, 90, 80, 70];
  const comment = [0x21, 0xfe, 4, 1, 0, 0, 0, 0];
  it.each([
    { name: 'colours of the file, at its place', gif: drawn({ shared: COLOURS }), pixels: OPAQUE },
    { name: 'its own colours', gif: drawn({ shared: Array(12).fill(1), own: COLOURS }), pixels: OPAQUE },
    { name: 'a comment before it', gif: drawn({ shared: COLOURS, before: comment }), pixels: OPAQUE },
    {
      name: 'a transparent colour',
      gif: drawn({ shared: COLOURS, before: [0x21, 0xf9, 4, 1, 0, 0, 1, 0] }),
      pixels: [...OPAQUE.slice(0, -3), ...white],
    },
    {
      name: 'a note that no colour is transparent',
      gif: drawn({ shared: COLOURS, before: [0x21, 0xf9, 4, 0, 0, 0, 1, 0] }),
      pixels: OPAQUE,
    },
  ])('draws a GIF with $name', async ({ gif, pixels }) => {
    expect(await pixelsOf((await readLogo(gif)).bytes)).toEqual(pixels);
  });

  const gif = file('logo-plain.gif');
  it.each([
    { name: 'nothing after its screen', bytes: gif.subarray(0, 13) },
    { name: 'a cut in its palette', bytes: gif.subarray(0, 20) },
    { name: 'a cut in its pixels', bytes: gif.subarray(0, 250) },
    { name: 'a cut in its own palette', bytes: drawn({ own: COLOURS }).subarray(0, 30) },
    { name: 'no picture', bytes: drawn({ shared: COLOURS, before: [0x3b] }) },
    { name: 'no colours', bytes: drawn({}) },
    { name: 'a picture without width', bytes: drawn({ shared: COLOURS, place: [1, 1, 0, 1] }) },
    { name: 'a picture without height', bytes: drawn({ shared: COLOURS, place: [1, 1, 2, 0] }) },
    { name: 'a picture below its screen', bytes: drawn({ shared: COLOURS, place: [1, 2, 2, 1] }) },
    { name: 'codes of no bits', bytes: drawn({ shared: COLOURS, codeSize: 0 }) },
    { name: 'codes of nine bits', bytes: drawn({ shared: COLOURS, codeSize: 9 }) },
    { name: 'a side of 65,535', bytes: gif.map((byte, index) => (index === 6 || index === 7 ? 255 : byte)) },
    { name: 'a screen smaller than its picture', bytes: gif.map((byte, index) => (index === 6 ? 10 : byte)) },
  ])('rejects a GIF with $name', async ({ bytes }) => {
    await expect(readLogo(bytes)).rejects.toThrow(ImageInvalidError);
  });
});

describe('readLogo, JPEG', () => {
  const app = (marker: number, body: Uint8Array) =>
    Buffer.concat([Uint8Array.of(0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255), body]);
  const at = (jpeg: Uint8Array, ...marker: readonly number[]) => Buffer.from(jpeg).indexOf(Uint8Array.from(marker));
  const insert = (jpeg: Uint8Array, ...segments: readonly Uint8Array[]) =>
    Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
  const exif = (orientation: number, little = false) => {
    const big = Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
    const small = Buffer.from([
      0x49,
      0x49,
      42,
      0,
      8,
      0,
      0,
      0,
      1,
      0,
      0x12,
      0x01,
      3,
      0,
      1,
      0,
      0,
      0,
      orientation,
      0,
      0,
      0,
    ]);
    return app(
      0xe1,
      Buffer.concat([Buffer.from('Exif\0\0'), little ? small : big, Buffer.from('<script>camera</script>')]),
    );
  };
  const baseline = file('logo-baseline.jpg');
  /** The segments of a JPEG, in hex, a scan with its data: those of the picture, and the notes. */
  const segmentsOf = (jpeg: Uint8Array) => {
    const bytes = Buffer.from(jpeg);
    const found: string[] = [];
    for (let at = 2; bytes[at + 1] !== 0xd9; ) {
      let end = at + 2 + bytes.readUInt16BE(at + 2);
      const isData = () => bytes[end] !== 0xff || /^(00|d[0-7])$/.test(bytes.toString('hex', end + 1, end + 2));
      if (bytes[at + 1] === 0xda) while (isData()) end += 1;
      found.push(bytes.toString('hex', at, end));
      at = end;
    }
    const isNote = (segment: string) => /^ff(e.|fe)/.test(segment);
    return { picture: found.filter((segment) => !isNote(segment)), notes: found.filter(isNote) };
  };
  const JFIF = `ffe00010${Buffer.from('JFIF\0').toString('hex')}010100000100010000`;
  const data = at(baseline, 0xff, 0xda) + 40;

  it.each([
    { name: 'logo-baseline.jpg', notes: [JFIF] },
    { name: 'logo-progressive.jpg', notes: [JFIF] },
    { name: 'logo-gray.jpg', notes: [JFIF] },
    { name: 'logo-cmyk.jpg', notes: [expect.stringMatching(/^ffee000e41646f6265/)] },
  ])('keeps the picture of a JPEG: $name', async ({ name, notes }) => {
    const logo = await readLogo(file(name));
    expect(logo).toMatchObject({ format: 'jpeg', width: 120, height: 34 });
    expect(segmentsOf(logo.bytes)).toEqual({ picture: segmentsOf(file(name)).picture, notes });
    expect((await readLogo(logo.bytes)).bytes).toEqual(logo.bytes);
  });

  it.each([
    {
      name: 'restart markers',
      bytes: Buffer.concat([baseline.subarray(0, data), Uint8Array.of(0xff, 0xd3), baseline.subarray(data)]),
    },
    { name: 'a restart interval', bytes: insert(baseline, app(0xdd, Uint8Array.of(0, 8))) },
    {
      name: 'a table of 16 bits',
      bytes: insert(baseline, app(0xdb, Buffer.concat([Uint8Array.of(0x13), Buffer.alloc(128, 1)]))),
    },
  ])('keeps $name of a JPEG', async ({ bytes }) => {
    expect(segmentsOf((await readLogo(bytes)).bytes).picture).toEqual(segmentsOf(bytes).picture);
  });

  it('reads a marker of a JPEG that starts with several FF, and claims no JFIF of its own', async () => {
    const filled = insert(baseline, Uint8Array.of(0xff, 0xff));
    expect((await readLogo(filled)).bytes).toEqual((await readLogo(baseline)).bytes);
    const bare = Buffer.concat([baseline.subarray(0, 2), baseline.subarray(20)]);
    expect(segmentsOf((await readLogo(bare)).bytes).notes).toEqual([]);
  });

  it('drops comments, camera notes and trailing bytes of a JPEG', async () => {
    const dirty = Buffer.concat([
      insert(baseline, app(0xfe, Buffer.from('<?php evil(); ?>')), exif(1), app(0xe2, Buffer.from('ICC_PROFILE\0'))),
      Buffer.from('%PDF-1.4 PK\x03\x04 <html>'),
    ]);
    const { bytes } = await readLogo(dirty);
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/php|script|ICC|PDF|html|Exif/);
    expect(bytes).toEqual((await readLogo(baseline)).bytes);
  });

  it.each([false, true])('keeps only the orientation of Exif, little-endian: %j', async (little) => {
    const logo = await readLogo(insert(baseline, exif(6, little)));
    expect(logo).toMatchObject({ width: 34, height: 120 });
    expect(Buffer.from(logo.bytes).toString('latin1')).not.toContain('script');
    expect((await readLogo(logo.bytes)).bytes).toEqual(logo.bytes);
    expect(await readLogo(insert(baseline, exif(3, little)))).toMatchObject({ width: 120, height: 34 });
    expect((await readLogo(insert(baseline, exif(99, little)))).bytes).toEqual((await readLogo(baseline)).bytes);
  });

  it('finds the orientation behind other notes of Exif', async () => {
    const maker = [0x01, 0x0f, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0];
    const turned = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0];
    const tiff = Uint8Array.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 2, ...maker, ...turned]);
    const jpeg = insert(baseline, app(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff])));
    expect(await readLogo(jpeg)).toMatchObject({ width: 34, height: 120 });
  });

  const changed = (index: number, value: number) =>
    baseline.map((byte, position) => (position === index ? value : byte));
  it.each([
    { name: 'no picture', bytes: Uint8Array.of(0xff, 0xd8, 0xff, 0xd9) },
    { name: 'a cut before the scan', bytes: baseline.subarray(0, 300) },
    { name: 'a cut in the scan', bytes: baseline.subarray(0, baseline.length - 2) },
    { name: 'arithmetic coding', bytes: changed(at(baseline, 0xff, 0xc0) + 1, 0xc9) },
    { name: 'twelve bits a sample', bytes: changed(at(baseline, 0xff, 0xc0) + 4, 12) },
    { name: 'a height of 65,335', bytes: changed(at(baseline, 0xff, 0xc0) + 5, 0xff) },
    { name: 'a table that hides bytes', bytes: insert(baseline, app(0xdb, Buffer.alloc(70))) },
    { name: 'a table of codes that hides bytes', bytes: insert(baseline, app(0xc4, Buffer.alloc(40, 1))) },
    { name: 'a wrong restart interval', bytes: insert(baseline, app(0xdd, Buffer.alloc(9))) },
    { name: 'a head that hides bytes', bytes: changed(at(baseline, 0xff, 0xc0) + 9, 1) },
    { name: 'a segment shorter than its length', bytes: insert(baseline, Uint8Array.of(0xff, 0xfe, 0, 1)) },
    { name: 'a marker of no known meaning', bytes: insert(baseline, app(0xf0, Buffer.alloc(2))) },
    { name: 'a scan before its head', bytes: insert(baseline, app(0xda, Buffer.alloc(2))) },
    {
      name: 'more than 64 scans',
      bytes: Buffer.concat([
        baseline.subarray(0, -2),
        ...Array(64).fill(baseline.subarray(at(baseline, 0xff, 0xda), -2)),
        baseline.subarray(-2),
      ]),
    },
    {
      name: 'two heads',
      bytes: insert(baseline, baseline.subarray(at(baseline, 0xff, 0xc0), at(baseline, 0xff, 0xc0) + 19)),
    },
    {
      name: 'CMYK of unknown meaning',
      bytes: file('logo-cmyk.jpg').map((byte, index) =>
        index === at(file('logo-cmyk.jpg'), 0x41, 0x64, 0x6f) ? 0x42 : byte,
      ),
    },
  ])('rejects a JPEG with $name', async ({ bytes }) => {
    await expect(readLogo(bytes)).rejects.toThrow(ImageInvalidError);
  });
});

describe('readLogo, other files', () => {
  function padded(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    bytes.set(file('logo.png'));
    return bytes;
  }

  it('accepts as many bytes as allowed', async () => {
    expect(await readLogo(padded(LOGO_MAX_BYTES))).toEqual(await readLogo(file('logo.png')));
  });

  it.each([
    { name: 'nothing', bytes: new Uint8Array() },
    { name: 'SVG', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
    { name: 'PDF', bytes: Buffer.from('%PDF-1.7') },
    { name: 'WebP', bytes: Buffer.from('RIFF\0\0\0\0WEBPVP8 ') },
    { name: 'a GIF of another age', bytes: Buffer.from('GIF90a') },
    { name: 'one byte more than allowed', bytes: padded(LOGO_MAX_BYTES + 1) },
  ])('rejects a logo of $name', async ({ bytes }) => {
    await expect(readLogo(bytes)).rejects.toMatchObject({ code: 'IMAGE_INVALID' });
  });

  it('answers damaged files only with its own error', async () => {
    const originals = [
      'logo.png',
      'logo-plain.gif',
      'logo-interlaced.gif',
      'logo-baseline.jpg',
      'logo-progressive.jpg',
    ].map(file);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...originals),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 255 })), {
          maxLength: 5,
        }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (original, changes, cut) => {
          const bytes = original.slice(0, cut > 0.5 ? original.length : Math.floor(cut * 2 * original.length));
          for (const [where, value] of changes) bytes[Math.floor(where * bytes.length)] = value;
          await readLogo(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(ImageInvalidError));
        },
      ),
      { numRuns: 600 },
    );
  });
});
