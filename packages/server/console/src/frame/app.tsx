import { useEffect, useMemo, useState } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { exec } from 'preact-iso/router';
import { FORM_TYPES } from '../forms/form-types.js';
import SignIn from '../pages/sign-in.js';
import Start from '../pages/start.js';
import { NotHere } from '../parts/heading.js';
import { Failed, Loaded, later, Outline, useLoad } from '../parts/load.js';
import { ask, createApi, headersOf, SESSION_ENDED } from './api.js';
import { focusContent } from './focus.js';
import { type Language, LanguageContext, language, setLanguage, t } from './language.js';
import { Banner, Frame } from './layout.js';
import { AtPath, home } from './places.js';
import {
  type Account,
  endSession,
  forgetCompany,
  hear,
  hold,
  pickAccount,
  readCompany,
  readSession,
  recall,
  remember,
  type SessionAnswer,
  share,
  type Work,
  WorkContext,
} from './session.js';
import { useShortcuts } from './shortcuts.js';

/** The console: its session, and the page of its address. */
export function App() {
  const [shown, show] = useState<Language>(language());
  const [error, setError] = useState<unknown>();
  const switchLanguage = () => {
    const other = shown === 'es' ? 'en' : 'es';
    setLanguage(other);
    show(other);
  };
  return (
    <LanguageContext.Provider value={{ shown, switchLanguage }}>
      <LocationProvider scope="/console">
        {error === undefined ? (
          <ErrorBoundary onError={setError}>
            <Session />
          </ErrorBoundary>
        ) : (
          <Door>
            <Failed error={error} />
          </Door>
        )}
      </LocationProvider>
    </LanguageContext.Provider>
  );
}

// --- internal ---

/** The pages of a company, by their addresses. */
const PAGES = {
  '/console': later(() => import('../pages/overview.js')),
  '/console/documents': later(() => import('../pages/documents.js')),
  '/console/documents/:accessKey': later(() => import('../pages/document.js')),
  '/console/new/:documentType': later(() => import('../pages/new-document.js')),
  '/console/issuers': later(() => import('../pages/issuers.js')),
  '/console/issuers/:id': later(() => import('../pages/issuer.js')),
  '/console/keys': later(() => import('../pages/keys.js')),
  '/console/webhooks': later(() => import('../pages/webhooks.js')),
  '/console/webhooks/:id': later(() => import('../pages/webhook.js')),
  '/console/notifications': later(() => import('../pages/notifications.js')),
  '/console/account': later(() => import('../pages/account.js')),
  '/console/written-mails/:id?': later(() => import('../pages/mails.js')),
};

/** The session is requested before the first render. */
const firstRead = [readSession()];

/** The pages that need no session, by their addresses. */
const DOORS: Readonly<Record<string, preact.FunctionComponent<DoorProps>>> = {
  [AtPath.signIn]: SignIn,
  [AtPath.start]: Start,
  [AtPath.register]: later(() => import('../pages/register.js')),
  [AtPath.recover]: later(() => import('../pages/recover.js')),
};

/** The props of every page without a session. */
export interface DoorProps {
  readonly session: SessionAnswer;
  /** Continues with the session that a page opened. */
  readonly enter: (session: SessionAnswer) => void;
}

function Session() {
  const [session, setSession] = useState<SessionAnswer | null>(null);
  const loading = useLoad(() => firstRead.splice(0)[0] ?? readSession(), []);
  const { path, route } = useLocation();
  const known = session ?? loading.value ?? null;
  const account = known && pickAccount(known);
  const door = DOORS[path];

  useEffect(() => {
    // A 401 ends the session that the server rejects. The page and its typed input stay in this browser.
    const look = () => void readSession().then(setSession, () => {});
    const timer = setInterval(() => document.visibilityState === 'visible' && look(), RENEWAL_MS);
    addEventListener(SESSION_ENDED, look);
    return () => {
      clearInterval(timer);
      removeEventListener(SESSION_ENDED, look);
    };
  }, []);

  const enter = (entered: SessionAnswer) => {
    setSession(entered);
    // A user whose session ended on a page returns to that page.
    if (door) route(home, true);
  };

  if (!known) {
    return loading.error === undefined ? (
      <Banner />
    ) : (
      <Door>
        <Failed error={loading.error} again={loading.reload} />
      </Door>
    );
  }
  if (door || !account) {
    const Page = door ?? SignIn;
    return (
      <Door hasGuide={known.server.hasGuide}>
        <Page session={known} enter={enter} />
      </Door>
    );
  }
  return <Company key={account.keyId} {...{ account, session: known, setSession }} />;
}

