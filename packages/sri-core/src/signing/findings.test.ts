import { describe, expect, it } from 'vitest';
import { Findings, quote } from './findings.js';
import { VERIFICATION_ADVICE } from './verification-advice.js';

describe('a value from the document', () => {
  it.each([
    { name: 'is quoted', text: 'a "b"', shown: '"a \\"b\\""' },
    { name: 'shows no control characters', text: 'a\n\u001b[31m', shown: '"a\\n\\u001b[31m"' },
    { name: 'is whole up to a hundred characters', text: 'x'.repeat(100), shown: `"${'x'.repeat(100)}"` },
    { name: 'is cut after a hundred', text: 'x'.repeat(101), shown: `"${'x'.repeat(100)}…"` },
    { name: 'may be empty', text: '', shown: '""' },
    { name: 'may be missing', text: null, shown: 'nothing' },
  ])('a value from the document $name', ({ text, shown }) => {
    expect(quote(text)).toBe(shown);
  });
});

describe('the checks of one verification', () => {
  it('the checks of a verification pass when none failed and every required check ran', () => {
    const findings = new Findings();
    findings.pass('wellFormed', 'It is.');
    expect(findings.allPassed(['wellFormed'])).toBe(true);
    expect(findings.allPassed(['wellFormed', 'structure'])).toBe(false);
    findings.fail('keyValue', 'It is not.');
    expect(findings.allPassed(['wellFormed'])).toBe(false);
  });

  it('a failed check has the advice of its cause, or its default', () => {
    const findings = new Findings();
    findings.pass('wellFormed', 'It is.');
    findings.fail('keyInfoDigest', 'Not so.', 'reformatted');
    findings.fail('keyInfoDigest', 'Not so.');
    expect(findings.checks).toEqual([
      { check: 'wellFormed', ok: true, detail: 'It is.' },
      { check: 'keyInfoDigest', ok: false, detail: 'Not so.', advice: VERIFICATION_ADVICE.reformatted },
      { check: 'keyInfoDigest', ok: false, detail: 'Not so.', advice: VERIFICATION_ADVICE.keyInfoDigest },
    ]);
  });
});
