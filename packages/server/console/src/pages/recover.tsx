import { useState } from 'preact/hooks';
import { createApi } from '../frame/api.js';
import type { DoorProps } from '../frame/app.js';
import { t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';
import { Form, Input } from '../parts/form.js';
import { Heading } from '../parts/heading.js';
import { CertificateFields, NewKey } from './register.js';

/** Gives the holder of the certificate a new key in place of lost keys. */
export default function Recover({ enter }: DoorProps) {
  const [apiKey, setApiKey] = useState<string | null>(null);
  async function recover(data: FormData): Promise<string | undefined> {
    const answer = await createApi().call('recover', { body: data });
    if (!('apiKey' in answer)) return answer.message;
    setApiKey(answer.apiKey);
  }
  if (apiKey) return <NewKey title={t('recovered')} text={t('recoveredText')} {...{ apiKey, enter }} />;
  return (
    <section class="card">
      <Heading of={t('recover')} />
      <p>{t('recoverIntro')}</p>
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
