import { FlaskConical } from 'lucide';
import { useState } from 'preact/hooks';
import { ApiError } from 'sri-core/client';
import type { DoorProps } from '../frame/app.js';
import { t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';
import { startWith } from '../frame/session.js';
import { Action } from '../parts/action.js';
import { Heading } from '../parts/heading.js';
import SignIn from './sign-in.js';

/** The page of the first link: a company for tests in one click, or the user's own company. */
export default function Start({ session, enter }: DoorProps) {
  const token = location.hash.slice(1);
  const [isOver, setOver] = useState(token === '');
  // The server has a company since the link was made.
  if (isOver) return <SignIn {...{ session, enter }} />;
  const begin = () =>
    startWith(token).then(enter, (error) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      setOver(true);
    });
  return (
    <section class="card">
      <Heading of={t('start')} />
      <p>{t('startIntro')}</p>
      <Action kind="primary" icon={FlaskConical} label={t('startTest')} run={begin} />
      {session.server.isOpen && (
        <p>
          <a href={AtPath.register}>{t('registerOwn')}</a>
        </p>
      )}
    </section>
  );
}
