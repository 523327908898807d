import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { blotOut, LOG_FIELDS, toLogFields } from './log-fields.js';
import { createLogger } from './logging.js';

const PACKAGES = fileURLToPath(new URL('../../../../', import.meta.url));

describe('the log', () => {
  it('the log writes known fields with plain values, and names other fields without their values', () => {
    const body = { certPassword: 'p2', token: 'p3' };
    const fields = { requestId: 'r1', status: 200, isOurs: true, code: null, place: ['at a'], tenantId: undefined };
    expect(toLogFields({ ...fields, password: 'p1', body, reason: body, apiKey: 'p4' })).toEqual({
      requestId: 'r1',
      status: 200,
      isOurs: true,
      code: null,
      place: ['at a'],
      dropped: ['password', 'body', 'reason', 'apiKey'],
    });
  });

  it.each([
    ['an API key', 'for sri_test_0123456789abcdefghijABCDEFGHIJ0123456789 nothing', 'for [secret] nothing'],
    ['a webhook secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLw+/=', '[secret]'],
    ['a token', `link?token=${'0a'.repeat(32)}&x`, 'link?token=[secret]&x'],
    ['a master key', `k1:${Buffer.alloc(32, 7).toString('base64')}`, 'k1:[secret]'],
    ['a private key', 'no: -----BEGIN PRIVATE KEY-----\nMIIE', 'no: [secret]'],
    ['a header', 'sent Authorization: Bearer abc.def', 'sent Authorization: [secret]'],
    ['a password in an address', 'smtp://user:p%40ss@mail.ec:25 refused', 'smtp://[secret]@mail.ec:25 refused'],
    [
      'somebody',
      '550 <maria@ejemplo.com.ec>: unknown, sent by ana@x.ec',
      '550 <[address]>: unknown, sent by [address]',
    ],
  ])('the log redacts %s', (_, text, shown) => {
    expect(blotOut(text)).toBe(shown);
  });

  it.each([
    '2111202601179001234500110010020000000011234567813',
    '0199c2a4-0000-7000-8000-000000000000',
    'req_0199c2a4000070008000000000000000',
    'connect ECONNREFUSED 127.0.0.1:25',
    '/v1/documents/:accessKey',
    'HTTP_503',
  ])('the log leaves %s unchanged', (text) => {
    expect(blotOut(text)).toBe(text);
  });

  it.each([
    ['a password in an address', 'smtp://user:secreta@', 'smtp://[secret]@'],
    ['a master key', Buffer.alloc(32, 7).toString('base64'), '[secret]'],
    ['somebody', 'maria@ejemplo.ec', '[address]'],
  ])('the log redacts %s at the cut of a long text', (_, text, shown) => {
    for (let cut = 1; cut < text.length; cut += 1) {
      const before = '- '.repeat(500).slice(cut);
      expect(blotOut(`${before}${text} and more`)).toBe(`${before}${shown} and more`.slice(0, 1000));
    }
  });

  it('the log truncates long texts', () => {
    expect(blotOut('x'.repeat(5000))).toHaveLength(1000);
    expect(toLogFields({ place: Array.from({ length: 90 }, () => 'at') })['place']).toHaveLength(20);
  });

  it('the log redacts every line', () => {
    const lines: string[] = [];
    const logger = createLogger({ logLevel: 'info', logFormat: 'json' }, { write: (line) => void lines.push(line) });
    logger.error({ error: 'for maria@ejemplo.ec', secret: 'p1' }, 'oops');
    expect(JSON.parse(lines.join(''))).toEqual({
      level: 'error',
      time: expect.any(String),
      error: 'for [address]',
      dropped: ['secret'],
      msg: 'oops',
    });
  });

  it('the list of fields has every field that the sources log', () => {
    const passed = sources().flatMap((text) =>
      [...text.matchAll(/logger\.(?:info|warn|error)\(\s*\{([^{}]*)\}/g)].flatMap(([, fields = '']) =>
        fields
          .split(',')
          .map((field) => /^\s*(\w+)\s*(?::|$)/.exec(field)?.[1])
          .filter((name) => name !== undefined),
      ),
    );
    expect(passed.length).toBeGreaterThan(30);
    expect(passed.filter((name) => !LOG_FIELDS.has(name))).toEqual([]);
  });
});

// --- internal ---

function sources(): readonly string[] {
  return ['server/src', 'sri-core/src'].flatMap((folder) =>
    readdirSync(join(PACKAGES, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing/'))
      .map((file) => readFileSync(join(PACKAGES, folder, file), 'utf8')),
  );
}
