import { h } from '../dom.js';
import { field, form } from '../parts.js';
import { address } from '../router.js';
import { t } from '../texts.js';

/** @param {(apiKey: string) => Promise<void>} signIn */
export function signInPage(signIn) {
  const key = h('input', {
    type: 'password',
    name: 'apiKey',
    required: true,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  return h(
    'section',
    { class: 'card' },
    h('h1', {}, t('signIn')),
    h('p', {}, t('signInIntro')),
    form(
      { submit: t('signIn'), act: (data) => signIn(String(data.get('apiKey')).trim()) },
      field(t('apiKey'), key, { hint: t('apiKeyHint', { brand: 'sri' }) }),
    ),
    h('p', {}, t('noAccount'), ' ', h('a', { href: address('register') }, t('register'))),
  );
}
