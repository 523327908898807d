import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { TRIES_ALL } from './sample.js';

/** The outcome of an image: stored, or the reason of its refusal. */
export type ImageOutcome = 'TAKEN' | 'FILE_TOO_LARGE' | 'UNSUPPORTED_IMAGE';

/** A file sent as a logo. */
export interface SentImage {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly outcome: ImageOutcome;
}

/** Content hidden in some of the images, which no stored image may contain. */
export const HIDDEN = /<script|<\?php|%PDF|PK\x03\x04|javascript:|EXIF-NOTE/;

/** Images of every kind, good, odd and hostile. */
export function sentImages(): readonly SentImage[] {
  const png = readImage('logo.png');
  const jpeg = readImage('logo-baseline.jpg');
  const gif = readImage('logo-plain.gif');
  const taken: Readonly<Record<string, Uint8Array>> = {
    PNG: png,
    'PNG with a palette and transparency': readImage('logo-16-colours.png'),
    'PNG of 16 bits': pngOf({ width: 9, height: 9, depth: 16, colour: 6 }),
    'PNG of one bit': pngOf({ width: 9, height: 9, depth: 1, colour: 0 }),
    JPEG: jpeg,
    'progressive JPEG': readImage('logo-progressive.jpg'),
    'grey JPEG': readImage('logo-gray.jpg'),
    'JPEG of four inks': readImage('logo-cmyk.jpg'),
    GIF: gif,
    'GIF with pictures that follow': readImage('logo-animated.gif'),
    'interlaced GIF': readImage('logo-interlaced.gif'),
    'PNG and HTML': Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]),
    'PNG and PHP': Buffer.concat([png, Buffer.from('<?php system($_GET[0]); ?>')]),
    'PNG and PDF': Buffer.concat([png, Buffer.from('%PDF-1.7\n')]),
    'PNG and ZIP': Buffer.concat([png, Buffer.from('PK\x03\x04')]),
    'JPEG and HTML': Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]),
    'JPEG with a remark': jpegWith(jpeg, 0xfe, '<script>alert(1)</script>'),
    'JPEG with notes of a camera': jpegWith(jpeg, 0xe1, 'Exif\0\0EXIF-NOTE<script>'),
    'GIF and HTML': Buffer.concat([gif, Buffer.from('<script>alert(1)</script>')]),
    'PNG with a text': pngWith(png, 'tEXt', 'Comment\0<script>alert(1)</script>'),
    'PNG with an unfolding text': pngWith(png, 'zTXt', 'a\0\0', deflateSync(Buffer.alloc(20_000_000))),
    'PNG with a profile that unfolds': pngWith(png, 'iCCP', 'a\0\0', deflateSync(Buffer.alloc(20_000_000))),
    'as many bytes as there may be': padded(png, LIMIT),
    'as many pixels as there may be': pngOf({ width: 4096, height: 4096, depth: 8, colour: 6 }),
    'as many pixels, each of one bit': pngOf({ width: 4096, height: 4096, depth: 1, colour: 0 }),
    'as many pixels of as many colours': pngOf({ width: 4096, height: 4096, depth: 8, colour: 2, isGradient: true }),
    ...(TRIES_ALL ? { 'as many pixels of 16 bits': pngOf({ width: 4096, height: 4096, depth: 16, colour: 6 }) } : {}),
    'one row of 4096': pngOf({ width: 4096, height: 1, depth: 8, colour: 2 }),
    'one column of 4096': pngOf({ width: 1, height: 4096, depth: 8, colour: 2 }),
  };
  const refused: Readonly<Record<string, Uint8Array>> = {
    'an empty file': new Uint8Array(),
    'one byte': Uint8Array.of(0x89),
    SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    WebP: Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'),
    BMP: Buffer.from('BM\x46\0\0\0\0\0\0\0\x36\0\0\0', 'latin1'),
    ICO: Buffer.from('0000010001001010000001002000', 'hex'),
    TIFF: Buffer.from('49492a0008000000', 'hex'),
    'a PDF': Buffer.from('%PDF-1.7\n%%EOF'),
    HTML: Buffer.from('<html><script>alert(1)</script></html>'),
    'HTML before a PNG': Buffer.concat([Buffer.from('<script>'), png]),
    'the first bytes of a PNG': png.subarray(0, 8),
    'a PNG of 65 535 pixels a side': pngHead(65_535, 65_535),
    'a PNG of 2^31 pixels a side': pngHead(0x7fffffff, 0x7fffffff),
    'a PNG of 2^32 pixels a side': pngHead(0xffffffff, 0xffffffff),
    'a PNG of 4097 pixels a side': pngHead(4097, 4097),
    'a PNG without pixels': pngHead(0, 0),
    'a PNG with a wrong check sum': png.map((byte, index) => (index === 30 ? byte ^ 1 : byte)),
    'a PNG of 4096 pixels a side that ends early': pngHead(4096, 4096),
    'a PNG that unfolds to more than its pixels ask for, and is broken': pngBroken(),
    'a GIF of 65 535 pixels a side': gif.map((byte, index) => (index >= 6 && index < 10 ? 255 : byte)),
    'a JPEG of 65 535 pixels a side': jpegSized(jpeg, 65_535),
    'a JPEG of 4097 pixels a side': jpegSized(jpeg, 4097),
    'a JPEG without a picture': Buffer.from('ffd8ffd9', 'hex'),
    'a JPEG of markers alone': Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(400_000, 0xff)]),
    'a JPEG of many empty remarks': Buffer.concat([
      Buffer.from('ffd8', 'hex'),
      Buffer.alloc(400_000, Buffer.from('fffe0002', 'hex')),
    ]),
    'a GIF of many empty blocks': Buffer.concat([
      gif.subarray(0, 13),
      Buffer.alloc(400_000, Buffer.from('21fe00', 'hex')),
    ]),
    ...cuts('a PNG', png),
    ...cuts('a JPEG', jpeg),
    ...cuts('a GIF', gif),
  };
  return [
    ...Object.entries(taken).map(([name, bytes]): SentImage => ({ name, bytes, outcome: 'TAKEN' })),
    ...Object.entries(refused).map(([name, bytes]): SentImage => ({ name, bytes, outcome: 'UNSUPPORTED_IMAGE' })),
    { name: 'a byte too many', bytes: padded(png, LIMIT + 1), outcome: 'FILE_TOO_LARGE' },
    { name: '700 000 bytes', bytes: padded(png, 700_000), outcome: 'FILE_TOO_LARGE' },
  ];
}

