import { ask } from '../frame/api.js';
import { when } from '../frame/format.js';
import { t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';
import { PageHead } from '../parts/heading.js';
import { Empty, Loaded, Outline, useLoad } from '../parts/load.js';

/** A mail written on this machine instead of sent. */
interface WrittenMail {
  readonly id: string;
  readonly subject: string;
  readonly to: string;
  readonly date: string | null;
  readonly attachments: readonly string[];
}

/** The mails written on this machine instead of sent; or one of them, as its reader sees it. */
export default function Mails({ id }: { readonly id?: string }) {
  return id ? <OneMail id={id} /> : <List />;
}

// --- internal ---

function List() {
  const loading = useLoad(() => ask<{ mails: readonly WrittenMail[] }>('/console/mails'), []);
  return (
    <>
      <PageHead of={t('mails')} below={t('mailsIntro')} />
      <Loaded of={loading} outline={<Outline rows={5} />}>
        {({ mails }) =>
          mails.length === 0 ? (
            <Empty title={t('noMails')} />
          ) : (
            <ul class="card rows mails">
              {mails.map(({ id, subject, to, date }) => (
                <li key={id}>
                  <a href={`${AtPath.mails}/${id}`}>{subject}</a>
                  <span class="hint">{to}</span>
                  <time class="hint">{when(date)}</time>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

function OneMail({ id }: { readonly id: string }) {
  const loading = useLoad(() => ask<{ mail: WrittenMail }>(`/console/mails/${encodeURIComponent(id)}`), [id]);
  return (
    <Loaded of={loading} outline={<Outline rows={5} />}>
      {({ mail: { subject, to, date, attachments } }) => (
        <>
          <PageHead
            of={subject}
            above={<a href={AtPath.mails}>{t('mails')}</a>}
            below={[
              `${t('recipient')}: ${to} · ${when(date)}`,
              ...(attachments.length > 0 ? [`${t('attachments')}: ${attachments.join(', ')}`] : []),
            ].join(' · ')}
          />
          {/* Without rights of any kind: no scripts, no forms, no way out but links that open elsewhere. */}
          <iframe
            class="mail"
            src={`/console/mails/${encodeURIComponent(id)}/page`}
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            title={subject}
          />
        </>
      )}
    </Loaded>
  );
}
