import { CheckCheck } from 'lucide';
import { ApiError, type Notification, type OperationAnswer } from 'sri-core/client';
import { numberOf, when } from '../frame/format.js';
import { named, t } from '../frame/language.js';
import { documentAt, documentsWith } from '../frame/places.js';
import { useWork } from '../frame/session.js';
import { Action } from '../parts/action.js';
import { Check } from '../parts/form.js';
import { PageHead } from '../parts/heading.js';
import { Empty, Loaded, Outline, useLoad } from '../parts/load.js';

/** The notifications of the company, and its preferences. */
export default function Notifications() {
  const { api } = useWork();
  const loading = useLoad(() => api.call('listNotifications', { query: { limit: 50 } }), []);
  const read = async (of: readonly Notification[]) => {
    for (const { id } of of) await api.call('readNotification', { params: { id } }).catch(unlessRead);
    await loading.reload();
  };
  const readAll = async () => {
    const { notifications } = await api.call('listNotifications', { query: {} });
    await read(notifications.filter(({ readAt }) => !readAt));
  };
  return (
    <>
      <PageHead of={t('notifications')}>
        {(loading.value?.unreadCount ?? 0) > 0 && <Action icon={CheckCheck} label={t('markAllRead')} run={readAll} />}
      </PageHead>
      <Loaded of={loading} outline={<Outline rows={5} />}>
        {({ notifications }) =>
          notifications.length === 0 ? (
            <Empty title={t('noNotifications')} />
          ) : (
            <ul class="cards">
              {notifications.map((each) => (
                <Notice key={each.id} of={each} read={() => read([each])} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Preferences />
    </>
  );
}

// --- internal ---

/** Another tab or person may have read it. */
function unlessRead(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

/** The access key of the notification's document, or of the only document in its list. */
function accessKeyOf(metadata: Notification['metadata']): string | null {
  const { accessKey, documents } = (metadata ?? {}) as {
    readonly accessKey?: string;
    readonly documents?: readonly { readonly accessKey: string }[];
  };
  return accessKey ?? (documents?.length === 1 ? (documents[0]?.accessKey ?? null) : null);
}

function Notice({ of, read }: { readonly of: Notification; readonly read: () => Promise<void> }) {
  const { type, severity, title, message, metadata, readAt, createdAt } = of;
  const accessKey = accessKeyOf(metadata);
  const [href, name] = accessKey
    ? [documentAt(accessKey), `${named('type', accessKey.slice(8, 10))} ${numberOf(accessKey)}`]
    : [documentsWith({ status: 'AUTHORIZED' }), t('documents')];
  return (
    <li tabIndex={-1} class={readAt ? 'card' : `card notice ${severity.toLowerCase()}`}>
      <h2>{title}</h2>
      <p>{message}</p>
      <p class="hint">
        {when(createdAt)}
        {(accessKey || type === 'DOCUMENT_AUTHORIZED') && (
          <>
            {' · '}
            <a href={href}>{name}</a>
          </>
        )}
      </p>
      {!readAt && <Action kind="plain" label={t('markRead')} run={read} />}
    </li>
  );
}

function Preferences() {
  const { api, can, server } = useWork();
  const loading = useLoad(async () => {
    const { preferences: set } = await api.call('getPreferences', {});
    const isSet = (each: NotificationPreference) =>
      set.some(({ type, channel }) => type === each.type && channel === each.channel);
    const preferences = [...UNLISTED.filter((each) => !isSet(each)), ...set];
    return {
      preferences: preferences.filter(({ type }) => server.use === 'service' || !/^(PAYMENT|SUBSCRIPTION)/.test(type)),
    };
  }, []);
  return (
    <details class="fold card">
      <summary>{t('preferences')}</summary>
      <Loaded of={loading} outline={<Outline rows={4} />}>
        {({ preferences }) => {
          const types = [...new Set(preferences.map(({ type }) => type))];
          return (
            <table class="list">
              <thead>
                <tr>
                  <th>{t('notification')}</th>
                  {CHANNELS.map((channel) => (
                    <th key={channel}>{t(`channel.${channel}`)}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {types.map((type) => (
                  <tr key={type}>
                    <td>{named('notice', type)}</td>
                    {CHANNELS.map((channel) => {
                      const own = preferences.find((each) => each.type === type && each.channel === channel);
                      const set = async () => {
                        if (!own) return;
                        await api.call('setPreferences', { body: [{ ...own, enabled: !own.enabled }] }).catch(() => {});
                        // The box shows the stored value, also after a refusal.
                        await loading.reload();
                      };
                      return (
                        <td key={channel}>
                          {own && (
                            <Check
                              label={
                                <span class="unseen">{`${named('notice', type)}, ${t(`channel.${channel}`)}`}</span>
                              }
                              checked={own.enabled}
                              disabled={!can('tenant:manage')}
                              onChange={set}
                            />
                          )}
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          );
        }}
      </Loaded>
    </details>
  );
}

const CHANNELS = ['IN_APP', 'EMAIL'] as const;

type NotificationPreference = OperationAnswer<'getPreferences'>['preferences'][number];

/** Types that the interface lists only once they are set. Before that, all are enabled. */
const UNLISTED: readonly NotificationPreference[] = [
  { type: 'PAYMENT_REFUNDED', channel: 'IN_APP', enabled: true },
  { type: 'PAYMENT_REFUNDED', channel: 'EMAIL', enabled: true },
  { type: 'DOCUMENT_RETURNED', channel: 'IN_APP', enabled: true },
  { type: 'DOCUMENT_RETURNED', channel: 'EMAIL', enabled: true },
  { type: 'DOCUMENT_NOT_AUTHORIZED', channel: 'IN_APP', enabled: true },
  { type: 'DOCUMENT_NOT_AUTHORIZED', channel: 'EMAIL', enabled: true },
  { type: 'SRI_SUBMISSION_FAILED', channel: 'IN_APP', enabled: true },
  { type: 'EMAIL_DELIVERY_FAILED', channel: 'IN_APP', enabled: true },
  { type: 'QUOTA_WARNING', channel: 'IN_APP', enabled: true },
];
