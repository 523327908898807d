import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitParts } from './multipart-parts.js';

const MAX = 30;
const head = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n`;

function split(form: string, boundary = 'B') {
  const parts = splitParts(Buffer.from(form, 'latin1'), boundary, MAX);
  return parts?.map(({ name, filename, content }) => [name, filename, Buffer.from(content).toString('latin1')]) ?? null;
}

describe('the parts of a form', () => {
  it('splits a form into the parts that were sent, byte for byte, under any boundary', () => {
    const boundaries = fc.string({ unit: fc.constantFrom(...'AB-+_.0'), minLength: 1, maxLength: 4 });
    // Made of boundary characters, so that the contents resemble boundaries.
    const contents = fc.string({ unit: fc.constantFrom(...'AB-+\r\n\0\u00ff'), maxLength: 30 });
    fc.assert(
      fc.property(boundaries, fc.array(contents, { maxLength: 5 }), (boundary, texts) => {
        // Content with a whole boundary line cannot be sent under that boundary.
        fc.pre(texts.every((text) => !`\r\n${text}\r\n`.includes(`\r\n--${boundary}`)));
        const parts = texts.map((text) => `--${boundary}\r\n${head('a')}${text}\r\n`);
        expect(split(`${parts.join('')}--${boundary}--`, boundary)).toEqual(texts.map((text) => ['a', null, text]));
      }),
      { numRuns: 2000 },
    );
  });

  it('reads garbage without an error, in little time', () => {
    const garbage = fc.string({
      unit: fc.constantFrom('--B', '\r\n', '--', ':', 'a', '"', ';', head('a')),
      maxLength: 40,
    });
    fc.assert(
      fc.property(garbage, (form) => {
        const parts = split(form);
        expect(parts === null || Array.isArray(parts)).toBe(true);
      }),
      { numRuns: 5000 },
    );
    for (const piece of ['--B', '\r\n--B', '--B\r\n', `\r\n--B\r\n${head('a', '; filename="\\"')}`, '\r\n', '-']) {
      const startedAt = performance.now();
      split(piece.repeat(Math.ceil(4_000_000 / piece.length)));
      expect(performance.now() - startedAt).toBeLessThan(2000);
    }
  });

  it.each([
    {
      name: 'a preamble and an epilogue',
      form: `hello\r\n--B\r\n${head('a')}x\r\n--B--\r\nbye`,
      parts: [['a', null, 'x']],
    },
    { name: 'blanks after the boundary', form: `--B \t\r\n${head('a')}x\r\n--B--`, parts: [['a', null, 'x']] },
    {
      name: 'a line that starts like it',
      form: `--B\r\n${head('a')}x\r\n--Bee\r\n--B--`,
      parts: [['a', null, 'x\r\n--Bee']],
    },
    { name: 'an empty part', form: `--B\r\n${head('a')}\r\n--B--`, parts: [['a', null, '']] },
    { name: 'no part', form: '--B--', parts: [] },
    {
      name: 'a name without quotes',
      form: `--B\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--B--`,
      parts: [['a', null, 'x']],
    },
    {
      name: 'the file name first',
      form: `--B\r\ncontent-disposition:form-data;filename="f; name=b";name="a"\r\n\r\nx\r\n--B--`,
      parts: [['a', 'f; name=b', 'x']],
    },
    {
      name: 'a quote in a file name',
      form: `--B\r\n${head('a', '; filename="f\\"g"')}x\r\n--B--`,
      parts: [['a', 'f\\"g', 'x']],
    },
    {
      name: 'a backslash at the end of one',
      form: `--B\r\n${head('a', '; filename="C:\\"')}x\r\n--B--`,
      parts: [['a', 'C:\\', 'x']],
    },
    {
      name: 'a file name of RFC 5987 alone',
      form: `--B\r\n${head('a', "; filename*=UTF-8''f")}x\r\n--B--`,
      parts: [['a', "UTF-8''f", 'x']],
    },
    {
      name: 'other headers',
      form: `--B\r\nContent-Type: text/plain\r\n${head('a')}x\r\n--B--`,
      parts: [['a', null, 'x']],
    },
    { name: 'two names', form: `--B\r\n${head('a', '; name="b"')}x\r\n--B--`, parts: null },
    {
      name: 'two dispositions',
      form: `--B\r\nContent-Disposition: form-data; name="b"\r\n${head('a')}x\r\n--B--`,
      parts: null,
    },
    { name: 'no name', form: '--B\r\nContent-Disposition: form-data; filename="f"\r\n\r\nx\r\n--B--', parts: null },
    { name: 'no end', form: `--B\r\n${head('a')}x\r\n`, parts: null },
    { name: 'nothing', form: '', parts: null },
  ])('reads a form with $name', ({ form, parts }) => {
    expect(split(form)).toEqual(parts);
  });

  it('returns at most one part more than the limit', () => {
    const part = `--B\r\n${head('a')}x\r\n`;
    expect(split(`${part.repeat(MAX)}--B--`)).toHaveLength(MAX);
    expect(split(`${part.repeat(10_000)}--B--`)).toHaveLength(MAX + 1);
  });
});
