import { type Expected, invalidField } from './refusal.js';

/** A form as its bytes. */
export interface RawForm {
  readonly name: string;
  readonly type: string;
  readonly body: () => Uint8Array | ReadableStream<Uint8Array>;
  /** The expected refusal; null if the form is as valid as any form with those fields. */
  readonly expected: Expected | null;
}

/** A part of a form as it is written. */
interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** After the name, in the same header. */
  readonly more?: string;
  /** Further headers. */
  readonly headers?: string;
}

const MALFORMED = invalidField('body');
const WRONG_TYPE = invalidField('header:Content-Type');
const TOO_LARGE: Expected = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
const TYPE = 'multipart/form-data; boundary=B';

/** The largest form that is read. */
const LIMIT = 10 * 1024 * 1024;

/** Variants of a valid form; `file` is the name of the file field, `text` that of a text field. */
export function formBodies(good: {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly text: string;
}): readonly RawForm[] {
  const file: Part = { name: good.file, content: good.bytes, more: '; filename="a.p12"' };
  const texts = Object.entries(good.fields).map(([name, content]): Part => ({ name, content }));
  const without = texts.filter(({ name }) => name !== good.text);
  const parts = [file, ...texts];
  const form = (name: string, all: readonly Part[], expected: Expected | null = null): RawForm => ({
    name,
    type: TYPE,
    body: () => encode(all),
    expected,
  });
  const raw = (name: string, text: string, expected: Expected | null = MALFORMED): RawForm => ({
    name,
    type: TYPE,
    body: () => Buffer.from(text, 'latin1'),
    expected,
  });
  const typed = (name: string, type: string, expected: Expected | null, boundary = 'B'): RawForm => ({
    name,
    type,
    body: () => encode(parts, boundary),
    expected,
  });
  const called = (name: string, more: string) => form(`a file ${name}`, [{ ...file, more }, ...texts]);
  const twice = (name: string, part: Part) => form(name, [...parts, part], invalidField(part.name));
  const whole = Buffer.from(encode(parts));
  const unread = without.length + 2;
  return [
    form('as it should be', parts),
    typed('no boundary', 'multipart/form-data', MALFORMED),
    typed('an empty boundary', 'multipart/form-data; boundary=', MALFORMED),
    typed('an empty boundary in quotes', 'multipart/form-data; boundary=""', MALFORMED),
    typed('a boundary of 71 characters', `multipart/form-data; boundary=${'b'.repeat(71)}`, MALFORMED, 'b'.repeat(71)),
    typed(
      'a boundary of 300 characters',
      `multipart/form-data; boundary=${'b'.repeat(300)}`,
      MALFORMED,
      'b'.repeat(300),
    ),
    typed('a boundary of 70 characters', `multipart/form-data; boundary=${'b'.repeat(70)}`, null, 'b'.repeat(70)),
    typed('another boundary', 'multipart/form-data; boundary=C', MALFORMED),
    typed('a boundary in quotes', 'multipart/form-data; boundary="B"', null),
    typed('a boundary of signs', `multipart/form-data; boundary="'()+_,-./:=?"`, null, "'()+_,-./:=?"),
    typed('a boundary with a line break', 'multipart/form-data; boundary="B C"', MALFORMED),
    typed('another kind of form', 'multipart/mixed; boundary=B', WRONG_TYPE),
    typed('the kind of related parts', 'multipart/related; boundary=B', WRONG_TYPE),
    typed('a charset', 'multipart/form-data; boundary=B; charset=utf-16', WRONG_TYPE),
    typed('the charset it has anyway', 'multipart/form-data; boundary=B; charset=UTF-8', null),
    typed('capitals in its type', 'MULTIPART/Form-Data; BOUNDARY=B', null),
    raw('no body', ''),
    raw('only blanks', '   '),
    raw('only a beginning', '--B\r\n'),
    raw('a beginning twice', '--B\r\n--B\r\n--B--'),
    raw('no end', whole.toString('latin1').replace(/--B--\r\n$/, '')),
    raw('an end cut short', whole.toString('latin1').replace(/--\r\n$/, '')),
    raw('cut in the file', whole.subarray(0, 300).toString('latin1')),
    raw('line feeds alone', whole.toString('latin1').replaceAll('\r\n', '\n')),
    raw('a part without headers', '--B\r\n\r\nx\r\n--B--\r\n'),
    raw('a part without a name', '--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n'),
    raw('a part of another disposition', '--B\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n--B--\r\n'),
    raw('a header without a colon', '--B\r\nContent-Disposition\r\n\r\nx\r\n--B--\r\n'),
    raw('a name without its end', '--B\r\nContent-Disposition: form-data; name="a\r\n\r\nx\r\n--B--\r\n'),
    raw('headers without end', '--B\r\nContent-Disposition: form-data; name="a"\r\nX: y'),
    raw('a megabyte of one header', `--B\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n\r\n--B--\r\n`),
    raw('fifty thousand headers', `--B\r\n${'X: y\r\n'.repeat(50_000)}\r\nx\r\n--B--\r\n`),
    raw('JSON', '{"email":"a@b.ec"}'),
    form('31 parts', repeated({ name: 'zz', content: 'x' }, 31), MALFORMED),
    form('ten thousand parts', repeated({ name: 'zz', content: 'x' }, 10_000), MALFORMED),
    form('as many parts as there may be', [...parts, ...repeated({ name: 'zz', content: 'x' }, 29 - unread)]),
    twice('the file twice', file),
    twice('the same text twice', { name: good.text, content: good.fields[good.text] ?? '' }),
    twice('a text beside the file', { name: good.file, content: 'x' }),
    form('a text for the file', [{ name: good.file, content: 'x' }, ...texts], invalidField(good.file)),
    form(
      'a file for the text',
      [file, ...without, { name: good.text, content: 'x', more: '; filename="x"' }],
      invalidField(good.text),
    ),
    form(
      'text in Latin-1',
      [file, ...without, { name: good.text, content: Buffer.from('Comercial \xd1and\xfa', 'latin1') }],
      invalidField(good.text),
    ),
    form(
      'text in UTF-16 that says so',
      [
        file,
        ...without,
        {
          name: good.text,
          content: Buffer.from('Comercial', 'utf16le'),
          headers: 'Content-Type: text/plain; charset=utf-16',
        },
      ],
      invalidField(good.text),
    ),
    form(
      'overlong letters',
      [file, ...without, { name: good.text, content: Buffer.of(0xc0, 0xaf) }],
      invalidField(good.text),
    ),
    form('NUL in a text', [file, ...without, { name: good.text, content: 'a\0b' }], invalidField(good.text)),
    form('the boundary in a text', [file, ...without, { name: good.text, content: '--B x --B-- y' }]),
    form('a boundary that begins alike in a text', [file, ...without, { name: good.text, content: 'x\r\n--A y' }]),
    form('unknown parts', [...parts, { name: '__proto__', content: 'x' }, { name: 'constructor', content: 'x' }]),
    form('a part without a word for a name', [...parts, { name: '', content: 'x' }]),
    form('a part with a name of 64 KiB', [...parts, { name: 'n'.repeat(65_536), content: 'x' }]),
    form('a form in a part', [
      ...parts,
      {
        name: 'zz',
        content: encode(parts, 'C'),
        more: '; filename="x"',
        headers: 'Content-Type: multipart/mixed; boundary=C',
      },
    ]),
    form('a part that says it is base64', [
      file,
      ...texts.map((part) => ({ ...part, headers: 'Content-Transfer-Encoding: 8bit' })),
    ]),
    called('with a path for a name', '; filename="../../../etc/passwd"'),
    called('with a path of Windows for a name', '; filename="C:\\\\windows\\\\system32"'),
    called('with an empty name', '; filename=""'),
    called('with a quote in its name', '; filename="a%22b.p12"'),
    called('with a name of 60 KB', `; filename="${'x'.repeat(60_000)}"`),
    called('with markup in its name', '; filename="<script>alert(1)</script>"'),
    called('with SQL in its name', `; filename="a'; drop table tenants;--"`),
    called('with an escape in its name', '; filename="%2e%2e%2f"'),
    {
      name: 'a byte more than ten mebibytes',
      type: TYPE,
      body: () => Buffer.alloc(LIMIT + 1, 0x20),
      expected: TOO_LARGE,
    },
    { name: 'a hundred mebibytes in pieces', type: TYPE, body: () => manyPieces(encode([file])), expected: TOO_LARGE },
  ];
}

// --- internal ---

function encode(parts: readonly Part[], boundary = 'B'): Uint8Array {
  const written = parts.flatMap(({ name, content, more = '', headers }) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n`),
    Buffer.from(headers === undefined ? '\r\n' : `${headers}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]);
}

function repeated(part: Part, count: number): Part[] {
  return Array.from({ length: count }, () => part);
}

function manyPieces(first: Uint8Array): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(65_536);
  let left = 1600;
  return new ReadableStream({
    start: (controller) => controller.enqueue(Uint8Array.from(first)),
    pull(controller) {
      left -= 1;
      if (left < 0) controller.close();
      else controller.enqueue(piece);
    },
  });
}
