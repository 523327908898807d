import { useState } from 'preact/hooks';
import { createApi } from '../frame/api.js';
import type { DoorProps } from '../frame/app.js';
import { t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';
import { signIn } from '../frame/session.js';
import { Action, ShownOnce } from '../parts/action.js';
import { Form, Input } from '../parts/form.js';
import { Heading } from '../parts/heading.js';
import { CertificateFields } from './register.js';

/** Gives the holder of the certificate a new key in place of lost keys. */
export default function Recover({ enter }: DoorProps) {
  const [apiKey, setApiKey] = useState<string | null>(null);
  const [told, setTold] = useState<string | null>(null);
  async function recover(data: FormData): Promise<void> {
    setTold(null);
    const answer = await createApi().call('recover', { body: data });
    if ('apiKey' in answer) setApiKey(answer.apiKey);
    else setTold(answer.message);
  }
  if (apiKey) {
    return (
      <section class="card">
        <Heading of={t('recovered')} />
        <p>{t('recoveredText')}</p>
        <ShownOnce title={t('apiKey')} secret={apiKey} />
        <Action kind="primary" label={t('goOn')} run={async () => enter(await signIn(apiKey))} />
      </section>
    );
  }
  return (
    <section class="card">
      <Heading of={t('recover')} />
      <p>{t('recoverIntro')}</p>
      {told && (
        <p class="notice warn" role="status">
          {told}
        </p>
      )}
      <Form submit={t('recover')} act={recover}>
        <CertificateFields />
        <Input label={t('email')} name="email" type="email" autocomplete="email" required />
      </Form>
      <p>
        <a href={AtPath.signIn}>{t('haveAccount')}</a>
      </p>
    </section>
  );
}
