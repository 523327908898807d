import { describe, expect, it } from 'vitest';
import { isEmailAddress } from '../platform/email-address.js';
import { judgeRedirectUrl, redirectHosts } from './redirect-url.js';

describe('[R137] the target of a verification link', () => {
  it.each([
    { url: 'https://app.ec/verificar?x=1', production: true, hosts: ['app.ec'], broken: null },
    { url: 'https://app.ec/', production: true, hosts: [], broken: 'urlHost' },
    { url: 'http://localhost:5173/', production: false, hosts: ['localhost:5173'], broken: null },
    { url: 'http://app.ec/', production: true, hosts: [], broken: 'url' },
    { url: 'javascript:alert(1)', production: false, hosts: [], broken: 'url' },
    { url: '//app.ec/', production: false, hosts: [], broken: 'url' },
    { url: 'https://user@app.ec/', production: false, hosts: [], broken: 'url' },
    { url: 'https://', production: false, hosts: [], broken: 'url' },
    { url: `https://app.ec/${'x'.repeat(2048)}`, production: false, hosts: [], broken: 'maxLength' },
    { url: 'https://app.ec/', production: true, hosts: ['app.ec'], broken: null },
    { url: 'https://app.ec:8443/', production: true, hosts: ['app.ec:8443'], broken: null },
    { url: 'https://app.ec.evil.com/', production: true, hosts: ['app.ec'], broken: 'urlHost' },
    { url: 'https://sub.app.ec/', production: true, hosts: ['app.ec'], broken: 'urlHost' },
  ])('judges $url as $broken (production: $production, hosts: $hosts)', ({ url, production, hosts, broken }) => {
    expect(judgeRedirectUrl(url, { production, hosts })).toBe(broken);
  });
});

describe('the hosts of the server itself', () => {
  it.each([
    ['https://app.ec/verificar', null],
    ['https://app.ec:8443/verificar', 'urlHost'],
    ['http://localhost:3000/', null],
    ['http://localhost:5173/', 'urlHost'],
    ['http://web.ec:5173/', null],
  ])('the hosts of the server allow %s: %s', (url, broken) => {
    const hosts = redirectHosts(['https://app.ec/x', 'http://localhost:3000'], ['web.ec']);
    expect(judgeRedirectUrl(url, { production: false, hosts })).toBe(broken);
  });
});

describe('[R127] an address', () => {
  it.each(['a@b.ec', "o'hara+x@sub.domain.example", 'A.B-c_d@x-y.org', `${'a'.repeat(64)}@b.ec`])(
    'accepts %s as an address',
    (text) => {
      expect(isEmailAddress(text)).toBe(true);
    },
  );

  it.each([
    '',
    'a',
    'a@b',
    'a@b.c',
    '@b.ec',
    'a@@b.ec',
    'a b@c.ec',
    'a@b.ec ',
    '"a"@b.ec',
    'a(x)@b.ec',
    '.a@b.ec',
    'a..b@c.ec',
    'a@-b.ec',
    'a@b-.ec',
    'a@[127.0.0.1]',
    'Nombre <a@b.ec>',
    'a@b.ec,c@d.ec',
    'a@b.ec\n',
    'ñ@b.ec',
    `${'a'.repeat(65)}@b.ec`,
    `a@${'b.'.repeat(126)}ec`,
  ])('rejects %j as an address', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });
});
