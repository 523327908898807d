import { describe, expect, it } from 'vitest';
import { describeFailure, describeWarning } from './describe-rule.js';
import { createFailure, WARNING_RULES, type WarningCode } from './messages.js';

describe('messages', () => {
  it('describeFailure translates a failure from its rule and parameters', () => {
    const failure = createFailure('items[0].description', 'maxLength', { max: 300 }, 'es');
    expect(failure).toEqual({
      field: 'items[0].description',
      rule: 'maxLength',
      code: 'items.description',
      message: 'Debe tener como máximo 300 caracteres.',
      params: { max: 300 },
    });
    expect(describeFailure(failure, 'en')).toBe('Must have at most 300 characters.');
  });

  it('describeFailure names types in the language of the message', () => {
    expect(describeFailure({ rule: 'type', params: { expected: 'array' } }, 'es')).toBe('Debe ser una lista.');
    expect(describeFailure({ rule: 'type', params: { expected: 'array' } }, 'en')).toBe('Must be a list.');
  });

  it('describeFailure names the year of a form in the language of the message', () => {
    const failure = { rule: 'pattern', params: { form: 'MM/YYYY' } };
    expect(describeFailure(failure, 'es')).toBe('Debe tener la forma MM/AAAA.');
    expect(describeFailure(failure, 'en')).toBe('Must have the form MM/YYYY.');
  });

  it('describeFailure returns a text for any rule', () => {
    for (const rule of ['unheard of', '__proto__', 'toString', '']) {
      expect(describeFailure({ rule }, 'es')).toBe('No es válido.');
      expect(describeFailure({ rule }, 'en')).toBe('Is not valid.');
    }
  });

  it('describeWarning describes every warning in both languages, with all parameters filled in', () => {
    const params = { expected: '1.00', max: '50.00', form: 'N', percent: 10, named: 'N', own: 'M' };
    for (const code of Object.keys(WARNING_RULES) as WarningCode[]) {
      const [es, en] = [describeWarning({ code, params }, 'es'), describeWarning({ code, params }, 'en')];
      expect(es, code).not.toBe(en);
      expect(`${es}${en}`, `the text of ${code} in documents/messages.ts`).not.toMatch(/[{}]|No es válido/);
    }
  });
});
