import {
  Bell,
  BookOpen,
  Building2,
  Ellipsis,
  FileText,
  House,
  KeyRound,
  LogOut,
  Mails,
  Menu as MenuIcon,
  Plus,
  UserRoundCog,
  Webhook,
} from 'lucide';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { FormType } from '../forms/form-types.js';
import { Action, Menu } from '../parts/action.js';
import { Choice } from '../parts/form.js';
import { Icon } from '../parts/icon.js';
import { useLoad, useWatch } from '../parts/load.js';
import { titleOf } from './format.js';
import { LanguageContext, language, type TextName, t } from './language.js';
import { AtPath, home, newAt } from './places.js';
import { type Scope, useWork } from './session.js';

/** The head of every page. */
export function Banner({
  hasGuide = false,
  children,
}: {
  readonly hasGuide?: boolean;
  readonly children?: ComponentChildren;
}) {
  const { switchLanguage } = useContext(LanguageContext);
  const other = language() === 'es' ? 'en' : 'es';
  return (
    <header class="banner">
      <a class="skip" href="#content">
        {t('skip')}
      </a>
      <a class="brand" href={home}>
        <img src="/console/assets/icon.svg" alt="" width={26} height={26} />
        <span>{t('title')}</span>
      </a>
      {children}
      <div class="ways">
        {hasGuide && (
          <a href={`/guide/${language()}`} target="_blank" rel="noopener">
            {t('guide')}
          </a>
        )}
        <button type="button" class="plain" lang={other} onClick={switchLanguage}>
          {t('language')}
        </button>
      </div>
    </header>
  );
}

/** The frame around the pages of a company. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { tenant, types, server } = useWork();
  const drawer = useRef<HTMLDialogElement>(null);
  const { url } = useLocation();
  useEffect(() => drawer.current?.close(), [url]);
  const [first] = types;
  const sections = (
    <>
      {first && <NewDocument first={first} />}
      <Sections />
      <Companies />
    </>
  );
  return (
    <>
      <Banner hasGuide={server.hasGuide}>
        <span class={tenant.sandbox ? 'badge sandbox' : 'badge production'}>
          {t(tenant.sandbox ? 'sandbox' : 'production')}
        </span>
        <Points />
        <button type="button" class="plain opener" aria-label={t('menu')} onClick={() => drawer.current?.showModal()}>
          <Icon of={MenuIcon} size={24} />
        </button>
      </Banner>
      <div class="frame">
        <nav aria-label={t('menu')} class="side">
          {sections}
        </nav>
        <dialog class="drawer" ref={drawer} aria-label={t('menu')}>
          <nav aria-label={t('menu')}>
            {sections}
            <button type="button" class="plain" onClick={() => drawer.current?.close()}>
              {t('close')}
            </button>
          </nav>
        </dialog>
        <main id="content" tabIndex={-1}>
          <SriStanding />
          {children}
        </main>
      </div>
      {first && (
        <a class="button primary round" href={newAt(first)} aria-label={t(`new.${first}`)}>
          <Icon of={Plus} size={26} />
        </a>
      )}
    </>
  );
}

// --- internal ---

type Section = readonly [path: string, name: TextName, icon: typeof House, scope: Scope | null];

const WORK: readonly Section[] = [
  [home, 'overview', House, null],
  [AtPath.documents, 'documents', FileText, 'documents:read'],
  [AtPath.notifications, 'notifications', Bell, null],
];
const RUN: readonly Section[] = [
  [AtPath.issuers, 'issuers', Building2, 'issuers:read'],
  [AtPath.account, 'account', UserRoundCog, null],
];
const CONNECT: readonly Section[] = [
  [AtPath.keys, 'keys', KeyRound, 'keys:manage'],
  [AtPath.webhooks, 'webhooks', Webhook, 'webhooks:manage'],
];

function Sections() {
  const { server } = useWork();
  const mails: readonly Section[] = server.hasMails ? [[AtPath.mails, 'mails', Mails, null]] : [];
  return (
    <>
      <Group sections={WORK} />
      <Group title={t('group.run')} sections={RUN} />
      <Group title={t('group.connect')} sections={[...CONNECT, ...mails]} />
    </>
  );
}

function Group({ title, sections }: { readonly title?: string; readonly sections: readonly Section[] }) {
  const { can } = useWork();
  const { path } = useLocation();
  const own = sections.filter(([, , , scope]) => scope === null || can(scope));
  if (own.length === 0) return null;
  return (
    <>
      {title && <p class="group">{title}</p>}
      <ul>
        {own.map(([address, name, icon]) => {
          const isHere = address === home ? path === home || path === `${home}/` : path.startsWith(address);
          return (
            <li key={address}>
              <a href={address} aria-current={isHere ? 'page' : undefined}>
                <Icon of={icon} />
                {t(name)}
              </a>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function NewDocument({ first }: { readonly first: FormType }) {
  const { types } = useWork();
  return (
    <div class="new">
      <a class="button primary" href={newAt(first)}>
        <Icon of={Plus} />
        {t(`new.${first}`)}
      </a>
      {types.length > 1 && (
        <Menu label={t('otherDocument')} icon={Ellipsis}>
          {types
            .filter((type) => type !== first)
            .map((type) => (
              <a key={type} href={newAt(type)}>
                {t(`new.${type}`)}
              </a>
            ))}
        </Menu>
      )}
    </div>
  );
}

/** The point whose documents are shown. */
function Points() {
  const { issuer, issuers, choose } = useWork();
  if (issuers.length === 0) return null;
  return (
    <Choice
      aria-label={t('issuer')}
      value={issuer?.id ?? ''}
      none={issuers.length > 1 ? t('allIssuers') : undefined}
      of={issuers.map((each) => [each.id, titleOf(each)])}
      choose={(id) => choose(id || null)}
    />
  );
}

/** The companies that the browser is signed in to. */
function Companies() {
  const { account, accounts, switchTo, signOut, server } = useWork();
  return (
    <div class="companies">
      {accounts.length > 1 ? (
        <Choice
          aria-label={t('company')}
          value={account.keyId}
          of={accounts.map(({ keyId, name, environment }) => [keyId, `${name} · ${t(environment)}`])}
          choose={switchTo}
        />
      ) : (
        <p class="name">{account.name}</p>
      )}
      <p class="hint">RUC {account.ruc}</p>
      <ul>
        <li>
          <a href={AtPath.signIn}>
            <Icon of={Plus} />
            {t('addCompany')}
          </a>
        </li>
        {server.hasGuide && (
          <li class="only-phone">
            <a href={`/guide/${language()}`} target="_blank" rel="noopener">
              <Icon of={BookOpen} />
              {t('guide')}
            </a>
          </li>
        )}
        <li>
          <Action label={t('signOut')} icon={LogOut} kind="plain" run={signOut} />
        </li>
      </ul>
    </div>
  );
}

/** Says that the SRI fails for every document, which explains why they wait. */
function SriStanding() {
  const { tenant } = useWork();
  const read = async () => {
    const answer = (await (await fetch('/readyz')).json()) as {
      sri?: Record<string, 'held' | 'recovering' | undefined>;
    };
    return answer.sri?.[tenant.sandbox ? 'sandbox' : 'production'] ?? null;
  };
  // Every page reads this, since a till stays open all day.
  const { url } = useLocation();
  const standing = useLoad(read, [tenant.sandbox, url]);
  useWatch(standing.look, Boolean(standing.value), []);
  if (!standing.value) return null;
  return (
    <p class="notice warn" role="status">
      {t(`sri.${standing.value}`)}
    </p>
  );
}
