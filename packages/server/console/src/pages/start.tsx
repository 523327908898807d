import { FlaskConical } from 'lucide';
import type { DoorProps } from '../frame/app.js';
import { t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';
import { startWith } from '../frame/session.js';
import { Action } from '../parts/action.js';
import { Heading } from '../parts/heading.js';

/** The page of the first link: a company for tests in one click, or one's own. */
export default function Start({ session, enter }: DoorProps) {
  const token = location.hash.slice(1);
  return (
    <section class="card">
      <Heading of={t('start')} />
      <p>{t('startIntro')}</p>
      <Action
        kind="primary"
        icon={FlaskConical}
        label={t('startTest')}
        run={async () => enter(await startWith(token))}
      />
      {session.server.isOpen && (
        <p>
          <a href={AtPath.register}>{t('registerOwn')}</a>
        </p>
      )}
    </section>
  );
}