function Door({
  hasGuide = false,
  children,
}: {
  readonly hasGuide?: boolean;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <>
      <Banner hasGuide={hasGuide} />
      <main id="content" tabIndex={-1} class="narrow">
        {children}
      </main>
    </>
  );
}

interface CompanyProps {
  readonly account: Account;
  readonly session: SessionAnswer;
  readonly setSession: (session: SessionAnswer | null) => void;
}

function Company(props: CompanyProps) {
  const { account, session, setSession } = props;
  const csrf = session.csrf ?? '';
  useEffect(() => hold('account', account.keyId), [account.keyId]);
  useEffect(
    () =>
      hear('left', (value) => {
        if (!value.startsWith(account.tenantId)) return;
        forgetCompany(account.tenantId);
        dispatchEvent(new Event(SESSION_ENDED));
      }),
    [account.tenantId],
  );
  const loading = useLoad(() => {
    fetchPage();
    return readCompany(account, csrf);
  }, [account.keyId]);
  if (loading.value === undefined && loading.error !== undefined) {
    return (
      <Door>
        <Failed error={loading.error} again={loading.reload}>
          <button type="button" onClick={async () => setSession(await endSession(csrf, account.keyId))}>
            {t('signOut')}
          </button>
        </Failed>
      </Door>
    );
  }
  return (
    <Loaded
      of={loading}
      outline={
        <Door>
          <Outline />
        </Door>
      }
    >
      {(read) => <Pages {...props} read={read} reload={loading.reload} />}
    </Loaded>
  );
}

function Pages({
  account,
  session,
  setSession,
  read: { tenant, issuers },
  reload,
}: CompanyProps & { readonly read: Awaited<ReturnType<typeof readCompany>>; readonly reload: () => Promise<void> }) {
  const [chosen, setChosen] = useState(() => recall(`issuer.${account.tenantId}`));
  const issuer =
    issuers.find(({ id }) => id === chosen) ?? (chosen === ALL && issuers.length > 1 ? null : (issuers[0] ?? null));
  const point = issuer ?? issuers[0];
  const csrf = session.csrf ?? '';
  useEffect(() => hold(`issuer.${account.tenantId}`, issuer?.id ?? ALL), [issuer?.id]);
  const work = useMemo<Work>(() => {
    const apiOf = (id: string | null) => createApi({ keyId: account.keyId, csrf, issuerId: id });
    return {
      ...{ account, accounts: session.accounts, server: session.server, tenant, issuers, issuer, apiOf },
      api: apiOf(point?.id ?? null),
      types: FORM_TYPES.filter(
        (type) => account.scopes.includes('documents:write') && point?.documentTypes.includes(type),
      ),
      ask: (path, options = {}) =>
        ask(path, { ...options, headers: { ...headersOf({ keyId: account.keyId, csrf }), ...options.headers } }),
      can: (scope) => account.scopes.includes(scope),
      choose(id) {
        remember(`issuer.${account.tenantId}`, id ?? ALL);
        setChosen(id ?? ALL);
      },
      switchTo(keyId) {
        remember('account', keyId);
        setSession({ ...session });
      },
      refresh: reload,
      enter: setSession,
      async signOut() {
        const left = await endSession(csrf, account.keyId);
        forgetCompany(account.tenantId);
        // Each value differs, since tabs notice changes only.
        share('left', `${account.tenantId} ${Date.now()}`);
        setSession(left);
      },
    };
    // A renewed session with the same content changes nothing, and no page reads again.
  }, [account.keyId, JSON.stringify(session), tenant, issuers, issuer]);
  useShortcuts(work);
  return (
    <WorkContext.Provider value={work}>
      <Frame>
        <Router onRouteChange={toTop}>
          {Object.entries(PAGES).map(([path, component]) => (
            <Route key={path} path={path} component={component as preact.FunctionComponent} />
          ))}
          <Route default component={NotHere} />
        </Router>
      </Frame>
    </WorkContext.Provider>
  );
}

/** Fetches the page of the address while its company is read. A failure shows when the page is drawn. */
function fetchPage(): void {
  const [, page] = Object.entries(PAGES).find(([path]) => exec(location.pathname, path)) ?? [];
  page?.preload();
}

/** The value that selects the documents of all points. */
const ALL = 'all';
/** A session ends twelve hours after its last renewal. */
const RENEWAL_MS = 20 * 60_000;

function toTop(): void {
  scrollTo(0, 0);
  focusContent();
}
