import { CircleAlert, CircleCheck } from 'lucide';
import { useState } from 'preact/hooks';
import type { OperationAnswer } from 'sri-core/client';
import { counted, daysUntil, dollars, placeOf, when } from '../frame/format.js';
import { language, named, type TextName, t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';
import { type SessionAnswer, signIn, useWork } from '../frame/session.js';
import { Action, Dialog, ShownOnce } from '../parts/action.js';
import { Check, Form, Input, Select, textOf } from '../parts/form.js';
import { PageHead } from '../parts/heading.js';
import { Icon } from '../parts/icon.js';
import { Loaded, Outline, useLoad } from '../parts/load.js';
import { Fact } from '../parts/sheet.js';

/** The account: its data, the way to production, agreements, plan and payments. */
export default function AccountPage() {
  const { api, server } = useWork();
  const standing = useLoad(async () => (await api.call('getAgreementStanding', {})).agreements, []);
  return (
    <>
      <PageHead of={t('account')} />
      <div class="columns">
        <Data />
        <Loaded of={standing} outline={<Outline rows={3} />}>
          {(agreements) => (
            <>
              <Promotion agreements={agreements} />
              {agreements.hasPublishedAgreements && <Agreements agreements={agreements} reload={standing.reload} />}
            </>
          )}
        </Loaded>
        {server.use === 'service' && <Plan />}
      </div>
    </>
  );
}

// --- internal ---

type AgreementStanding = OperationAnswer<'getAgreementStanding'>['agreements'];
type Tier = OperationAnswer<'listTiers'>['tiers'][number];
type Payment = OperationAnswer<'getSubscriptions'>['subscriptions'][number]['payments'][number];

function Data() {
  const { tenant, account, api, can } = useWork();
  return (
    <section class="card">
      <h2>{account.name}</h2>
      <dl class="facts narrow">
        <Fact name={t('ruc')}>{account.ruc}</Fact>
        <Fact name={t('email')}>
          {tenant.email}
          {tenant.status === 'PENDING_VERIFICATION' && (
            <>
              {' '}
              <span class="badge returned">{t('unverified')}</span>
              <Action
                kind="plain"
                label={t('verifyAgain')}
                run={async () => (await api.call('resendVerification', { body: { email: tenant.email } })).message}
              />
            </>
          )}
        </Fact>
        <Fact name={t('accountStatus')}>
          {named('account', tenant.status)}
          {tenant.suspensionReasonCode && `: ${named('suspension', tenant.suspensionReasonCode)}`}
        </Fact>
        <Fact name={t('plan')}>{named('plan', tenant.subscriptionTier)}</Fact>
        {tenant.subscriptionTier !== 'OWN' && (
          <Fact name={t('quota')}>
            {counted(tenant.documentCount)} / {counted(tenant.documentQuota)}
          </Fact>
        )}
      </dl>
      {can('tenant:manage') && (
        <Action
          kind="plain"
          label={t('mailLanguage')}
          run={() => api.call('setLanguage', { body: { language: language() } }).then(() => t('saved'))}
        />
      )}
    </section>
  );
}

/** A move to production whose keys are shown. They exist nowhere else, and a renewal of the session draws the page again. */
interface ShownPromotion {
  readonly tenantId: string;
  readonly keys: readonly { readonly label: string | null; readonly apiKey: string }[];
  /** The session with the first of them. */
  readonly next: SessionAnswer | null;
}

let lastPromotion: ShownPromotion | null = null;

/** The conditions for the move to production, and the move. */
function Promotion({ agreements }: { readonly agreements: AgreementStanding }) {
  const { tenant, issuers, can, ask, account, enter } = useWork();
  const [promoted, setPromoted] = useState(lastPromotion);
  if (promoted?.tenantId === tenant.id) {
    const { keys, next } = promoted;
    return (
      <section class="card">
        <h2>{t('promoted')}</h2>
        <p>{t('promotedText')}</p>
        {keys.map(({ label, apiKey }) => (
          <ShownOnce
            key={apiKey}
            title={label === 'Initial master key' ? t('firstKey') : (label ?? t('apiKey'))}
            secret={apiKey}
          />
        ))}
        <button
          type="button"
          class="primary"
          onClick={() => {
            lastPromotion = null;
            setPromoted(null);
            if (next) enter(next);
          }}
        >
          {t('goOn')}
        </button>
      </section>
    );
  }
  if (!tenant.sandbox) return null;
  const certificates = issuers.every(({ certExpiry }) => certExpiry !== null && daysUntil(certExpiry) >= 0);
  const steps: readonly (readonly [TextName, boolean, string | null])[] = [
    ['check.email', tenant.status !== 'PENDING_VERIFICATION', null],
    // Without its scope a key sees no issuer.
    ...(can('issuers:read') ? [['check.certificates', certificates, AtPath.issuers] as const] : []),
    ['check.agreements', !agreements.needsAcceptance, null],
  ];
  const isReady = steps.every(([, holds]) => holds);
  async function promote(data: FormData): Promise<void> {
    const numbers = issuers.flatMap(({ id, documentTypes }) =>
      documentTypes.flatMap((documentType) => {
        const sequential = Number(textOf(data, `${id} ${documentType}`));
        return sequential > 0 ? [{ issuerId: id, documentType, sequential }] : [];
      }),
    );
    const { apiKeys } = await ask<{ apiKeys: ShownPromotion['keys'] }>('/v1/tenants/promote', {
      method: 'POST',
      body: { initialSequentials: numbers },
    });
    const show = (next: SessionAnswer | null) => {
      lastPromotion = { tenantId: tenant.id, keys: apiKeys, next };
      setPromoted(lastPromotion);
    };
    show(null);
    // The move revoked the key of the test environment.
    const [first] = apiKeys;
    if (first) show(await signIn(first.apiKey));
  }
  return (
    <section class="card">
      <h2>{t('promotion')}</h2>
      <p>{t('promotionIntro')}</p>
      <ul class="rows">
        {steps.map(([name, holds, href]) => (
          <li key={name} class={holds ? 'good' : 'warn'}>
            <span>
              <Icon of={holds ? CircleCheck : CircleAlert} /> {href && !holds ? <a href={href}>{t(name)}</a> : t(name)}
            </span>
            <span class="hint">{t(holds ? 'done' : 'pending')}</span>
          </li>
        ))}
        <li>{t('check.authorization')}</li>
      </ul>
      {can('tenant:promote') && isReady && (
        <details class="fold">
          <summary>{t('promote')}</summary>
          <Form submit={t('promote')} act={promote} isDanger>
            <p class="wide">{t('promotionNumbers')}</p>
            {issuers.flatMap((issuer) =>
              issuer.documentTypes.map((type) => (
                <Input
                  key={`${issuer.id} ${type}`}
                  name={`${issuer.id} ${type}`}
                  label={`${placeOf(issuer)} ${t(`type.${type}`)}`}
                  inputMode="numeric"
                  pattern="\d{1,9}"
                  title={t('digitsHint')}
                  placeholder="1"
                />
              )),
            )}
            {/* Enter in a field sends a form. */}
            <Check label={t('promoteConfirmed')} name="confirmed" required />
          </Form>
        </details>
      )}
      {!account.scopes.includes('tenant:promote') && <p class="hint">{t('notAllowed')}</p>}
    </section>
  );
}

function Agreements({
  agreements,
  reload,
}: {
  readonly agreements: AgreementStanding;
  readonly reload: () => Promise<void>;
}) {
  const { api, ask, can, refresh, tenant } = useWork();
  const [shown, setShown] = useState<Element | null>(null);
  const [isChanged, setChanged] = useState(false);
  const accept = async (data: FormData) => {
    // An acceptance names the version of the terms alone, and covers every published agreement.
    const published = (await api.call('getAgreementStanding', {})).agreements;
    const isOther = JSON.stringify(published.outdated) !== JSON.stringify(agreements.outdated);
    setChanged(isOther);
    if (isOther) return reload();
    const terms = agreements.outdated.find(({ documentType }) => documentType === 'TERMS');
    // Terms that are not shown are the last accepted terms.
    const termsVersion = terms?.currentVersion ?? tenant.agreementVersion;
    const body = { termsVersion, acceptedByName: textOf(data, 'acceptedByName') || null };
    await ask('/v1/tenants/agreements', { method: 'POST', body });
    await reload();
    await refresh();
  };
  return (
    <section class="card">
      <h2>{t('agreements')}</h2>
      {agreements.outdated.length === 0 ? (
        <p>{t('agreementsDone')}</p>
      ) : (
        <>
          <ul class="rows">
            {agreements.outdated.map(({ documentType, currentVersion }) => (
              <li key={documentType}>
                <span>
                  {named('agreement', documentType)} <span class="hint">{currentVersion}</span>
                </span>
                <Action
                  kind="plain"
                  label={t('read')}
                  run={async () => {
                    const path = `/v1/tenants/agreements/${documentType}`;
                    const page = await (await ask<Blob>(path, { accept: 'text/html' })).text();
                    // Shows the text alone: the policy of the console blocks the style of the page.
                    const [, content = ''] = /<main>(.*)<\/main>/s.exec(page) ?? [];
                    const text = document.createElement('div');
                    text.append(...new DOMParser().parseFromString(content, 'text/html').body.childNodes);
                    setShown(text);
                  }}
                />
              </li>
            ))}
          </ul>
          {can('tenant:manage') && (
            <Form submit={t('accept')} act={accept}>
              {isChanged && (
                <p class="wide notice" role="status">
                  {t('agreementsChanged')}
                </p>
              )}
              <Input label={t('acceptedByName')} name="acceptedByName" maxLength={200} required />
            </Form>
          )}
        </>
      )}
      {shown && (
        <Dialog title={t('agreements')} close={() => setShown(null)}>
          {/* With the focus here, the text is shown from its beginning. */}
          <div class="agreement" tabIndex={-1} ref={(place) => place?.append(shown)} />
        </Dialog>
      )}
    </section>
  );
}

/** The plan, its price, and the payments with their proofs. */
function Plan() {
  const { api, ask, can, tenant } = useWork();
  const loading = useLoad(async () => {
    const [{ tiers }, billing] = await Promise.all([
      api.call('listTiers', {}),
      can('billing:manage') ? api.call('getSubscriptions', {}) : null,
    ]);
    return { tiers, billing };
  }, []);
  const choose = async (data: FormData, isChange: boolean) => {
    const [tier, billingInterval] = textOf(data, 'tier').split(' ');
    const body = { tier, billingInterval };
    await ask(`/v1/subscriptions${isChange ? '/change-tier' : ''}`, { method: 'POST', body });
    await loading.reload();
  };
  return (
    <section class="card">
      <h2>{t('plan')}</h2>
      <Loaded of={loading} outline={<Outline rows={3} />}>
        {({ tiers, billing }) => (
          <>
            <p>
              <strong>{named('plan', tenant.subscriptionTier)}</strong>{' '}
              {billing?.subscription?.currentPeriodEnd && (
                <span class="hint">
                  {t('planUntil', { date: when(billing.subscription.currentPeriodEnd, { time: false }) })}
                  {billing.subscription.pendingTier &&
                    t('planThen', { plan: named('plan', billing.subscription.pendingTier) })}
                </span>
              )}
            </p>
            {billing?.pendingPayment && billing.pendingPayment.status !== 'REPORTED' && billing.bankTransfer && (
              <div class="notice">
                <p>{t('transferTo')}</p>
                <p>{Object.values(billing.bankTransfer).join(' · ')}</p>
              </div>
            )}
            {billing?.subscriptions
              .flatMap(({ payments, tier }) =>
                // A first payment does not name its plan, which a later one may have changed.
                payments.map((payment) => ({
                  payment,
                  tier: payment.targetTier ?? (payments.length > 1 ? null : tier),
                })),
              )
              .map(({ payment, tier }) => (
                <PaymentRow key={payment.id} {...{ payment, tier, reload: loading.reload }} />
              ))}
            {billing && billing.subscription?.status !== 'PENDING_PAYMENT' && (
              <Form
                submit={t(billing.subscription ? 'changePlan' : 'choosePlan')}
                act={(data) => choose(data, billing.subscription !== null)}
              >
                {billing.subscription && !tenant.sandbox && <p class="wide hint">{t('changePlanHint')}</p>}
                <Select
                  label={t(billing.subscription ? 'otherPlan' : 'plan')}
                  name="tier"
                  of={tiers.flatMap(optionsOf).filter(([option]) => option !== planOf(billing.subscription))}
                />
              </Form>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

/** A subscription as an option of the plans. */
function planOf(subscription: OperationAnswer<'getSubscriptions'>['subscription']): string {
  return `${subscription?.tier} ${subscription?.billingInterval}`;
}

/** A plan with each of its prices. */
function optionsOf({ name, billingIntervals, priceMonthlyUsd, priceYearlyUsd, documentQuota }: Tier) {
  if (name === 'FREE') return [];
  return billingIntervals.map((interval) => {
    const price = interval === 'MONTHLY' ? priceMonthlyUsd : priceYearlyUsd;
    const values = { name: named('plan', name), price: dollars(String(price)), quota: counted(documentQuota) };
    return [`${name} ${interval}`, t(`planOption.${interval}`, values)] as const;
  });
}

function PaymentRow({
  payment,
  tier,
  reload,
}: {
  readonly payment: Payment;
  readonly tier: string | null;
  readonly reload: () => Promise<void>;
}) {
  const { ask } = useWork();
  const isOpen = payment.status === 'PENDING' || payment.status === 'REJECTED' || payment.status === 'REPORTED';
  const isWithdrawable = isOpen && payment.status !== 'REPORTED' && payment.purpose !== 'RENEWAL';
  const report = async (data: FormData) => {
    await ask(`/v1/payments/${payment.id}/proof`, { method: 'PATCH', body: data });
    await reload();
    return t('saved');
  };
  return (
    <div class="payment">
      <p>
        <strong class="amount">{dollars(payment.totalAmount)}</strong> {named('payment', payment.status)} ·{' '}
        {tier && `${named('plan', tier)}, `}
        {named('interval', payment.targetBillingInterval)}
      </p>
      <p class="hint">
        {t('paymentCode')}: <code>{payment.paymentCode}</code>
        {isOpen && ` · ${t('dueOn', { date: when(payment.dueAt, { time: false }) })}`}
        {payment.verifiedAt && ` · ${t('verifiedOn', { date: when(payment.verifiedAt, { time: false }) })}`}
      </p>
      {payment.rejectionReasonCode && <p class="problem">{named('rejection', payment.rejectionReasonCode)}</p>}
      {isOpen && (
        <details class="fold">
          <summary>{t('reportPayment')}</summary>
          <Form submit={t('reportPayment')} act={report} isCleared>
            <Input label={t('referenceNumber')} name="referenceNumber" maxLength={50} required />
            <Input
              label={t('proof')}
              hint={t('proofHint')}
              name="proof"
              type="file"
              accept="image/png,image/jpeg,image/gif,application/pdf"
              multiple
              required
            />
          </Form>
        </details>
      )}
      {isWithdrawable && (
        <Action
          kind="plain"
          label={t('withdrawPayment')}
          ask={t('withdrawPaymentAsk')}
          run={() => ask(`/v1/payments/${payment.id}`, { method: 'DELETE' }).then(reload)}
        />
      )}
    </div>
  );
}
