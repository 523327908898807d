import { CertificatePasswordError, InvalidTransitionError, StorageUnavailableError, ValidationError } from 'sri-core';
import { describe, expect, it } from 'vitest';
import { PROBLEMS, type ProblemCode, problemKind, REASONS } from '../errors/error-catalogue.js';
import { invalid, Refusal, ruleFailure } from '../errors/refusal.js';
import { toProblem, toRefusal } from './problem.js';

const context = { language: 'es', instance: '/v1/x', requestId: 'req_1', docsUrl: 'https://d.ec' } as const;

describe('the catalogue of errors', () => {
  it.each(Object.entries(PROBLEMS))(
    '[R372] the catalogue of errors has %s in both languages',
    (code, { title, detail, status }) => {
      for (const text of [title, detail]) {
        expect(text.es.length).toBeGreaterThan(3);
        expect(text.en.length).toBeGreaterThan(3);
        expect(text.es).not.toBe(text.en);
      }
      expect(problemKind(code as ProblemCode)).toMatch(/^[a-z-]+$/);
      expect(status).toBeGreaterThanOrEqual(400);
    },
  );

  it.each(Object.entries(REASONS))('the catalogue of errors has the reason %s in both languages', (_reason, text) => {
    expect(text.es).not.toBe(text.en);
  });
});

describe('a problem', () => {
  it('[R371] [R372] [R373] a problem has the fields of the contract', () => {
    expect(toProblem(new Refusal('NOT_FOUND', { reason: 'ISSUER_NOT_FOUND' }), context)).toEqual({
      status: 404,
      headers: {},
      body: {
        type: 'https://d.ec/errors/not-found',
        title: 'No encontrado',
        status: 404,
        code: 'NOT_FOUND',
        reason: 'ISSUER_NOT_FOUND',
        detail: 'No existe ese emisor.',
        instance: '/v1/x',
        requestId: 'req_1',
      },
    });
  });

  it('a problem lists at most fifty broken rules', () => {
    const failures = Array.from({ length: 60 }, (_, index) => ruleFailure(`items[${index}].quantity`, 'required'));
    const { body } = toProblem(invalid(failures), context);
    expect(body['errors']).toHaveLength(50);
    expect(body['detail']).toBe('50 campos no son válidos.');
    expect((body['errors'] as unknown[])[3]).toEqual({
      field: 'items[3].quantity',
      rule: 'required',
      message: expect.any(String),
      code: 'items.quantity',
    });
  });

  it.each(['json', 'contentType'])('a problem of the rule %s names the encoding', (rule) => {
    const failure = ruleFailure('body', rule, { expected: 'application/json' });
    expect(JSON.stringify(toProblem(invalid([failure]), context).body)).toContain('en UTF-8');
  });

  it.each([
    [new InvalidTransitionError('be sent', 'AUTHORIZED'), 400, 'BAD_REQUEST', 'INVALID_STATE_TRANSITION'],
    [new CertificatePasswordError('…'), 400, 'BAD_REQUEST', 'CERTIFICATE_PASSWORD_INVALID'],
    [new StorageUnavailableError('…'), 503, 'SERVICE_UNAVAILABLE', undefined],
    [new ValidationError([]), 400, 'VALIDATION_FAILED', undefined],
    [new Error('secret'), 500, 'INTERNAL_ERROR', undefined],
    ['a text', 500, 'INTERNAL_ERROR', undefined],
    [undefined, 500, 'INTERNAL_ERROR', undefined],
  ])('[R375] an error becomes a problem without its text: %s', (error, status, code, reason) => {
    const refusal = toRefusal(error);
    const problem = toProblem(refusal, context);
    expect([problem.status, refusal.code, refusal.details.reason]).toEqual([status, code, reason]);
    expect(JSON.stringify(problem.body)).not.toContain('secret');
    expect(problem.headers['retry-after']).toBe(status === 503 ? '2' : undefined);
  });
});
