import { deflateSync, gzipSync } from 'node:zlib';
import { type Expected, invalidField } from './refusal.js';

type Bytes = string | Uint8Array | ReadableStream<Uint8Array>;

/** A body sent where JSON is expected. */
export interface RawBody {
  readonly name: string;
  /** Created for every request, since a stream is read once. */
  readonly body: () => Bytes;
  readonly headers?: Readonly<Record<string, string>>;
  /** The expected refusal; null if it is as valid as the original body. */
  readonly expected: Expected | null;
}

const MEBIBYTE = 1024 * 1024;
const HALF_A_MILLION = 500_000;
const MALFORMED = invalidField('body');
const TOO_LARGE: Expected = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
const WRONG_TYPE = invalidField('header:Content-Type');
const WRONG_ENCODING = invalidField('header:Content-Encoding');

/**
 * Variants of a valid body, which is an object or a list of objects.
 *
 * @param mostBytes the largest body that is read.
 */
export function jsonBodies(goodBody: unknown, mostBytes: number): readonly RawBody[] {
  const good = JSON.stringify(goodBody);
  const end = Array.isArray(goodBody) ? '}]' : '}';
  const withMore = (more: string) => `${good.slice(0, -end.length)}${good === '{}' ? '' : ','}${more}${end}`;
  const bytes = Buffer.from(good);
  return [
    ...refused(MALFORMED, {
      'only blanks': '   ',
      'a text': '"x"',
      null: 'null',
      true: 'true',
      'a number beyond all': '1e400',
      'cut off': good.slice(0, -1),
      'one byte': '{',
      'garbage after it': `${good}}`,
      'two bodies': `${good}${good}`,
      'two lines': `${good}\n${good}`,
      'a comment': `/* x */${good}`,
      'a comma too many': `${good.slice(0, -1)},}`,
      'a byte order mark': `\ufeff${good}`,
      'UTF-16': Buffer.from(good, 'utf16le'),
      'UTF-16 with its mark': Buffer.from(`\ufeff${good}`, 'utf16le'),
      'UTF-32': Buffer.from([...good].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0])),
      'Latin-1': Buffer.from(withMore('"x":"\u00f1"'), 'latin1'),
      'bytes that are no UTF-8': Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff, 0xc0), Buffer.from('"}')]),
      'an overlong encoding': Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xc0, 0xaf), Buffer.from('"}')]),
      'an encoded surrogate': Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}')]),
      'half a letter at the end': Buffer.concat([bytes.subarray(0, -1), Buffer.of(0xc3)]),
      'single quotes': "{'a':1}",
      'names without quotes': '{a:1}',
      NaN: '{"a":NaN}',
      'a hexadecimal number': '{"a":0x10}',
      'a number with a zero before it': '{"a":01}',
      'a line break in a text': '{"a":"x\ny"}',
      NUL: Buffer.of(0),
      'NUL after it': Buffer.concat([bytes, Buffer.of(0)]),
      XML: '<?xml version="1.0"?><factura/>',
      'a form': 'documentType=01',
      'a thousand levels': `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`,
      'sixty-five levels': withMore(`"x":${'['.repeat(64)}${']'.repeat(64)}`),
      'eight thousand lists': `{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`,
      'zip bytes': gzipSync(good),
    }),
    ...(Array.isArray(goodBody)
      ? [
          ...refused(MALFORMED, { 'an object': '{}', 'an object of the body': `{"body":${good}}` }),
          ...refused(invalidField('[0]'), { 'a list of the body': `[${good}]` }),
        ]
      : refused(MALFORMED, { 'a list': '[]', 'a list of the body': `[${good}]` })),
    ...refused(invalidField('__proto__'), {
      __proto__: withMore('"__proto__":{"canIssue":true}'),
      '__proto__ written in escapes': withMore('"\\u005f_proto__":{}'),
      '__proto__ within a list': withMore('"x":[[{"__proto__":null}]]'),
    }),
    ...refused(invalidField('constructor'), { 'a constructor': withMore('"x":{"constructor":{"prototype":{}}}') }),
    ...refused(invalidField('prototype'), { 'a prototype': withMore('"prototype":1') }),
    ...['text/plain', 'text/json', 'application/jsonx', 'application/x-www-form-urlencoded', ';', 'x'.repeat(5000)].map(
      (type): RawBody => ({
        name: `of type ${type.slice(0, 40)}`,
        body: () => good,
        headers: { 'content-type': type },
        expected: WRONG_TYPE,
      }),
    ),
    ...['iso-8859-1', 'utf-16', 'utf-7'].map(
      (charset): RawBody => ({
        name: `in ${charset}`,
        body: () => good,
        headers: { 'content-type': `application/json; charset=${charset}` },
        expected: WRONG_TYPE,
      }),
    ),
    { name: 'gzip', body: () => gzipSync(good), headers: { 'content-encoding': 'gzip' }, expected: WRONG_ENCODING },
    {
      name: 'deflate',
      body: () => deflateSync(good),
      headers: { 'content-encoding': 'deflate' },
      expected: WRONG_ENCODING,
    },
    {
      name: 'a gzip bomb',
      body: () => gzipSync(Buffer.alloc(10 * MEBIBYTE)),
      headers: { 'content-encoding': 'identity, gzip' },
      expected: WRONG_ENCODING,
    },
    {
      name: 'half a million lists',
      body: () => '['.repeat(HALF_A_MILLION),
      expected: mostBytes < HALF_A_MILLION ? TOO_LARGE : MALFORMED,
    },
    {
      name: 'sixty thousand fields that no route knows',
      body: () => withMore(Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(',')),
      expected: mostBytes < HALF_A_MILLION ? TOO_LARGE : MALFORMED,
    },
    { name: 'a byte more than is read', body: () => padded(good, mostBytes + 1), expected: TOO_LARGE },
    { name: 'ten mebibytes in pieces', body: () => inPieces(padded(good, 10 * MEBIBYTE)), expected: TOO_LARGE },
    { name: 'endless', body: () => endless(), expected: TOO_LARGE },
    { name: 'as much as is read', body: () => padded(good, mostBytes), expected: null },
    { name: 'in pieces', body: () => inPieces(good), expected: null },
    { name: 'between blanks', body: () => ` \r\n\t${good}\n `, expected: null },
    {
      name: 'odd values in unknown fields',
      body: () => withMore('"zz":[1e400,-0,1e-400,"\\u0000\\ud800\\uffff",{"a":{"b":[]}}],"":0,"a b":null'),
      expected: null,
    },
    {
      name: 'all that it says twice',
      body: () => (good === '{}' ? good : `${good.slice(0, -end.length)},${good.slice(end.length)}`),
      expected: null,
    },
    {
      name: 'its type in capitals, with a charset and a parameter',
      body: () => good,
      headers: { 'content-type': 'APPLICATION/JSON; charset="UTF-8"; x=y' },
      expected: null,
    },
    {
      name: 'not compressed, and says so',
      body: () => good,
      headers: { 'content-encoding': 'identity' },
      expected: null,
    },
  ];
}

// --- internal ---

function refused(expected: Expected, bodies: Readonly<Record<string, string | Uint8Array>>): RawBody[] {
  return Object.entries(bodies).map(([name, body]) => ({ name, body: () => body, expected }));
}

/** Pads a text with blanks to a size in bytes. */
function padded(text: string, size: number): string {
  return text + ' '.repeat(size - Buffer.byteLength(text));
}

function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text);
  const size = Math.max(1, Math.ceil(bytes.length / 20));
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(Uint8Array.from(bytes.subarray(at, at + size)));
      at += size;
    },
  });
}

function endless(): ReadableStream<Uint8Array> {
  const blanks = new Uint8Array(65_536).fill(0x20);
  return new ReadableStream({ pull: (controller) => controller.enqueue(blanks) });
}
