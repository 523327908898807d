import { useState } from 'preact/hooks';
import { createOpenApi } from '../frame/api.js';
import type { DoorProps } from '../frame/app.js';
import { language, t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';
import { signIn } from '../frame/session.js';
import { Action, ShownOnce } from '../parts/action.js';
import { Check, Field, Form } from '../parts/form.js';

/** Registers a company with its certificate, and signs in. */
export default function Register({ enter }: DoorProps) {
  const [made, setMade] = useState<{ readonly apiKey: string; readonly warnings: readonly string[] } | null>(null);
  async function register(data: FormData): Promise<void> {
    const logo = data.get('logo');
    if (logo instanceof File && logo.size === 0) data.delete('logo');
    data.set('requiredAccounting', data.has('requiredAccounting') ? 'true' : 'false');
    data.set('documentTypes', JSON.stringify(['01', '03', '04', '05', '06', '07']));
    data.set('emissionType', '1');
    data.set('language', language());
    for (const name of OPTIONAL) if (data.get(name) === '') data.delete(name);
    const { apiKey, warnings = [] } = await createOpenApi().call('register', { body: data });
    setMade({ apiKey, warnings: warnings.map(({ message }) => message) });
  }
  if (made) {
    return (
      <section class="card">
        <h1>{t('registered')}</h1>
        <p>{t('registeredNext')}</p>
        {made.warnings.map((message) => (
          <p key={message} class="notice warn" role="alert">
            {message}
          </p>
        ))}
        <ShownOnce title={t('apiKey')} secret={made.apiKey} />
        <Action kind="primary" label={t('goOn')} run={async () => enter(await signIn(made.apiKey))} />
      </section>
    );
  }
  return (
    <section class="card">
      <h1>{t('register')}</h1>
      <p>{t('registerIntro')}</p>
      <Form submit={t('register')} act={register}>
        <CertificateFields />
        <Field label={t('ruc')} name="ruc">
          {(attributes) => (
            <input {...attributes} inputMode="numeric" pattern="\d{13}" maxLength={13} title={t('rucHint')} required />
          )}
        </Field>
        <Field label={t('email')} name="email">
          {(attributes) => <input {...attributes} type="email" autocomplete="email" required />}
        </Field>
        <Field label={t('businessName')} name="businessName">
          {(attributes) => <input {...attributes} maxLength={300} required />}
        </Field>
        <Field label={t('tradeName')} name="tradeName">
          {(attributes) => <input {...attributes} maxLength={300} />}
        </Field>
        <Field label={t('mainAddress')} name="mainAddress">
          {(attributes) => <input {...attributes} maxLength={300} />}
        </Field>
        <Field label={t('branchAddress')} name="branchAddress">
          {(attributes) => <input {...attributes} maxLength={300} />}
        </Field>
        <CodeFields branchCode="001" issuePointCode="001" />
        <Field label={t('specialTaxpayer')} hint={t('resolutionHint')} name="specialTaxpayer">
          {(attributes) => <input {...attributes} maxLength={13} />}
        </Field>
        <LogoField />
        <Check label={t('requiredAccounting')} name="requiredAccounting" />
      </Form>
      <p>
        <a href={AtPath.signIn}>{t('haveAccount')}</a>
      </p>
    </section>
  );
}

/** The certificate and its password. */
export function CertificateFields({ isRequired = true }: { readonly isRequired?: boolean }) {
  return (
    <>
      <Field label={t('certificateFile')} name="cert">
        {(attributes) => (
          <input {...attributes} type="file" accept=".p12,.pfx,application/x-pkcs12" required={isRequired} />
        )}
      </Field>
      <Field label={t('certPassword')} hint={t('certPasswordHint')} name="certPassword">
        {(attributes) => <input {...attributes} type="password" autocomplete="off" />}
      </Field>
    </>
  );
}

/** The codes of a branch and its issue point. */
export function CodeFields(codes: { readonly branchCode?: string; readonly issuePointCode?: string }) {
  return (
    <>
      {(['branchCode', 'issuePointCode'] as const).map((name) => (
        <Field key={name} label={t(name)} name={name}>
          {(attributes) => (
            <input
              {...attributes}
              defaultValue={codes[name] ?? ''}
              pattern="\d{3}"
              title={t('codeHint')}
              inputMode="numeric"
              maxLength={3}
              required
            />
          )}
        </Field>
      ))}
    </>
  );
}

/** A logo. */
export function LogoField() {
  return (
    <Field label={t('logo')} hint={t('logoHint')} name="logo">
      {(attributes) => <input {...attributes} type="file" accept="image/png,image/jpeg,image/gif" />}
    </Field>
  );
}

// --- internal ---

const OPTIONAL = ['tradeName', 'mainAddress', 'branchAddress', 'specialTaxpayer'];
