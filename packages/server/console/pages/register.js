import { createApi } from '../api.js';
import { fill, h } from '../dom.js';
import { field, form, shownOnce } from '../parts.js';
import { address } from '../router.js';
import { language, t } from '../texts.js';

/** @param {(apiKey: string) => Promise<void>} signIn */
export function registerPage(signIn) {
  const page = h('section', { class: 'card' });
  const api = createApi({});

  /** @param {FormData} data */
  async function register(data) {
    const logo = data.get('logo');
    if (logo instanceof File && logo.size === 0) data.delete('logo');
    data.set('requiredAccounting', data.has('requiredAccounting') ? 'true' : 'false');
    data.set('emissionType', '1');
    data.set('language', language());
    for (const name of ['tradeName', 'mainAddress', 'branchAddress']) if (data.get(name) === '') data.delete(name);
    const { apiKey, warnings = [] } = await api.call('register', { body: data });
    fill(
      page,
      h('h1', {}, t('registered')),
      h('p', {}, t('registeredNext')),
      warnings.map(({ message }) => h('p', { class: 'card warning', role: 'alert' }, message)),
      shownOnce(t('apiKey'), apiKey),
      h('button', { type: 'button', class: 'primary', onclick: () => signIn(apiKey) }, t('goOn')),
    );
  }

  fill(
    page,
    h('h1', {}, t('register')),
    h('p', {}, t('registerIntro')),
    form(
      { submit: t('register'), act: register, class: 'grid' },
      field(
        t('certificateFile'),
        h('input', { type: 'file', name: 'cert', accept: '.p12,.pfx,application/x-pkcs12', required: true }),
      ),
      field(t('certPassword'), h('input', { type: 'password', name: 'certPassword', autocomplete: 'off' }), {
        hint: t('certPasswordHint'),
      }),
      field(
        t('ruc'),
        h('input', { name: 'ruc', inputmode: 'numeric', pattern: '\\d{13}', maxlength: 13, required: true }),
      ),
      field(t('email'), h('input', { type: 'email', name: 'email', autocomplete: 'email', required: true })),
      field(t('businessName'), h('input', { name: 'businessName', maxlength: 300, required: true })),
      field(t('tradeName'), h('input', { name: 'tradeName', maxlength: 300 })),
      field(t('mainAddress'), h('input', { name: 'mainAddress', maxlength: 300 })),
      field(t('branchAddress'), h('input', { name: 'branchAddress', maxlength: 300 })),
      field(
        t('branchCode'),
        h('input', { name: 'branchCode', value: '001', pattern: '\\d{3}', inputmode: 'numeric', required: true }),
        { hint: t('codeHint') },
      ),
      field(
        t('issuePointCode'),
        h('input', { name: 'issuePointCode', value: '001', pattern: '\\d{3}', inputmode: 'numeric', required: true }),
        { hint: t('codeHint') },
      ),
      field(t('logo'), h('input', { type: 'file', name: 'logo', accept: 'image/png,image/jpeg,image/gif' }), {
        hint: t('logoHint'),
      }),
      h(
        'label',
        { class: 'check' },
        h('input', { type: 'checkbox', name: 'requiredAccounting' }),
        t('requiredAccounting'),
      ),
    ),
    h('p', {}, h('a', { href: address('') }, t('haveAccount'))),
  );
  return page;
}
