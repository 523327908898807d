import type { DoorProps } from '../frame/app.js';
import { t } from '../frame/language.js';
import { AtPath, home } from '../frame/places.js';
import { signIn } from '../frame/session.js';
import { Form, Input, textOf } from '../parts/form.js';
import { Heading } from '../parts/heading.js';

/** Signs in with a key, next to the companies that the browser is signed in to. */
export default function SignIn({ session, enter }: DoorProps) {
  const { isOpen, keyBrand } = session.server;
  return (
    <section class="card">
      <Heading of={t(session.accounts.length > 0 ? 'addCompany' : 'signIn')} />
      <p>{t('signInIntro')}</p>
      {session.accounts.length === 0 && ![home, AtPath.signIn, AtPath.start].includes(location.pathname) && (
        <p>{t('signInReturn')}</p>
      )}
      {/* Browsers keep the cookie of a session only on a connection that cannot be read on the way. */}
      {!isSecureContext && <p class="notice warn">{t('needsTls')}</p>}
      <Form submit={t('signIn')} kind="" act={async (data) => enter(await signIn(textOf(data, 'apiKey')))}>
        <Input
          label={t('apiKey')}
          hint={t('apiKeyHint', { brand: keyBrand })}
          name="apiKey"
          type="password"
          required
          autocomplete="current-password"
          spellcheck={false}
        />
      </Form>
      <p class="buttons">
        {isOpen && <a href={AtPath.register}>{t('register')}</a>}
        {isOpen && <a href={AtPath.recover}>{t('recover')}</a>}
        {session.accounts.length > 0 && <a href={home}>{t('back')}</a>}
      </p>
    </section>
  );
}