// --- internal ---

const LIMIT = 500 * 1024;
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const CHANNELS = { 0: 1, 2: 3, 6: 4 } as const;

function readImage(name: string): Uint8Array {
  return Uint8Array.from(readFileSync(new URL(`../../../../sri-core/fixtures/ride/${name}`, import.meta.url)));
}

function padded(bytes: Uint8Array, size: number): Uint8Array {
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
}

function cuts(name: string, bytes: Uint8Array): Readonly<Record<string, Uint8Array>> {
  const shares = [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => Math.floor(bytes.length * share));
  return Object.fromEntries(shares.map((at) => [`${name} cut at ${at}`, bytes.subarray(0, at)]));
}

function chunk(type: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type), body]);
  const whole = Buffer.alloc(body.length + 12);
  whole.writeUInt32BE(body.length);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), body.length + 8);
  return whole;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly depth: 1 | 8 | 16;
  /** Grey, colours, or colours with transparency. */
  readonly colour: keyof typeof CHANNELS;
  /** Each row differs slightly from the one above, which gives more colours than a palette can hold. */
  readonly isGradient?: boolean;
}

function head({ width, height, depth, colour }: Picture): Buffer {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(width);
  body.writeUInt32BE(height, 4);
  body.set([depth, colour], 8);
  return chunk('IHDR', body);
}

function pngOf(picture: Picture): Uint8Array {
  const { width, height, depth, colour, isGradient = false } = picture;
  const row = 1 + Math.ceil((width * depth * CHANNELS[colour]) / 8);
  const rows = Buffer.alloc(row * height);
  // The filter «up»: every byte is one more than the one above it.
  if (isGradient)
    for (let y = 0; y < height; y += 1)
      rows.fill(Buffer.of(1, 2, 3), y * row + 1, (y + 1) * row).fill(2, y * row, y * row + 1);
  const pixels = chunk('IDAT', deflateSync(rows));
  return Buffer.concat([SIGNATURE, head(picture), pixels, chunk('IEND', new Uint8Array())]);
}

function pngHead(width: number, height: number): Uint8Array {
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(1000)));
  const first = head({ width, height, depth: 8, colour: 6 });
  return Buffer.concat([SIGNATURE, first, pixels, chunk('IEND', new Uint8Array())]);
}

/** 400 MB of zeros in 400 KB, after a filter that does not exist. */
function pngBroken(): Uint8Array {
  const pixels = deflateSync(Buffer.concat([Buffer.of(9), Buffer.alloc(100_000_000)]));
  const first = head({ width: 100, height: 100, depth: 8, colour: 6 });
  return Buffer.concat([SIGNATURE, first, chunk('IDAT', pixels), chunk('IEND', new Uint8Array())]);
}

/** Adds a chunk after the header. */
function pngWith(png: Uint8Array, type: string, text: string, more: Uint8Array = new Uint8Array()): Uint8Array {
  const body = Buffer.concat([Buffer.from(text, 'latin1'), more]);
  return Buffer.concat([png.subarray(0, 33), chunk(type, body), png.subarray(33)]);
}

function jpegWith(jpeg: Uint8Array, marker: number, text: string): Uint8Array {
  const body = Buffer.from(text, 'latin1');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.of(0xff, marker), length, body, jpeg.subarray(2)]);
}

/** Sets other dimensions in the frame (SOF0). */
function jpegSized(jpeg: Uint8Array, side: number): Uint8Array {
  const copy = Buffer.from(jpeg);
  const frame = copy.indexOf(Buffer.of(0xff, 0xc0));
  copy.writeUInt16BE(side, frame + 5);
  copy.writeUInt16BE(side, frame + 7);
  return copy;
}
