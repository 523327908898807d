import { fill, h } from '../dom.js';
import { action, askFirst, dollars, facts, field, form, later, save, statusBadge, when } from '../parts.js';
import { address } from '../router.js';
import { issuerPlace } from '../session.js';
import { t } from '../texts.js';

/** One document: where it stands, what the SRI said and what to do about it, its files, and what can be done with it. */
export function documentPage(/** @type {import('../session.js').Session} */ session, /** @type {string} */ accessKey) {
  const path = `/v1/documents/${encodeURIComponent(accessKey)}`;
  const page = h('div', {});
  const reload = async () => fill(page, ...(await show()));

  /** @returns {Promise<any[]>} */
  async function show() {
    const { issuerApi } = session;
    const [{ document }, { events }, { sriResponses }] = await Promise.all([
      issuerApi.get(path),
      issuerApi.get(`${path}/events`),
      issuerApi.get(`${path}/sri-responses`),
    ]);
    const isMoving = document.dispatch && document.dispatch.status !== 'FAILED';
    // A page that is not shown any more asks for nothing, and one that somebody works in stays as it is.
    if (isMoving) setTimeout(() => page.isConnected && !page.querySelector('details[open]') && reload(), REFRESH_MS);
    return [
      head(session, document),
      isMoving && h('p', { class: 'hint', role: 'status' }, t('inFlight')),
      answers(sriResponses),
      actions(session, document, { path, reload }),
      files(session, document, path),
      timeline(events),
    ];
  }

  fill(page, later(show));
  return page;
}

// --- internal ---

const REFRESH_MS = 1500;

/** @param {import('../session.js').Session} session @param {any} document */
function head({ issuer }, document) {
  const buyer = document.requestPayload?.buyer;
  return h(
    'section',
    { class: 'card' },
    h(
      'h1',
      {},
      `${t(`type.${document.documentType}`)} ${issuerPlace(issuer)}-${document.sequential} `,
      statusBadge(document.status),
    ),
    facts([
      [t('total'), dollars(document.total)],
      [t('date'), document.issueDate],
      [t('buyer'), buyer && `${buyer.name} · ${buyer.id}`],
      [t('accessKey'), h('code', {}, document.accessKey)],
      [t('authorizationNumber'), document.authorizationNumber && h('code', {}, document.authorizationNumber)],
      [t('authorizationDate'), document.authorizationDate && when(document.authorizationDate)],
      [t('mailStatus'), [t(`mail.${document.email.status}`), document.email.error].filter(Boolean).join(': ')],
      [
        t('attempts'),
        document.dispatch &&
          `${document.dispatch.attemptCount}${document.dispatch.lastError ? ` · ${document.dispatch.lastError}` : ''}`,
      ],
    ]),
  );
}

/** @param {readonly any[]} responses */
function answers(responses) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('sriMessages')),
    responses.length === 0 && h('p', {}, t('sriSilent')),
    h('ol', { class: 'answers' }, responses.map(answer)),
  );
}

/** @param {any} response */
function answer({ operationType, status, messages, advice = [], createdAt }) {
  return h(
    'li',
    {},
    h('p', {}, when(createdAt), ` · ${t(`operation.${operationType}`)} · `, h('strong', {}, status)),
    (messages ?? []).map((/** @type {any} */ { identifier, message, additionalInfo }, /** @type {number} */ place) =>
      h(
        'div',
        { class: 'message' },
        h('p', {}, h('code', {}, identifier), ' ', h('strong', {}, message)),
        additionalInfo && h('p', {}, additionalInfo),
        advice[place] &&
          h(
            'div',
            { class: 'advice' },
            h('p', {}, advice[place].meaning),
            h('p', {}, h('strong', {}, `${t('whatToDo')}: `), advice[place].action),
            advice[place].who && h('p', { class: 'hint' }, t(`who.${advice[place].who}`)),
          ),
      ),
    ),
  );
}

/**
 * Only what the status allows.
 *
 * @param {import('../session.js').Session} session
 * @param {any} document
 * @param {{ path: string, reload: () => Promise<void> }} place
 */
