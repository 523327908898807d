import { describe, expect, it } from 'vitest';
import { checkCedula, checkRuc } from './identification.js';

describe('cédula', () => {
  it.each([
    ['1710034065', 'right'],
    ['3050000001', 'wrong'],
    ['1710034064', 'wrong'],
    ['2510034065', 'wrong'],
    ['0010034065', 'wrong'],
    ['1790034065', 'wrong'],
    ['171003406', 'wrong'],
    ['17100340655', 'wrong'],
    ['171003406A', 'wrong'],
    ['', 'wrong'],
  ])('the cédula %s is %s', (cedula, verdict) => {
    expect(checkCedula(cedula)).toBe(verdict);
  });

  it('checkCedula accepts people registered abroad (30) and foreigners (third digit 6)', () => {
    const complete = (nine: string) =>
      Array.from({ length: 10 }, (_, digit) => nine + digit).filter((cedula) => checkCedula(cedula) === 'right');
    expect(complete('300000000')).toHaveLength(1);
    expect(complete('176000000')).toHaveLength(1);
    expect(complete('177000000')).toHaveLength(0);
  });
});

describe('RUC', () => {
  it.each([
    { name: 'a person', ruc: '1710034065001', verdict: 'right' },
    { name: 'a person with a wrong digit', ruc: '1710034064001', verdict: 'wrong' },
    { name: 'a public body (the SRI)', ruc: '1760013210001', verdict: 'right' },
    { name: 'a public body with a wrong digit', ruc: '1760013220001', verdict: 'uncertain' },
    { name: 'a company', ruc: '1791234561001', verdict: 'right' },
    { name: 'an active company without the algorithm', ruc: '1793213150001', verdict: 'uncertain' },
    { name: 'another active company', ruc: '1793189906001', verdict: 'uncertain' },
    { name: 'another active company', ruc: '0993366721001', verdict: 'uncertain' },
    { name: 'another active company', ruc: '0993370026001', verdict: 'uncertain' },
    { name: 'another active company', ruc: '0993381661001', verdict: 'uncertain' },
    { name: 'a class not in use', ruc: '1770013210001', verdict: 'uncertain' },
    { name: 'twelve digits', ruc: '179001691900', verdict: 'wrong' },
    { name: 'letters', ruc: '17900169190AA', verdict: 'wrong' },
  ])('checkRuc judges $name', ({ ruc, verdict }) => {
    expect(checkRuc(ruc)).toBe(verdict);
  });
});
