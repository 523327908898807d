import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../frame/language.js';
import { home } from '../frame/places.js';

/** The heading of a page. The tab has its text as title. */
export function Heading({ of: text, children = text }: { readonly of: string; readonly children?: ComponentChildren }) {
  useEffect(() => {
    document.title = `${text} · ${t('title')}`;
  }, [text]);
  return <h1>{children}</h1>;
}

/** The head of a page: its heading, a line above and below it, and its actions. */
export function PageHead({
  of,
  above,
  below,
  children,
}: {
  readonly of: string;
  readonly above?: ComponentChildren;
  readonly below?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <header class="head">
      <div>
        {above && <p class="hint">{above}</p>}
        <Heading of={of} />
        {below && <p class="hint">{below}</p>}
      </div>
      {children}
    </header>
  );
}

/** In place of a page that does not exist, with the way to the overview. */
export function NotHere() {
  return (
    <PageHead of={t('notHere')}>
      <a class="button" href={home}>
        {t('overview')}
      </a>
    </PageHead>
  );
}
