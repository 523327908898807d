import { describe, expect, it } from 'vitest';
import { checkAnswer } from './answer-check.js';

const problem = {
  type: 'http://localhost:3000/docs/errors/unauthorized',
  title: 'Not authenticated',
  status: 401,
  code: 'UNAUTHORIZED',
  detail: 'The API key is missing or not valid.',
  instance: '/v1/catalogs',
  requestId: 'req_1234',
};
const catalogs = { ok: true, catalogs: ['id-types'] };

// Every other test relies on this check, so it must be able to fail.
describe('the check of answers', () => {
  it.each([
    ['a body as described', 200, catalogs],
    ['a refusal as described', 401, problem],
  ])('the check accepts %s', async (_name, status, body) => {
    await expect(checkAnswer('GET', '/v1/catalogs?x=1', Response.json(body, { status }))).resolves.toBeUndefined();
  });

  it.each([
    ['a status that is not described', 418, catalogs],
    ['a field that is not described', 200, { ...catalogs, more: 1 }],
    ['a field of another type', 200, { ok: true, catalogs: [1] }],
    ['a field that is missing', 200, { ok: true }],
    ['a code that the route does not name', 401, { ...problem, code: 'CONFLICT' }],
    ['a member of a refusal that is not described', 401, { ...problem, stack: 'at …' }],
  ])('the check rejects %s', async (_name, status, body) => {
    await expect(checkAnswer('GET', '/v1/catalogs', Response.json(body, { status }))).rejects.toThrow(
      'GET /v1/catalogs',
    );
  });

  it('the check rejects a header that is not described', async () => {
    const answer = Response.json(catalogs, { headers: { 'x-template-version': '1.0' } });
    await expect(checkAnswer('GET', '/v1/catalogs', answer)).rejects.toThrow('knows no header x-template-version');
  });

  it('the check rejects another media type', async () => {
    await expect(checkAnswer('GET', '/v1/catalogs', new Response('<p>'))).rejects.toThrow('knows no text/plain');
  });
});
