import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { OperationAnswer } from 'sri-core/client';
import { FORM_TYPES } from '../forms/form-types.js';
import { createApi } from '../frame/api.js';
import type { DoorProps } from '../frame/app.js';
import { language, t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';
import { signIn } from '../frame/session.js';
import { Action, ShownOnce } from '../parts/action.js';
import { Check, Form, Input, Select, textOf } from '../parts/form.js';
import { Heading } from '../parts/heading.js';

/** Registers a company with its certificate, and signs in. */
export default function Register({ enter }: DoorProps) {
  const [made, setMade] = useState<Pick<OperationAnswer<'register'>, 'apiKey' | 'warnings'> | null>(null);
  async function register(data: FormData): Promise<void> {
    const logo = data.get('logo');
    if (logo instanceof File && logo.size === 0) data.delete('logo');
    data.set('requiredAccounting', data.has('requiredAccounting') ? 'true' : 'false');
    data.set('documentTypes', JSON.stringify(data.getAll('documentTypes')));
    const firstNumbers = FORM_TYPES.flatMap((documentType) => {
      const sequential = Number(textOf(data, `first.${documentType}`));
      data.delete(`first.${documentType}`);
      return sequential ? [{ documentType, sequential }] : [];
    });
    data.set('initialSequentials', JSON.stringify(firstNumbers));
    data.set('emissionType', '1');
    data.set('language', language());
    for (const name of OPTIONAL) if (data.get(name) === '') data.delete(name);
    setMade(await createApi().call('register', { body: data }));
  }
  if (made) {
    return (
      <NewKey title={t('registered')} text={t('registeredNext')} apiKey={made.apiKey} enter={enter}>
        <Warnings of={made.warnings} />
      </NewKey>
    );
  }
  return (
    <section class="card">
      <Heading of={t('register')} />
      <p>{t('registerIntro')}</p>
      <Form submit={t('register')} act={register}>
        <CertificateFields />
        <Input
          label={t('ruc')}
          name="ruc"
          inputMode="numeric"
          pattern="\d{13}"
          maxLength={13}
          title={t('rucHint')}
          required
        />
        <Input label={t('email')} name="email" type="email" autocomplete="email" required />
        <Input label={t('businessName')} name="businessName" maxLength={300} required />
        <Input label={t('tradeName')} name="tradeName" maxLength={300} />
        <Input label={t('mainAddress')} name="mainAddress" maxLength={300} />
        <Input label={t('branchAddress')} name="branchAddress" maxLength={300} />
        <CodeFields branchCode="001" issuePointCode="001" />
        <RimpeField />
        <Input label={t('specialTaxpayer')} hint={t('resolutionHint')} name="specialTaxpayer" maxLength={13} />
        <Input label={t('withholdingAgent')} hint={t('resolutionHint')} name="withholdingAgent" maxLength={8} />
        <LogoField />
        <Check label={t('requiredAccounting')} name="requiredAccounting" />
        <details class="fold wide">
          <summary>{t('typesAndNumbers')}</summary>
          <p class="hint">{t('firstNumbersHint')}</p>
          <ul class="rows">
            {FORM_TYPES.map((type) => (
              <li key={type}>
                <Check label={t(`type.${type}`)} name="documentTypes" value={type} defaultChecked />
                <Input
                  label={`${t('firstNumber')}: ${t(`type.${type}`)}`}
                  name={`first.${type}`}
                  class="number short"
                  inputMode="numeric"
                  pattern="\d{1,9}"
                  title={t('digitsHint')}
                  maxLength={9}
                  placeholder="1"
                />
              </li>
            ))}
          </ul>
        </details>
      </Form>
      <p>
        <a href={AtPath.signIn}>{t('haveAccount')}</a>
      </p>
    </section>
  );
}

/** The key of a company that has none yet, shown once, and the way on with it. */
export function NewKey({
  title,
  text,
  apiKey,
  enter,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly apiKey: string;
  readonly enter: DoorProps['enter'];
  readonly children?: ComponentChildren;
}) {
  return (
    <section class="card">
      <Heading of={title} />
      <p>{text}</p>
      {children}
      <ShownOnce title={t('apiKey')} secret={apiKey} />
      <Action kind="primary" label={t('goOn')} run={async () => enter(await signIn(apiKey))} />
    </section>
  );
}

/** The possible mistakes in the sent form. */
export function Warnings({ of = [] }: { readonly of?: readonly { readonly message: string }[] | undefined }) {
  return of.map(({ message }) => (
    <p key={message} class="notice warn" role="alert">
      {message}
    </p>
  ));
}

/** The certificate and its password. */
export function CertificateFields() {
  return (
    <>
      <Input label={t('certificateFile')} name="cert" type="file" accept=".p12,.pfx,application/x-pkcs12" required />
      <Input
        label={t('certPassword')}
        hint={t('certPasswordHint')}
        name="certPassword"
        type="password"
        autocomplete="off"
      />
    </>
  );
}

/** The codes of a branch and its issue point. */
export function CodeFields(codes: { readonly branchCode?: string; readonly issuePointCode?: string }) {
  return (
    <>
      {(['branchCode', 'issuePointCode'] as const).map((name) => (
        <Input
          key={name}
          label={t(name)}
          name={name}
          defaultValue={codes[name] ?? ''}
          pattern="\d{3}"
          title={t('codeHint')}
          inputMode="numeric"
          maxLength={3}
          required
        />
      ))}
    </>
  );
}

/** The RIMPE regime. */
export function RimpeField({ chosen = '' }: { readonly chosen?: string }) {
  return (
    <Select
      label={t('rimpe')}
      name="rimpe"
      chosen={chosen}
      of={[
        ['', t('rimpe.NONE')],
        ['GENERAL', t('rimpe.GENERAL')],
        ['POPULAR', t('rimpe.POPULAR')],
      ]}
    />
  );
}

/** A logo. */
export function LogoField() {
  return (
    <Input label={t('logo')} hint={t('logoHint')} name="logo" type="file" accept="image/png,image/jpeg,image/gif" />
  );
}

// --- internal ---

const OPTIONAL = ['tradeName', 'mainAddress', 'branchAddress', 'specialTaxpayer', 'withholdingAgent', 'rimpe'];
