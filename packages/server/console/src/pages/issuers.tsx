import { Building2, Plus } from 'lucide';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { daysUntil, placeOf, when } from '../frame/format.js';
import { t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';
import { useWork } from '../frame/session.js';
import { Action } from '../parts/action.js';
import { FormDialog, Input, Select, textOf } from '../parts/form.js';
import { PageHead } from '../parts/heading.js';
import { Icon } from '../parts/icon.js';
import { Empty } from '../parts/load.js';
import { CodeFields } from './register.js';

/** The branches and points of the company. */
export default function Issuers() {
  const { issuers, can } = useWork();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <PageHead of={t('issuers')}>
        {can('issuers:write') && (
          <Action kind="primary" icon={Plus} label={t('addIssuer')} run={() => setAdding(true)} />
        )}
      </PageHead>
      {issuers.length === 0 && <Empty title={t(can('issuers:read') ? 'noIssuer' : 'notReadable')} />}
      <ul class="cards">
        {issuers.map((issuer) => (
          <li key={issuer.id} class="card">
            <h2>
              <Icon of={Building2} />{' '}
              <a href={`${AtPath.issuers}/${issuer.id}`}>
                {placeOf(issuer)} · {issuer.tradeName ?? issuer.businessName}
              </a>
            </h2>
            <p class="hint">{issuer.branchAddress ?? issuer.businessName}</p>
            <p>
              <span class={issuer.canIssue ? 'badge authorized' : 'badge returned'}>
                {t(issuer.canIssue ? 'mayIssue' : 'paused')}
              </span>{' '}
              <Validity certExpiry={issuer.certExpiry} />
            </p>
          </li>
        ))}
      </ul>
      {isAdding && <Adding close={() => setAdding(false)} />}
    </>
  );
}

/** The time until a certificate ends. */
export function Validity({ certExpiry }: { readonly certExpiry: string | null }) {
  if (certExpiry === null) return <span class="hint">{t('noCertificate')}</span>;
  const days = daysUntil(certExpiry);
  return (
    <span class={days < 30 ? 'warn' : 'hint'}>
      {days < 0 ? t('expired') : t('validUntil', { date: when(certExpiry, { time: false }) })}
    </span>
  );
}

// --- internal ---

function Adding({ close }: { readonly close: () => void }) {
  const { api, issuers, refresh } = useWork();
  const { route } = useLocation();
  const add = async (data: FormData) => {
    const optional = ['tradeName', 'branchAddress', 'sourceIssuerId'].filter((name) => textOf(data, name) !== '');
    const { issuer } = await api.call('createIssuer', {
      body: {
        branchCode: textOf(data, 'branchCode'),
        issuePointCode: textOf(data, 'issuePointCode'),
        documentTypes: issuers[0]?.documentTypes ?? null,
        ...Object.fromEntries(optional.map((name) => [name, textOf(data, name)])),
      },
    });
    await refresh();
    route(`${AtPath.issuers}/${issuer.id}`);
  };
  return (
    <FormDialog title={t('addIssuer')} close={close} act={add}>
      <CodeFields />
      <Input label={t('tradeName')} name="tradeName" maxLength={300} />
      <Input label={t('branchAddress')} name="branchAddress" maxLength={300} />
      <Select
        label={t('certificate')}
        name="sourceIssuerId"
        of={issuers.map((issuer) => [issuer.id, t('sourceInherit', { issuer: placeOf(issuer) })])}
      />
    </FormDialog>
  );
}
