import { fill, h } from '../dom.js';
import { action, facts, field, form, later, when } from '../parts.js';
import { daysUntil, issuerPlace } from '../session.js';
import { t } from '../texts.js';

/** The branches and points of the account, with their certificates and next numbers. */
export function issuersPage(/** @type {import('../session.js').Session} */ session) {
  const page = h('div', {});
  const reload = async () => {
    await session.refresh();
    fill(
      page,
      h('h1', {}, t('issuers')),
      session.issuers.map((issuer) => card(session, issuer, reload)),
      adding(session, reload),
    );
  };
  fill(
    page,
    later(async () => reload().then(() => [])),
  );
  return page;
}

// --- internal ---

/** @param {import('../session.js').Session} session @param {any} issuer @param {() => Promise<void>} reload */
function card({ api }, issuer, reload) {
  const path = `/v1/issuers/${issuer.id}`;
  const days = issuer.certExpiry ? daysUntil(issuer.certExpiry) : null;
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, `${issuerPlace(issuer)} ${issuer.tradeName ?? issuer.businessName}`),
    facts([
      [t('ruc'), issuer.ruc],
      [t('businessName'), issuer.businessName],
      [t('branchAddress'), issuer.branchAddress],
      [
        t('certificates'),
        days === null
          ? '–'
          : h(
              'span',
              { class: days < 30 ? 'warn' : '' },
              days < 0 ? t('expired') : t('daysLeft', { days }),
              ' · ',
              when(issuer.certExpiry, { time: false }),
            ),
      ],
      [t('canIssue'), t(issuer.canIssue ? 'yes' : 'no')],
      [
        t('documentTypes'),
        later(async () => types(api, path, (await api.get(`${path}/document-types`)).documentTypes, reload)),
      ],
      [t('nextNumbers'), later(async () => numbers(await api.get(`${path}/sequentials`)))],
    ]),
    h(
      'div',
      { class: 'buttons' },
      action(t(issuer.canIssue ? 'pause' : 'resume'), async () => {
        await api.patch(`${path}/can-issue`, { canIssue: !issuer.canIssue });
        await reload();
      }),
    ),
    h('details', {}, h('summary', {}, t('renew')), renewal(api, path, reload)),
    h('details', {}, h('summary', {}, t('changeLogo')), logo(api, path, reload)),
  );
}

/** @param {any} api @param {string} path @param {readonly string[]} allowed @param {() => Promise<void>} reload */
function types(api, path, allowed, reload) {
  return ['01', '04'].map((type) => {
    const isAllowed = allowed.includes(type);
    const label = t(isAllowed ? 'forbid' : 'allow', { type: t(`type.${type}`) });
    return action(label, async () => {
      if (isAllowed) await api.remove(`${path}/document-types/${type}`);
      else await api.post(`${path}/document-types`, { documentType: type });
      await reload();
    });
  });
}

/** @param {{ sequentials: readonly any[] }} answer */
function numbers({ sequentials }) {
  return sequentials.map(({ documentType, sandbox, production }) =>
    h('p', {}, `${t(`type.${documentType}`)}: ${t('sandbox')} ${sandbox.next}, ${t('production')} ${production.next}`),
  );
}

/** @param {any} api @param {string} path @param {() => Promise<void>} reload */
function renewal(api, path, reload) {
  return form(
    {
      submit: t('renew'),
      act: async (data) => {
        data.set('applyToAll', data.has('applyToAll') ? 'true' : 'false');
        await api.put(`${path}/certificate`, data);
        await reload();
      },
    },
    field(
      t('certificate'),
      h('input', { type: 'file', name: 'cert', accept: '.p12,.pfx,application/x-pkcs12', required: true }),
    ),
    field(t('certPassword'), h('input', { type: 'password', name: 'certPassword', autocomplete: 'off' }), {
      hint: t('certPasswordHint'),
    }),
    h('label', { class: 'check' }, h('input', { type: 'checkbox', name: 'applyToAll' }), t('applyToAll')),
  );
}

/** @param {any} api @param {string} path @param {() => Promise<void>} reload */
function logo(api, path, reload) {
  return form(
    {
      submit: t('changeLogo'),
      act: async (data) => {
        await api.patch(`${path}/logo`, data);
        await reload();
      },
    },
    field(
      t('logo'),
      h('input', { type: 'file', name: 'logo', accept: 'image/png,image/jpeg,image/gif', required: true }),
      { hint: t('logoHint') },
    ),
  );
}

/** @param {import('../session.js').Session} session @param {() => Promise<void>} reload */
function adding({ api, issuers }, reload) {
  return h(
    'details',
    { class: 'card' },
    h('summary', {}, t('addIssuer')),
    form(
      {
        submit: t('addIssuer'),
        class: 'grid',
        act: async (data) => {
          const given = [...data].filter(([, value]) => value !== '');
          await api.post('/v1/issuers', Object.fromEntries(given));
          await reload();
        },
      },
      field(
        t('branchCode'),
        h('input', { name: 'branchCode', pattern: '\\d{3}', inputmode: 'numeric', required: true }),
        { hint: t('codeHint') },
      ),
      field(
        t('issuePointCode'),
        h('input', { name: 'issuePointCode', pattern: '\\d{3}', inputmode: 'numeric', required: true }),
        { hint: t('codeHint') },
      ),
      field(t('tradeName'), h('input', { name: 'tradeName', maxlength: 300 })),
      field(t('branchAddress'), h('input', { name: 'branchAddress', maxlength: 300 })),
      field(
        t('sourceIssuer'),
        h(
          'select',
          { name: 'sourceIssuerId' },
          issuers.map((issuer) =>
            h('option', { value: issuer.id }, t('sourceInherit', { issuer: issuerPlace(issuer) })),
          ),
        ),
      ),
    ),
  );
}
