import { describe, expect, it } from 'vitest';
import * as errors from '../errors.js';
import { describeError, inLanguage } from './describe-error.js';
import { createFailure } from './messages.js';

const EXACT = 'The exact words of the library.';
const failure = createFailure('items[0].quantity', 'required', undefined, 'es');
const unavailable = { httpStatus: 'HTTP_504', mayHaveArrived: true, network: false } as const;
/** Each class is constructed as in the code that throws it. Classes with only a message are constructed below. */
const SPECIAL: Readonly<Record<string, errors.SriError>> = {
  ValidationError: new errors.ValidationError([failure, failure]),
  XmlNotSignableError: new errors.XmlNotSignableError('duplicateId', EXACT),
  SriUnavailableError: new errors.SriUnavailableError(EXACT, unavailable),
  InvalidTransitionError: new errors.InvalidTransitionError('be sent', 'AUTHORIZED'),
  WebhookVerificationError: new errors.WebhookVerificationError('age'),
};
type MadeOfMessage = new (message: string) => errors.SriError;
const classes = Object.values(errors).flatMap((value) =>
  typeof value === 'function' && value !== errors.SriError ? [value as unknown as MadeOfMessage] : [],
);
const make = (kind: MadeOfMessage) => SPECIAL[kind.name] ?? new kind(EXACT);

describe.each(classes.map((kind) => ({ name: kind.name, kind })))('$name', ({ kind }) => {
  const error = make(kind);

  it('an error has its sentence in Spanish and in English, from either language', () => {
    const [es, en] = [describeError(error, 'es'), describeError(error, 'en')];
    expect(es).not.toBe(en);
    // Spanish by its words, with every value filled in.
    expect(es).toMatch(/[áéíóúñ]|\b(el|la|un|una|no|es|ese|este|esta|solo|al|con|en)\b/i);
    expect(`${es}${en}`).not.toMatch(/\{\w+\}|undefined/);
  });

  it('an error changes its message to a language, and back', () => {
    const made = make(kind);
    const [es, en] = [describeError(made, 'es'), describeError(made, 'en')];
    for (const [language, text] of [
      ['es', es],
      ['en', en],
      ['es', es],
      ['es', es],
      ['en', en],
    ] as const) {
      expect(inLanguage(made, language)).toBe(made);
      expect(made.message).toBe(text);
    }
    expect([describeError(made, 'es'), describeError(made, 'en')]).toEqual([es, en]);
  });
});

describe('an error', () => {
  it('every class of errors has a case in this file', () => {
    expect(classes.length).toBeGreaterThan(25);
    for (const name of Object.keys(SPECIAL)) expect(classes.map((kind) => kind.name)).toContain(name);
  });

  it('an error names its subject', () => {
    expect(describeError(SPECIAL['InvalidTransitionError'], 'es')).toContain('AUTHORIZED');
    expect(describeError(SPECIAL['SriUnavailableError'], 'es')).toContain('HTTP_504');
    expect(describeError(SPECIAL['ValidationError'], 'en')).toBe(
      'items[0].quantity: This field is required. (and 1 more)',
    );
    const found = { es: 'Es un PDF.', en: 'It is a PDF.' };
    expect(describeError(new errors.CertificateInvalidError(EXACT, found), 'es')).toBe('Es un PDF.');
  });

  it('an error of another library stays unchanged', () => {
    const other = new TypeError('other');
    expect([describeError(other, 'es'), describeError('text', 'es'), inLanguage(other, 'es')]).toEqual([
      'other',
      'text',
      other,
    ]);
    expect(other.message).toBe('other');
  });
});
