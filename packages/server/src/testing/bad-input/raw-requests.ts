/** A request as the bytes on the wire, which no client library would send. */
export interface RawRequest {
  readonly name: string;
  readonly text: string;
  /** The allowed statuses of each answer, in the order of the answers. Empty: no answer. */
  readonly answers: readonly (readonly number[])[];
}

/** The caller of the requests. */
export interface RawCaller {
  readonly apiKey: string;
  readonly issuerId: string;
}

const CLOSE = 'Connection: close';
/** A request that gets an answer if the server parses it as one. */
const SMUGGLED = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const REFUSED = [400];

/** Requests with wrong or ambiguous framing. The server must parse nothing after them as a request. */
export function framingCases({ apiKey, issuerId }: RawCaller): readonly RawRequest[] {
  const head = [
    'POST /v1/documents HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${apiKey}`,
    `X-Issuer-Id: ${issuerId}`,
    'Content-Type: application/json',
  ];
  const post = (headers: readonly string[], body: string) => `${[...head, ...headers].join('\r\n')}\r\n\r\n${body}`;
  const one = (name: string, headers: readonly string[], body: string): RawRequest => ({
    name,
    text: post(headers, body),
    answers: [REFUSED],
  });
  const chunked = 'Transfer-Encoding: chunked';
  return [
    one('a length and chunks', ['Content-Length: 4', chunked], `0\r\n\r\n${SMUGGLED}`),
    one('chunks and a length', [chunked, 'Content-Length: 4'], `0\r\n\r\n${SMUGGLED}`),
    one('two lengths', ['Content-Length: 2', 'Content-Length: 3'], `{}${SMUGGLED}`),
    one('two lengths in one', ['Content-Length: 2, 3'], `{}${SMUGGLED}`),
    one('a length with a plus', ['Content-Length: +2'], `{}${SMUGGLED}`),
    one('a length below zero', ['Content-Length: -1'], SMUGGLED),
    one('a hexadecimal length', ['Content-Length: 0x2'], `{}${SMUGGLED}`),
    one('a length with an exponent', ['Content-Length: 1e1'], `{}${SMUGGLED}`),
    one('a length beyond all', ['Content-Length: 99999999999999999999'], '{}'),
    one('a length of words', ['Content-Length: two'], `{}${SMUGGLED}`),
    one('a length in the name of which a blank stands', ['Content-Length : 2'], `{}${SMUGGLED}`),
    one('chunks in the name of which a blank stands', ['Transfer-Encoding : chunked'], `0\r\n\r\n${SMUGGLED}`),
    one('an unknown encoding', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${SMUGGLED}`),
    one('chunks that are not last', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${SMUGGLED}`),
    one('chunks twice', [chunked, 'Transfer-Encoding: identity'], `0\r\n\r\n${SMUGGLED}`),
    one('a chunk of an invalid size', [chunked], `zz\r\n{}\r\n0\r\n\r\n${SMUGGLED}`),
    one('a chunk of a size with a minus', [chunked], `-2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`),
    one('a chunk of a size with 0x', [chunked], `0x2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`),
    one('a chunk of a size beyond all', [chunked], `fffffffffffffffff\r\n{}\r\n0\r\n\r\n${SMUGGLED}`),
    one('a chunk longer than it says', [chunked], `1\r\n{}\r\n0\r\n\r\n${SMUGGLED}`),
    one('a chunk ended by a line feed alone', [chunked], `2\n{}\n0\n\n${SMUGGLED}`),
    one('a remark of 40 KB on a chunk', [chunked], `2;${'x'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`),
    one('a folded header', ['X-A: b\r\n c'], SMUGGLED),
    one('a header without a colon', ['broken'], SMUGGLED),
    one('a header without a name', [': x'], SMUGGLED),
    one('NUL in a header', ['X-A: a\0b'], SMUGGLED),
    one('a carriage return alone in a header', ['X-A: a\rX-B: c'], SMUGGLED),
    one('40 KB of headers', [`X-A: ${'x'.repeat(40_000)}`], SMUGGLED),
    one('a blank in the name of a header', ['X A: b'], SMUGGLED),
    one('a key of 17 KB', [`Authorization: Bearer ${'x'.repeat(17_000)}`], SMUGGLED),
    { name: 'no host', text: `GET /healthz HTTP/1.1\r\n\r\n${SMUGGLED}`, answers: [REFUSED] },
    {
      name: 'two hosts',
      text: `GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${SMUGGLED}`,
      answers: [[200, 400], [200]],
    },
    { name: 'no version', text: `GET /healthz\r\n\r\n${SMUGGLED}`, answers: [[200, 400]] },
    { name: 'version 2', text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', answers: [REFUSED] },
    { name: 'version 9', text: `GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n${SMUGGLED}`, answers: [REFUSED] },
    {
      name: 'a method in small letters',
      text: `get /healthz HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`,
      answers: [REFUSED],
    },
    { name: 'an unknown method', text: `BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`, answers: [REFUSED] },
    { name: 'a method of 20 KB', text: `${'A'.repeat(20_000)} / HTTP/1.1\r\nHost: x\r\n\r\n`, answers: [REFUSED] },
    { name: 'a line feed alone between lines', text: 'GET /healthz HTTP/1.1\nHost: x\n\n', answers: [REFUSED] },
    { name: 'a NUL in the path', text: `GET /v1/\0 HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`, answers: [REFUSED] },
    { name: 'a blank in the path', text: `GET /v1/ x HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`, answers: [REFUSED] },
    { name: 'another protocol', text: 'EHLO mail\r\n\r\n', answers: [REFUSED] },
    { name: 'TLS', text: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', answers: [REFUSED] },
    { name: 'random bytes', text: '\x00\xff\xfe\r\n\r\n\x80', answers: [REFUSED] },
    {
      name: 'more bytes than the length says',
      text: `${post(['Content-Length: 2'], '{}')}garbage\r\n\r\n`,
      answers: [REFUSED, REFUSED],
    },
    { name: 'a TRACE', text: `TRACE /v1/documents HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n\r\n`, answers: [[405]] },
    {
      name: 'an upgrade',
      text: `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
      answers: [[200]],
    },
    {
      name: 'a web socket',
      text: `GET /v1/tenants/me HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGVzdA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      answers: [[401]],
    },
    {
      name: 'an impossible expectation',
      text: post(['Content-Length: 2', 'Expect: miracle', CLOSE], '{}'),
      answers: [[400, 417]],
    },
    {
      name: 'an expectation to go on',
      text: post(['Content-Length: 2', 'Expect: 100-continue', CLOSE], '{}'),
      answers: [[100], REFUSED],
    },
    {
      name: 'a body of a request without one',
      text: `GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nabcd${SMUGGLED}`,
      answers: [[200], [200]],
    },
    {
      name: 'three requests at once',
      text: `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n${post(['Content-Length: 2'], '{}')}${SMUGGLED}`,
      answers: [[200], REFUSED, [200]],
    },
    {
      name: 'a hundred requests at once',
      text: `${'GET /v1/tenants/me HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(99)}${SMUGGLED}`,
      answers: [...Array.from({ length: 99 }, () => [401]), [200]],
    },
    {
      name: 'two thousand headers',
      text: post([...Array.from({ length: 2100 }, (_, index) => `A${index}: b`), CLOSE], ''),
      answers: [REFUSED],
    },
    { name: 'two keys, first the good key', text: keys(apiKey, 'Bearer x'), answers: [[401]] },
    { name: 'two keys, last the good key', text: keys('x', `Bearer ${apiKey}`), answers: [[401]] },
    {
      name: 'two issuers',
      text: post([`X-Issuer-Id: ${issuerId}`, 'Content-Length: 2', CLOSE], '{}'),
      answers: [REFUSED],
    },
    {
      name: 'two types',
      text: post(['Content-Type: text/plain', 'Content-Length: 2', CLOSE], '{}'),
      answers: [REFUSED],
    },
  ];
}

/** Invalid hosts, and those of others. */
export const HOSTS: readonly string[] = [
  '',
  'evil.example',
  'evil.example:99999',
  'user:pass@evil.example',
  '[::1',
  'a b',
  'a<script>',
  '../..',
  'a/b',
  'a?b',
  'a#b',
  'x'.repeat(5000),
  '\xff\xfe',
  '%00',
  '1.1.1.1, 2.2.2.2',
];

/** Spellings of a path that must not bypass the key check of `GET /v1/tenants/me`. */
export const PATH_TRICKS: readonly string[] = [
  '/v1/tenants/me/',
  '//v1/tenants/me',
  '/v1//tenants/me',
  '///v1/tenants/me',
  '/v1/tenants//me',
  '/v1/./tenants/me',
  '/./v1/tenants/me',
  '/healthz/../v1/tenants/me',
  '/healthz/%2e%2e/v1/tenants/me',
  '/healthz/%2E%2E%2Fv1/tenants/me',
  '/healthz/..%2fv1/tenants/me',
  '/healthz/%252e%252e/v1/tenants/me',
  '/healthz/..;/v1/tenants/me',
  '/healthz/%c0%ae%c0%ae/v1/tenants/me',
  '/healthz/\\..\\v1\\tenants\\me',
  '/v1/register/../tenants/me',
  '/v1/verify-email/%2e%2e/tenants/me',
  '/v1/tenants/me;x=y',
  '/v1;x/tenants/me',
  '/v1/tenants;x/me',
  '/v1/tenants/me%3bx',
  '/v1/tenants/me%20',
  '/v1/tenants/me%00',
  '/v1/tenants/me%0a',
  '/v1/tenants/me?',
  '/v1/tenants/me?x=/healthz',
  '/v1/tenants/me#/healthz',
  '/v1/tenants/me%23',
  '/v1/tenants/me.json',
  '/v1/tenants/me/../me',
  '/v1/tenants/%6de',
  '/v1/%74enants/me',
  '/%76%31/tenants/me',
  '/v1%2ftenants%2fme',
  '/v1/tenants%2fme',
  '/v1\\tenants\\me',
  '\\v1\\tenants\\me',
  '/V1/TENANTS/ME',
  '/v1/Tenants/me',
  '/v1/tenants/me*',
  '*',
  'http://elsewhere/v1/tenants/me',
  'http://elsewhere//v1/tenants/me',
  'https://user:pass@elsewhere:99999/v1/tenants/me',
  'file:///v1/tenants/me',
  'healthz/../v1/tenants/me',
  '/%',
  '/%zz',
  '/v1/tenants/%ff',
  `/v1/tenants/${'a'.repeat(12_000)}`,
  `/${'../'.repeat(3000)}v1/tenants/me`,
  `/${'%2e%2e/'.repeat(1500)}v1/tenants/me`,
  `/${'/'.repeat(10_000)}v1/tenants/me`,
];

// --- internal ---

function keys(first: string, second: string): string {
  const lines = [
    'GET /v1/tenants/me HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${first}`,
    `Authorization: ${second}`,
  ];
  return `${[...lines, CLOSE].join('\r\n')}\r\n\r\n`;
}
