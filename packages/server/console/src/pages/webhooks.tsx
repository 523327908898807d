import { Plus } from 'lucide';
import { useState } from 'preact/hooks';
import type { WebhookEndpoint } from 'sri-core/client';
import { named, t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';
import { useWork } from '../frame/session.js';
import { Action, ShownOnce } from '../parts/action.js';
import { Check, FormDialog, Input, textOf } from '../parts/form.js';
import { PageHead } from '../parts/heading.js';
import { Empty, Loaded, Outline, useLoad } from '../parts/load.js';

/** An event that a webhook may receive. */
export type EventType = WebhookEndpoint['eventTypes'][number];

const EVENTS = Object.keys({
  DOCUMENT_AUTHORIZED: true,
  DOCUMENT_RETURNED: true,
  DOCUMENT_NOT_AUTHORIZED: true,
  SRI_SUBMISSION_FAILED: true,
  EMAIL_DELIVERY_FAILED: true,
  CERT_EXPIRING: true,
  CERT_EXPIRED: true,
  QUOTA_WARNING: true,
} satisfies Readonly<Record<EventType, true>>) as EventType[];

/** The addresses that receive events. */
export default function Webhooks() {
  const { api } = useWork();
  const loading = useLoad(() => api.call('listWebhooks', {}), []);
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const make = async (data: FormData) => {
    const eventTypes = data.getAll('eventTypes') as EventType[];
    const answer = await api.call('createWebhook', { body: { url: textOf(data, 'url'), eventTypes } });
    setSecret(answer.secret);
    await loading.reload();
  };
  const opener = <Action kind="primary" icon={Plus} label={t('newWebhook')} run={() => setMaking(true)} />;
  return (
    <>
      <PageHead of={t('webhooks')}>{(loading.value?.endpoints.length ?? 0) > 0 && opener}</PageHead>
      {secret && <ShownOnce title={t('secret')} secret={secret} />}
      <Loaded of={loading} outline={<Outline rows={3} />}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            <Empty title={t('noWebhooks')}>{opener}</Empty>
          ) : (
            <ul class="cards">
              {endpoints.map(({ id, url, eventTypes, active }) => (
                <li key={id} class="card">
                  <h2>
                    <a href={`${AtPath.webhooks}/${id}`}>{url}</a>{' '}
                    {!active && <span class="badge returned">{t('paused')}</span>}
                  </h2>
                  <p class="hint">
                    {eventTypes.length === 0
                      ? t('everyEvent')
                      : eventTypes.map((type) => named('notice', type)).join(' · ')}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {isMaking && (
        <FormDialog title={t('newWebhook')} close={() => setMaking(false)} kind="" act={make}>
          <WebhookFields />
        </FormDialog>
      )}
    </>
  );
}

/** The address and the events of a webhook. */
export function WebhookFields({
  url = '',
  eventTypes = [],
}: {
  readonly url?: string;
  readonly eventTypes?: readonly string[];
}) {
  return (
    <>
      <Input label={t('url')} name="url" type="url" placeholder="https://…" defaultValue={url} required />
      <fieldset>
        <legend>{t('eventTypes')}</legend>
        <p class="hint">{t('eventTypesHint')}</p>
        {EVENTS.map((type) => (
          <Check
            key={type}
            label={t(`notice.${type}`)}
            name="eventTypes"
            value={type}
            defaultChecked={eventTypes.includes(type)}
          />
        ))}
      </fieldset>
    </>
  );
}
