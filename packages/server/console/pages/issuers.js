import { FORM_TYPES } from '../document-forms.js';
import { fill, h } from '../dom.js';
import { action, empty, facts, field, form, later, when } from '../parts.js';
import { daysUntil, issuerName, issuerPlace } from '../session.js';
import { t } from '../texts.js';

/** @typedef {import('../session.js').Session} Session */
/** @typedef {import('../session.js').Issuer} Issuer */

/**
 * The branches and points of the account, with their certificates and next numbers.
 *
 * @param {Session} session
 * @param {string | null} wanted id of the one that is looked for: it is scrolled to, its certificate ready to be renewed
 */
export function issuersPage(session, wanted) {
  const page = h('div', {});
  /** @param {readonly { message: string }[]} [warnings] about what was just done */
  const reload = async (warnings = []) => {
    await session.refresh();
    fill(
      page,
      h('h1', {}, t('issuers')),
      warnings.map(({ message }) => h('p', { class: 'card warning', role: 'alert' }, message)),
      session.issuers.length === 0 && empty(t('noIssuer')),
      session.issuers.map((issuer) => card(session, issuer, reload)),
      adding(session, reload),
    );
  };
  const show = async () => {
    await reload();
    const found = wanted === null ? null : page.querySelector(`#issuer-${CSS.escape(wanted)}`);
    found?.querySelector('details')?.setAttribute('open', '');
    found?.scrollIntoView();
    return [];
  };
  fill(page, h('h1', {}, t('issuers')), later(show));
  return page;
}

// --- internal ---

/** @param {Session} session @param {Issuer} issuer @param {(warnings?: readonly { message: string }[]) => Promise<void>} reload */
function card({ api }, issuer, reload) {
  const params = { id: issuer.id };
  return h(
    'section',
    { class: 'card', id: `issuer-${issuer.id}` },
    h('h2', {}, issuerName(issuer)),
    facts([
      [t('ruc'), issuer.ruc],
      [t('businessName'), issuer.businessName],
      [t('branchAddress'), issuer.branchAddress],
      [t('certificate'), validity(issuer)],
      [t('canIssue'), issuer.canIssue ? t('yes') : h('span', { class: 'warn' }, t('no'))],
      [t('nextNumbers'), later(async () => numbers(await api.call('listSequentials', { params }))), 'wide'],
      [t('documentTypes'), types(api, issuer, reload), 'wide'],
    ]),
    h(
      'div',
      { class: 'buttons' },
      action(t(issuer.canIssue ? 'pause' : 'resume'), async () => {
        await api.call('setCanIssue', { params, body: { canIssue: !issuer.canIssue } });
        await reload();
      }),
    ),
    h('details', {}, h('summary', {}, t('renew')), renewal(api, issuer, reload)),
    h('details', {}, h('summary', {}, t('changeLogo')), logo(api, issuer, reload)),
  );
}

/** @param {Issuer} issuer */
function validity({ certExpiry }) {
  if (certExpiry === null) return '–';
  const days = daysUntil(certExpiry);
  const left = days < 0 ? t('expired') : t('daysLeft', { days });
  return h('span', { class: days < 30 ? 'warn' : '' }, left, ' · ', when(certExpiry, { time: false }));
}

/** @param {Session['api']} api @param {Issuer} issuer @param {() => Promise<void>} reload */
function types(api, { id, documentTypes }, reload) {
  return h(
    'div',
    { class: 'buttons' },
    FORM_TYPES.map((type) => {
      const isAllowed = documentTypes.includes(type);
      return action(t(isAllowed ? 'forbid' : 'allow', { type: t(`type.${type}`) }), async () => {
        if (isAllowed) await api.call('disableDocumentType', { params: { id, code: type } });
        else await api.call('enableDocumentType', { params: { id }, body: { documentType: type } });
        await reload();
      });
    }),
  );
}

/** @param {import('sri-core/client').OperationAnswer<'listSequentials'>} answer */
function numbers({ sequentials }) {
  return sequentials.map(({ documentType, sandbox, production }) =>
    h('p', {}, `${t(`type.${documentType}`)}: ${t('sandbox')} ${sandbox.next}, ${t('production')} ${production.next}`),
  );
}

/** @param {Session['api']} api @param {Issuer} issuer @param {(warnings?: readonly { message: string }[]) => Promise<void>} reload */
function renewal(api, { id }, reload) {
  return form(
    {
      submit: t('renew'),
      class: 'grid',
      act: async (data) => {
        data.set('applyToAll', data.has('applyToAll') ? 'true' : 'false');
        const { warnings } = await api.call('renewCertificate', { params: { id }, body: data });
        await reload(warnings);
      },
    },
    field(
      t('certificateFile'),
      h('input', { type: 'file', name: 'cert', accept: '.p12,.pfx,application/x-pkcs12', required: true }),
    ),
    field(t('certPassword'), h('input', { type: 'password', name: 'certPassword', autocomplete: 'off' }), {
      hint: t('certPasswordHint'),
    }),
    h('label', { class: 'check' }, h('input', { type: 'checkbox', name: 'applyToAll' }), t('applyToAll')),
  );
}

/** @param {Session['api']} api @param {Issuer} issuer @param {() => Promise<void>} reload */
function logo(api, { id }, reload) {
  return form(
    {
      submit: t('changeLogo'),
      class: 'grid',
      act: async (data) => {
        await api.call('setLogo', { params: { id }, body: data });
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

/** @param {Session} session @param {() => Promise<void>} reload */
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
          /** @param {string} name */
          const text = (name) => String(data.get(name) ?? '').trim();
          const optional = ['tradeName', 'branchAddress', 'sourceIssuerId'].filter((name) => text(name) !== '');
          await api.call('createIssuer', {
            body: {
              branchCode: text('branchCode'),
              issuePointCode: text('issuePointCode'),
              ...Object.fromEntries(optional.map((name) => [name, text(name)])),
            },
          });
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
        t('certificate'),
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