function actions({ issuerApi }, document, { path, reload }) {
  const { status, documentType, dispatch, accessKey } = document;
  /** @param {string} operation */
  const post = (operation) => async () => {
    await issuerApi.post(`${path}/${operation}`);
    await reload();
  };
  const canRebuild = status === 'SIGNED' || status === 'RETURNED' || status === 'NOT_AUTHORIZED';
  return h(
    'section',
    { class: 'card actions' },
    status === 'SIGNED' && action(t('send'), post('send'), { kind: 'primary' }),
    status === 'RECEIVED' &&
      action(t('askNow'), async () => {
        await issuerApi.get(`${path}/authorize`);
        await reload();
      }),
    dispatch?.status === 'FAILED' && action(t('retry'), post('send/retry'), { kind: 'primary' }),
    (status === 'AUTHORIZED' || status === 'VOIDED') &&
      document.email.status !== 'NOT_APPLICABLE' &&
      action(t('resendMail'), post('email-retry')),
    status === 'AUTHORIZED' &&
      documentType === '01' &&
      h('a', { class: 'button', href: address(`credit-note/${accessKey}`) }, t('newCreditNoteOn')),
    canRebuild && rebuild(issuerApi, document, { path, reload }),
    status === 'AUTHORIZED' && annulment(issuerApi, { path, reload }),
  );
}

/** @param {any} api @param {any} document @param {{ path: string, reload: () => Promise<void> }} place */
function rebuild(api, { requestPayload }, { path, reload }) {
  const content = h('textarea', { name: 'content', rows: 14, spellcheck: 'false', class: 'code' });
  content.value = requestPayload ? JSON.stringify(requestPayload, null, 2) : '';
  /** @param {FormData} data */
  async function act(data) {
    const text = String(data.get('content')).trim();
    let body = {};
    try {
      body = text === '' ? {} : JSON.parse(text);
    } catch {
      content.setCustomValidity(t('contentWrong'));
      content.reportValidity();
      content.addEventListener('input', () => content.setCustomValidity(''), { once: true });
      return;
    }
    await api.post(`${path}/rebuild`, { ...body, redate: data.has('redate'), resequence: data.has('resequence') });
    await reload();
  }
  return h(
    'details',
    {},
    h('summary', {}, t('rebuild')),
    h('p', { class: 'hint' }, t('rebuildHint')),
    form(
      { submit: t('rebuild'), act },
      field(t('content'), content),
      h('label', { class: 'check' }, h('input', { type: 'checkbox', name: 'redate' }), t('redate')),
      h('label', { class: 'check' }, h('input', { type: 'checkbox', name: 'resequence' }), t('resequence')),
    ),
  );
}

/** @param {any} api @param {{ path: string, reload: () => Promise<void> }} place */
function annulment(api, { path, reload }) {
  /** @param {FormData} data */
  async function act(data) {
    if (!(await askFirst(t('voidAsk'), t('void')))) return;
    await api.post(`${path}/void`, { confirmedSriVoid: data.has('confirmed'), reason: String(data.get('reason')) });
    await reload();
  }
  return h(
    'details',
    {},
    h('summary', {}, t('void')),
    h('p', { class: 'hint' }, t('voidIntro')),
    form(
      { submit: t('void'), act },
      h(
        'label',
        { class: 'check' },
        h('input', { type: 'checkbox', name: 'confirmed', required: true }),
        t('voidConfirmed'),
      ),
      field(t('reason'), h('input', { name: 'reason', maxlength: 500, required: true })),
    ),
  );
}

/** @param {import('../session.js').Session} session @param {any} document @param {string} path */
function files({ issuerApi }, { accessKey, status }, path) {
  const shown = h('div', { class: 'preview' });
  const variant = status === 'AUTHORIZED' || status === 'VOIDED' ? '' : '?variant=signed';
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('files')),
    h(
      'div',
      { class: 'buttons' },
      action(t('previewRide'), async () => {
        const pdf = await issuerApi.file(`${path}/ride`);
        const url = URL.createObjectURL(pdf.slice(0, pdf.size, 'application/pdf'));
        fill(shown, h('iframe', { src: url, title: 'RIDE' }));
      }),
      action(t('downloadRide'), async () => save(await issuerApi.file(`${path}/ride`), `RIDE-${accessKey}.pdf`)),
      action(t('showXml'), async () =>
        fill(shown, h('pre', { class: 'code', tabindex: '0' }, await issuerApi.text(`${path}/xml${variant}`))),
      ),
      action(t('downloadXml'), async () => save(await issuerApi.file(`${path}/xml${variant}`), `${accessKey}.xml`)),
    ),
    shown,
  );
}

/** @param {readonly any[]} events */
function timeline(events) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, t('timeline')),
    h(
      'ol',
      { class: 'timeline' },
      events.map(({ eventType, toStatus, detail, createdAt }) =>
        h(
          'li',
          {},
          when(createdAt),
          ' ',
          h('strong', {}, t(`event.${eventType}`)),
          toStatus && h('span', {}, ' ', statusBadge(toStatus)),
          detail?.message && h('p', { class: 'hint' }, detail.message),
        ),
      ),
    ),
  );
}
