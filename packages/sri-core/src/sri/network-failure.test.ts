import { describe, expect, it } from 'vitest';
import { AnswerTooLargeError } from './answer-body.js';
import { NotConnectedError, toUnavailable } from './network-failure.js';

const coded = (code: string) => Object.assign(new Error(`secret ${code}`), { code });

describe('a call without an answer', () => {
  it.each([
    { name: 'refused', error: coded('ECONNREFUSED'), status: 503, arrived: false },
    { name: 'no such name', error: coded('ENOTFOUND'), status: 503, arrived: false },
    { name: 'names not answered', error: coded('EAI_AGAIN'), status: 503, arrived: false },
    { name: 'no route', error: coded('EHOSTUNREACH'), status: 503, arrived: false },
    { name: 'expired certificate', error: coded('CERT_HAS_EXPIRED'), status: 503, arrived: false },
    { name: 'self-signed certificate', error: coded('DEPTH_ZERO_SELF_SIGNED_CERT'), status: 503, arrived: false },
    { name: 'another name on it', error: coded('ERR_TLS_CERT_ALTNAME_INVALID'), status: 503, arrived: false },
    { name: 'no TLS there', error: coded('ERR_SSL_WRONG_VERSION_NUMBER'), status: 503, arrived: false },
    { name: 'connecting takes too long', error: coded('UND_ERR_CONNECT_TIMEOUT'), status: 504, arrived: false },
    { name: 'reset', error: coded('ECONNRESET'), status: 503, arrived: true },
    { name: 'closed by the other side', error: coded('UND_ERR_SOCKET'), status: 503, arrived: true },
    { name: 'broken pipe', error: coded('EPIPE'), status: 503, arrived: true },
    { name: 'TLS broken later', error: coded('EPROTO'), status: 503, arrived: true },
    { name: 'no headers', error: coded('UND_ERR_HEADERS_TIMEOUT'), status: 504, arrived: true },
    { name: 'no body', error: coded('UND_ERR_BODY_TIMEOUT'), status: 504, arrived: true },
    { name: 'system timeout', error: coded('ETIMEDOUT'), status: 504, arrived: true },
    { name: 'own time limit', error: new DOMException('x', 'TimeoutError'), status: 504, arrived: true },
    { name: 'marked by the connector', error: new NotConnectedError(coded('EPROTO')), status: 503, arrived: false },
    {
      name: 'connector out of time',
      error: new NotConnectedError(coded('UND_ERR_CONNECT_TIMEOUT')),
      status: 504,
      arrived: false,
    },
    {
      name: 'fetch, which hides the cause',
      error: new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }),
      status: 503,
      arrived: false,
    },
    {
      name: 'every address of a name refused',
      error: new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]),
      status: 503,
      arrived: false,
    },
    { name: 'an unknown error', error: new Error('secret'), status: 503, arrived: true },
    { name: 'not even an error', error: 'secret', status: 503, arrived: true },
  ])('reports a call without an answer, $name: $status', ({ error, status, arrived }) => {
    const filed = toUnavailable(error);
    expect(filed).toMatchObject({ httpStatus: `HTTP_${status}`, mayHaveArrived: arrived, network: true });
    expect(filed.message).not.toContain('secret');
    expect(filed.cause).toBe(error);
  });

  it('does not retry an endless answer', () => {
    expect(toUnavailable(new AnswerTooLargeError('x'))).toMatchObject({ httpStatus: 'HTTP_504', network: false });
  });

  it('survives circular causes of a network failure', () => {
    const one = new Error('one');
    one.cause = one;
    expect(toUnavailable(one).httpStatus).toBe('HTTP_503');
  });
});
