import { RotateCw, Send } from 'lucide';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { WebhookDelivery } from 'sri-core/client';
import { when } from '../frame/format.js';
import { named, t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';
import { useWork } from '../frame/session.js';
import { Action, Menu, ShownOnce } from '../parts/action.js';
import { Check, Choice, Form, textOf } from '../parts/form.js';
import { NotHere, PageHead } from '../parts/heading.js';
import { Empty, Loaded, Outline, useLoad, useWatch } from '../parts/load.js';
import { Status } from '../parts/status.js';
import { type EventType, WebhookFields } from './webhooks.js';

/** One webhook, with its deliveries. */
export default function WebhookPage({ id = '' }: { readonly id?: string }) {
  const { api } = useWork();
  const { route } = useLocation();
  const params = { id };
  const [secret, setSecret] = useState<string | null>(null);
  const [status, setStatus] = useState<'' | WebhookDelivery['status']>('');
  const read = async () => {
    const [{ data }, { endpoints }] = await Promise.all([
      api.call('listDeliveries', { params, query: { limit: 50, ...(status ? { status } : {}) } }),
      api.call('listWebhooks', {}),
    ]);
    return { deliveries: data, endpoint: endpoints.find((each) => each.id === id), filter: status };
  };
  const loading = useLoad(read, [id], status);
  useWatch(loading.look, loading.value?.deliveries.some((each) => each.status === 'PENDING') ?? false, [id]);
  const change = async (data: FormData) => {
    const eventTypes = data.getAll('eventTypes') as EventType[];
    await api.call('updateWebhook', {
      params,
      body: { url: textOf(data, 'url'), eventTypes, active: data.has('active') },
    });
    await loading.reload();
    return t('saved');
  };
  return (
    <Loaded of={loading} outline={<Outline rows={5} />}>
      {({ deliveries, endpoint, filter }) =>
        endpoint ? (
          <>
            <PageHead of={endpoint.url} above={<a href={AtPath.webhooks}>{t('webhooks')}</a>}>
              <div class="buttons">
                <Action
                  icon={Send}
                  label={t('testWebhook')}
                  run={() => api.call('testWebhook', { params }).then(loading.reload)}
                />
                <Menu label={t('moreActions')}>
                  <Action
                    kind="plain"
                    label={t('rotateSecret')}
                    ask={t('rotateAsk')}
                    run={async () => setSecret((await api.call('rotateWebhookSecret', { params })).secret)}
                  />
                  <Action
                    kind="plain danger"
                    label={t('removeWebhook')}
                    ask={t('removeAsk')}
                    run={() => api.call('deleteWebhook', { params }).then(() => route(AtPath.webhooks))}
                  />
                </Menu>
              </div>
            </PageHead>
            {secret && <ShownOnce title={t('secret')} secret={secret} />}
            <section>
              <header class="head">
                <h2>{t('deliveries')}</h2>
                <Choice
                  aria-label={t('status')}
                  value={status}
                  none={t('anyStatus')}
                  of={(['PENDING', 'DELIVERED', 'FAILED'] as const).map((each) => [each, t(`status.${each}`)])}
                  choose={(each) => setStatus(each as typeof status)}
                />
              </header>
              {deliveries.length === 0 ? (
                <Empty title={t(filter === '' ? 'noDeliveries' : 'noDocuments')} />
              ) : (
                <Deliveries {...{ deliveries, id, reload: loading.reload }} />
              )}
            </section>
            <details class="fold card">
              <summary>{t('changeWebhook')}</summary>
              <Form submit={t('save')} kind="" act={change}>
                <WebhookFields url={endpoint.url} eventTypes={endpoint.eventTypes} />
                <Check label={t('active')} name="active" defaultChecked={endpoint.active} />
              </Form>
            </details>
          </>
        ) : (
          <NotHere />
        )
      }
    </Loaded>
  );
}

// --- internal ---

function Deliveries({
  deliveries,
  id,
  reload,
}: {
  readonly deliveries: readonly WebhookDelivery[];
  readonly id: string;
  readonly reload: () => Promise<void>;
}) {
  const { api } = useWork();
  return (
    <table class="list stacked">
      <thead>
        <tr>
          <th>{t('event')}</th>
          <th>{t('status')}</th>
          <th>{t('date')}</th>
          <th>{t('lastAnswer')}</th>
          <th />
        </tr>
      </thead>
      <tbody>
        {deliveries.map(({ id: deliveryId, event, status, attemptCount, createdAt, lastStatusCode, lastError }) => (
          <tr key={deliveryId}>
            <td class="who">{named('notice', event)}</td>
            <td class="state">
              <Status of={status} /> <span class="hint">{t('attemptsText', { count: attemptCount })}</span>
            </td>
            <td class="day">{when(createdAt)}</td>
            <td class="what">
              {[lastStatusCode, lastError !== `HTTP_${lastStatusCode}` && lastError && named('fault', lastError)]
                .filter(Boolean)
                .join(' · ') || '–'}
            </td>
            <td class="act">
              <Action
                icon={RotateCw}
                kind="plain"
                label={t('redeliver')}
                run={() => api.call('redeliver', { params: { id, deliveryId } }).then(reload)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
