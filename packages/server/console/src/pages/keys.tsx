import { Plus } from 'lucide';
import { useState } from 'preact/hooks';
import type { ApiKey } from 'sri-core/client';
import { counted, when } from '../frame/format.js';
import { named, t } from '../frame/language.js';
import { type Scope, useWork } from '../frame/session.js';
import { Action, Dialog, ShownOnce } from '../parts/action.js';
import { Check, FormDialog, Input, textOf } from '../parts/form.js';
import { PageHead } from '../parts/heading.js';
import { Loaded, later, Outline, useLoad } from '../parts/load.js';

const DayChart = later(() => import('../parts/day-chart.js'));

/** The keys of the company. */
export default function Keys() {
  const { api, account } = useWork();
  const loading = useLoad(() => api.call('listKeys', {}), []);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [shown, setShown] = useState<ApiKey | null>(null);
  const make = async (data: FormData) => {
    const scopes = data.getAll('scopes') as ApiKey['scopes'];
    const { environment } = account;
    const { apiKey } = await api.call('createKey', { body: { label: textOf(data, 'label'), environment, scopes } });
    setMade(apiKey);
    await loading.reload();
  };
  return (
    <>
      <PageHead of={t('keys')} below={t('keysIntro')}>
        {loading.value && loading.value.limit.max > loading.value.limit.used && (
          <Action kind="primary" icon={Plus} label={t('newKey')} run={() => setMaking(true)} />
        )}
      </PageHead>
      {made && <ShownOnce title={t('apiKey')} secret={made} />}
      <Loaded of={loading} outline={<Outline rows={3} />}>
        {({ keys, limit }) => (
          <>
            <ul class="cards">
              {keys.map((key) => (
                <li key={key.id} class="card">
                  <h2>
                    {nameOf(key)} <code>…{key.last4}</code>{' '}
                    {key.id === account.keyId && <span class="badge authorized">{t('thisKey')}</span>}
                  </h2>
                  <p class="hint">{key.scopes.map((scope) => named('scope', scope)).join(' · ')}</p>
                  <p class="hint">
                    {t('lastUsed')}: {when(key.lastUsedAt)} · {t('requests')}: {counted(key.requestCount)}
                  </p>
                  <div class="buttons">
                    <Action label={t('use')} run={() => setShown(key)} />
                    {key.id !== account.keyId && (
                      <Action
                        kind="danger"
                        label={t('revoke')}
                        ask={t('revokeAsk', { label: nameOf(key) })}
                        run={() => api.call('revokeKey', { params: { id: key.id } }).then(loading.reload)}
                      />
                    )}
                  </div>
                </li>
              ))}
            </ul>
            {limit.max < UNLIMITED && (
              <p class="hint">
                {limit.max === 0 ? t('keyNone') : t('keyPlaces', { used: limit.used, max: limit.max })}
              </p>
            )}
          </>
        )}
      </Loaded>
      {isMaking && (
        <FormDialog title={t('newKey')} close={() => setMaking(false)} kind="" act={make}>
          <Input label={t('label')} name="label" maxLength={100} required />
          <fieldset>
            <legend>{t('scopes')}</legend>
            {account.scopes.map((scope) => (
              <Check
                key={scope}
                label={t(`scope.${scope}`)}
                name="scopes"
                value={scope}
                defaultChecked={USUAL.includes(scope)}
              />
            ))}
          </fieldset>
        </FormDialog>
      )}
      {shown && <Usage of={shown} close={() => setShown(null)} />}
    </>
  );
}

// --- internal ---

/** The scopes that a till needs. */
const USUAL: readonly Scope[] = ['documents:write', 'documents:read', 'issuers:read'];
/** A plan without a key limit has at least this number. */
const UNLIMITED = 10_000;

/** The name of a key. The server names the first key; the page translates that name. */
function nameOf({ label, last4 }: ApiKey): string {
  return label === 'Initial master key' ? t('firstKey') : (label ?? last4);
}

function Usage({ of, close }: { readonly of: ApiKey; readonly close: () => void }) {
  const { api } = useWork();
  const loading = useLoad(() => api.call('getKeyUsage', { params: { id: of.id }, query: {} }), [of.id]);
  const title = `${t('usage')}: ${nameOf(of)}`;
  return (
    <Dialog title={title} close={close}>
      <Loaded of={loading}>
        {({ usage }) => (
          <DayChart title={title} days={usage.map(({ date, requestCount }) => ({ date, count: requestCount }))} />
        )}
      </Loaded>
    </Dialog>
  );
}
