import { describe, expect, it } from 'vitest';
import { describeSriCode, SRI_CODES } from './codes.js';

describe('the codes of the SRI', () => {
  it('the codes of the SRI are over thirty, unique, each described in both languages', () => {
    expect(SRI_CODES.length).toBeGreaterThanOrEqual(30);
    expect(new Set(SRI_CODES.map(({ code }) => code)).size).toBe(SRI_CODES.length);
    for (const { code, meaning, advice, sriText } of SRI_CODES) {
      for (const text of [meaning.es, meaning.en, advice.es, advice.en]) {
        expect(text, code).toMatch(/^\S.{5,160}[.]$/);
      }
      expect(meaning.es, code).not.toBe(meaning.en);
      expect(sriText, code).toBe(sriText.toUpperCase());
    }
  });

  it.each([
    ['43', { kind: 'error', who: 'nobody', retryable: false, sameKey: true, phase: 'reception' }],
    ['45', { kind: 'error', who: 'software', retryable: false, sameKey: false, phase: 'reception' }],
    ['50', { kind: 'error', who: 'sri', retryable: true, sameKey: true, phase: 'reception' }],
    ['70', { kind: 'error', who: 'sri', retryable: false, sameKey: true, phase: 'reception' }],
    ['65', { kind: 'error', sameKey: false, phase: 'reception' }],
    ['39', { kind: 'error', who: 'software', sameKey: true, phase: 'authorization' }],
    ['37', { kind: 'error', who: 'issuer', phase: 'authorization' }],
    ['60', { kind: 'warning', who: 'nobody', phase: 'authorization' }],
  ])('describes the code %s', (code, expected) => {
    expect(describeSriCode(code)).toMatchObject({ code, ...expected });
  });

  it('distinguishes 39 for a certificate that the issuer has to replace from 39 for a broken signature', () => {
    const said = ['No existe el RUC en el certificado', 'La validacion de la cadena de confianza ha fallado'];
    const reported = said.map((text) => describeSriCode('39', text));
    expect(new Set(reported).size).toBe(2);
    for (const known of reported) {
      expect(known).toMatchObject({ code: '39', who: 'issuer', sameKey: true, retryable: false });
      const texts = [known?.meaning, known?.advice].flatMap((both) => [both?.es, both?.en]);
      for (const text of texts) expect(text).toMatch(/^\S.{5,160}[.]$/);
    }
    expect(describeSriCode('39', 'La firma es invalida [Firma inválida (firma y/o certificados alterados)]')?.who).toBe(
      'software',
    );
    expect(describeSriCode('39', null)?.who).toBe('software');
    expect(describeSriCode('2', 'No existe el RUC en el certificado')?.code).toBe('2');
  });

  it('a resend of the same bytes cures one code alone', () => {
    expect(SRI_CODES.filter(({ retryable }) => retryable).map(({ code }) => code)).toEqual(['50']);
    // A returned document is sent again once it is rebuilt.
    const toSend = SRI_CODES.filter(({ advice }) => /(?<!not )send\b/i.test(advice.en));
    expect(toSend.map(({ code }) => code)).toEqual(['2', '28', '50']);
    for (const { advice } of toSend)
      expect(`${advice.en} ${advice.es}`).toMatch(/rebuild.* reconstruya el comprobante/);
  });

  it('knows 59, 60, 62 and 68 as warnings', () => {
    const warnings = SRI_CODES.filter(({ kind }) => kind === 'warning').map(({ code }) => code);
    expect(warnings).toEqual(['59', '60', '62', '68']);
  });

  it.each([
    [' 070 ', '70'],
    ['0002', '2'],
    ['0', undefined],
    ['1234', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('reads %j as the code %s', (text, code) => {
    expect(describeSriCode(text)?.code).toBe(code);
  });
});
