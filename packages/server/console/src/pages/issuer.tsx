import { Pause, Play } from 'lucide';
import { useState } from 'preact/hooks';
import type { ListedIssuer } from 'sri-core/client';
import { FORM_TYPES } from '../forms/form-types.js';
import { placeOf, titleOf } from '../frame/format.js';
import { named, t } from '../frame/language.js';
import { AtPath } from '../frame/places.js';
import { useWork } from '../frame/session.js';
import { Action } from '../parts/action.js';
import { Check, Form, Input, Select, textOf } from '../parts/form.js';
import { NotHere, PageHead } from '../parts/heading.js';
import { Loaded, Outline, useLoad } from '../parts/load.js';
import { Validity } from './issuers.js';
import { CertificateFields, LogoField, RimpeField, Warnings } from './register.js';

/** One point: its data, certificate, logo, types of document and next numbers. */
export default function IssuerPage({ id = '' }: { readonly id?: string }) {
  const { issuers, api, can, refresh } = useWork();
  const issuer = issuers.find((each) => each.id === id);
  if (!issuer) return <NotHere />;
  const mayWrite = can('issuers:write');
  const toggle = async () => {
    await api.call('setCanIssue', { params: { id }, body: { canIssue: !issuer.canIssue } });
    await refresh();
  };
  return (
    <>
      <PageHead of={titleOf(issuer)} above={<a href={AtPath.issuers}>{t('issuers')}</a>}>
        {mayWrite && (
          <Action
            icon={issuer.canIssue ? Pause : Play}
            label={t(issuer.canIssue ? 'pause' : 'resume')}
            {...(issuer.canIssue ? { ask: t('pauseAsk') } : {})}
            run={toggle}
          />
        )}
      </PageHead>
      {!issuer.canIssue && <p class="notice warn">{t('attentionPaused', { issuer: placeOf(issuer) })}</p>}
      <div class="columns">
        {/* In two parts: a fold that opens moves no card to the other column. */}
        <div>
          <Data issuer={issuer} mayWrite={mayWrite} />
          <Certificate issuer={issuer} mayWrite={mayWrite} />
        </div>
        <div>
          <Types issuer={issuer} mayWrite={mayWrite} />
          <Numbers issuer={issuer} mayWrite={mayWrite} />
        </div>
      </div>
    </>
  );
}

// --- internal ---

interface PartProps {
  readonly issuer: ListedIssuer;
  readonly mayWrite: boolean;
}

/** Fields that are sent only if changed, since names and numbers may be locked. */
const TEXTS = [
  'businessName',
  'tradeName',
  'mainAddress',
  'branchAddress',
  'specialTaxpayer',
  'withholdingAgent',
] as const;

const NUMBERS_OF_RESOLUTIONS: ReadonlySet<string> = new Set(['specialTaxpayer', 'withholdingAgent']);

function Data({ issuer, mayWrite }: PartProps) {
  const { api, refresh, server } = useWork();
  const change = async (data: FormData) => {
    const texts = TEXTS.filter((name) => textOf(data, name) !== (issuer[name] ?? '')).map((name) => [
      name,
      textOf(data, name) || null,
    ]);
    const rimpe = textOf(data, 'rimpe') || null;
    const requiredAccounting = data.has('requiredAccounting');
    const body = {
      ...Object.fromEntries(texts),
      ...(rimpe === issuer.rimpe ? {} : { rimpe: rimpe as typeof issuer.rimpe }),
      ...(requiredAccounting === issuer.requiredAccounting ? {} : { requiredAccounting }),
    };
    if (Object.keys(body).length > 0) await api.call('updateIssuer', { params: { id: issuer.id }, body });
    await refresh();
    return t('saved');
  };
  return (
    <section class="card">
      <h2>{t('issuerData')}</h2>
      <p class="hint">
        RUC {issuer.ruc} · {t('branchCode')} {issuer.branchCode} · {t('issuePointCode')} {issuer.issuePointCode}
      </p>
      <fieldset disabled={!mayWrite}>
        <Form {...(mayWrite ? { submit: t('save') } : {})} act={change}>
          {TEXTS.map((name) => (
            <Input
              key={name}
              label={t(name)}
              {...(NUMBERS_OF_RESOLUTIONS.has(name) ? { hint: t('resolutionHint') } : {})}
              name={name}
              maxLength={300}
              defaultValue={issuer[name] ?? ''}
            />
          ))}
          <RimpeField chosen={issuer.rimpe ?? ''} />
          <Check label={t('requiredAccounting')} name="requiredAccounting" defaultChecked={issuer.requiredAccounting} />
        </Form>
      </fieldset>
      {server.use === 'service' && mayWrite && <p class="hint">{t('issuerLockedHint')}</p>}
    </section>
  );
}

