import { ImageInvalidError } from '../errors.js';

/** A JPEG with its size after orientation. */
export interface CleanJpeg {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/**
 * Copies the segments that form the picture of a JPEG: baseline or progressive, grey, colour or CMYK. Comments, camera
 * notes, thumbnails, profiles and trailing bytes are left out. Of Exif only the orientation stays. The picture is neither
 * decoded nor recompressed.
 *
 * @throws ImageInvalidError when a segment is damaged, of another coding, or missing.
 * @see ITU-T T.81, annex B.
 */
export function cleanJpeg(bytes: Uint8Array): CleanJpeg {
  const kept: Uint8Array[] = [];
  let frame: Frame | null = null;
  let orientation = 1;
  let isJfif = false;
  let adobe: Uint8Array | null = null;
  let scans = 0;
  let at = 2;
  for (;;) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1; // a marker may start with more than one FF
    const marker = bytes[at] === 0xff ? (bytes[at + 1] ?? 0) : 0;
    if (marker === END) break;
    const body = segmentAt(bytes, at + 2);
    const whole = bytes.subarray(at, at + 4 + body.length);
    at += whole.length;
    if (FRAMES.includes(marker)) {
      if (frame) refuse('it has two heads');
      frame = readFrame(body);
      kept.push(whole);
    } else if (marker === SCAN) {
      scans += 1;
      if (!frame || scans > MOST_SCANS) refuse('its scans are out of order');
      const end = endOfScan(bytes, at);
      kept.push(whole, bytes.subarray(at, end));
      at = end;
    } else if (marker === QUANTIZATION || marker === HUFFMAN || marker === RESTART_INTERVAL) {
      checkTable(marker, body);
      kept.push(whole);
    } else if (marker === APP0) isJfif ||= startsWith(body, 'JFIF\0');
    else if (marker === APP1) orientation = exifOrientation(body) ?? orientation;
    else if (marker === APP14 && startsWith(body, 'Adobe') && body.length >= 12) adobe = body.subarray(0, 12);
    else if (!isNote(marker)) refuse('its coding is unknown');
  }
  if (!frame || scans === 0) refuse('it has no picture');
  // Only Adobe's note says whether four inks are stored inverted.
  if (frame.components === 4 && !adobe) refuse('its CMYK colours are of no known kind');
  const notes = [
    isJfif && !adobe ? JFIF : [],
    adobe ? [0xff, APP14, 0, adobe.length + 2, ...adobe] : [],
    orientation === 1 ? [] : exifOf(orientation),
  ];
  const isTurned = orientation > 4;
  return {
    width: isTurned ? frame.height : frame.width,
    height: isTurned ? frame.width : frame.height,
    bytes: Buffer.concat([Uint8Array.of(0xff, 0xd8), ...notes.map((note) => Uint8Array.from(note)), ...kept, EOI]),
  };
}

/** Whether the bytes start as a JPEG. */
export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

// --- internal ---

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly components: number;
}

/** Baseline, extended and progressive, by Huffman codes. */
const FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2];
const HUFFMAN = 0xc4;
const END = 0xd9;
const SCAN = 0xda;
const QUANTIZATION = 0xdb;
const RESTART_INTERVAL = 0xdd;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP14 = 0xee;
const EOI = Uint8Array.of(0xff, END);
/** Encoders make about ten. Each scan costs the PDF reader time. */
const MOST_SCANS = 64;
/** Version 1.1, square pixels, no thumbnail. */
const JFIF = [0xff, APP0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0];

function refuse(reason: string): never {
  throw new ImageInvalidError(`The JPEG cannot be read: ${reason}.`);
}

function segmentAt(bytes: Uint8Array, at: number): Uint8Array {
  const length = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  if (length < 2 || at + length > bytes.length) refuse('it is cut off');
  return bytes.subarray(at + 2, at + length);
}

function isNote(marker: number): boolean {
  return (marker >= APP0 && marker <= 0xef) || marker === 0xfe;
}

function startsWith(body: Uint8Array, text: string): boolean {
  return Array.from(text).every((character, index) => body[index] === character.charCodeAt(0));
}

function readFrame(body: Uint8Array): Frame {
  const [precision, high = 0, low = 0, wide = 0, narrow = 0, components = 0] = body;
  const height = (high << 8) | low;
  const width = (wide << 8) | narrow;
  if (precision !== 8 || ![1, 3, 4].includes(components) || body.length !== 6 + 3 * components) {
    refuse('its head is damaged');
  }
  return { width, height, components };
}

/** A table holds exactly what its lengths say. Other bytes could hide in it. */
function checkTable(marker: number, body: Uint8Array): void {
  if (marker === RESTART_INTERVAL) {
    if (body.length !== 2) refuse('a table is damaged');
    return;
  }
  let at = 0;
  while (at < body.length) {
    const kind = body[at] ?? 0;
    if (marker === QUANTIZATION) at += 1 + (kind >> 4 === 0 ? 64 : 128);
    else at += 17 + body.subarray(at + 1, at + 17).reduce((total, count) => total + count, 0);
  }
  if (at !== body.length) refuse('a table is damaged');
}

/** The next marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return refuse('it is cut off');
}

/** 1 to 8 as in Exif; null when the segment has no orientation. */
function exifOrientation(body: Uint8Array): number | null {
  if (!startsWith(body, 'Exif\0\0') || body.length < 14) return null;
  const tiff = new DataView(body.buffer, body.byteOffset + 6, body.length - 6);
  const isLittle = tiff.getUint16(0) === 0x4949;
  const directory = tiff.getUint32(4, isLittle);
  if (directory + 2 > tiff.byteLength) return null;
  const entries = tiff.getUint16(directory, isLittle);
  for (let entry = directory + 2; entry < directory + 2 + entries * 12; entry += 12) {
    if (entry + 12 > tiff.byteLength) return null;
    if (tiff.getUint16(entry, isLittle) !== 0x0112) continue;
    const value = tiff.getUint16(entry + 8, isLittle);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

/** An Exif segment with the orientation alone. */
function exifOf(orientation: number): readonly number[] {
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0];
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  return [0xff, APP1, 0, 2 + exif.length + tiff.length, ...exif, ...tiff];
}