function Certificate({ issuer, mayWrite }: PartProps) {
  const { api, refresh } = useWork();
  const [warnings, setWarnings] = useState<readonly { readonly message: string }[]>();
  const params = { id: issuer.id };
  const renew = async (data: FormData) => {
    data.set('applyToAll', data.has('applyToAll') ? 'true' : 'false');
    const answer = await api.call('renewCertificate', { params, body: data });
    setWarnings(answer.warnings);
    await refresh();
    return t('saved');
  };
  const changeLogo = async (data: FormData) => {
    await api.call('setLogo', { params, body: data });
    await refresh();
    return t('saved');
  };
  return (
    <section class="card">
      <h2>{t('certificate')}</h2>
      <p>
        <Validity certExpiry={issuer.certExpiry} />
      </p>
      <Warnings of={warnings} />
      {mayWrite && (
        <>
          <Form submit={t('renew')} act={renew} isCleared>
            <CertificateFields />
            <Check label={t('applyToAll')} name="applyToAll" defaultChecked />
          </Form>
          <Form submit={t('changeLogo')} act={changeLogo} isCleared>
            <LogoField />
          </Form>
        </>
      )}
    </section>
  );
}

function Types({ issuer: { id, documentTypes }, mayWrite }: PartProps) {
  const { api, refresh } = useWork();
  return (
    <section class="card">
      <h2>{t('documentTypes')}</h2>
      <ul class="rows">
        {FORM_TYPES.map((type) => {
          const isAllowed = documentTypes.includes(type);
          const change = async () => {
            if (isAllowed) await api.call('disableDocumentType', { params: { id, code: type } });
            else await api.call('enableDocumentType', { params: { id }, body: { documentType: type } });
            await refresh();
          };
          return (
            <li key={type}>
              <span>{t(`type.${type}`)}</span>
              {isAllowed ? <span class="badge authorized">{t('yes')}</span> : <span class="badge">{t('no')}</span>}
              {mayWrite && <Action kind="plain" label={t(isAllowed ? 'forbid' : 'allow')} run={change} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Numbers({ issuer: { id, documentTypes }, mayWrite }: PartProps) {
  const { api, tenant } = useWork();
  const loading = useLoad(() => api.call('listSequentials', { params: { id } }), [id]);
  const environment = tenant.sandbox ? 'sandbox' : 'production';
  const change = async (data: FormData) => {
    const documentType = textOf(data, 'documentType') as (typeof documentTypes)[number];
    const nextSequential = Number(textOf(data, 'nextSequential'));
    await api.call('setNextSequential', { params: { id, documentType }, body: { environment, nextSequential } });
    await loading.reload();
  };
  return (
    <section class="card">
      <h2>{t('nextNumbers')}</h2>
      <Loaded of={loading} outline={<Outline rows={3} />}>
        {({ sequentials }) => (
          <>
            <ul class="rows">
              {sequentials.map((counters) => (
                <li key={counters.documentType}>
                  <span>{named('type', counters.documentType)}</span>
                  <span class="amount">{counters[environment].next}</span>
                </li>
              ))}
            </ul>
            {mayWrite && (
              <details class="fold">
                <summary>{t('changeNumber')}</summary>
                <p class="hint">{t('changeNumberHint')}</p>
                <Form submit={t('save')} act={change}>
                  <Select
                    label={t('type')}
                    name="documentType"
                    of={documentTypes.map((type) => [type, t(`type.${type}`)])}
                  />
                  <Input
                    label={t('nextNumber')}
                    name="nextSequential"
                    inputMode="numeric"
                    pattern="\d{1,9}"
                    title={t('digitsHint')}
                    required
                  />
                </Form>
              </details>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
