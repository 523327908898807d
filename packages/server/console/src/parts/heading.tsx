import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../frame/language.js';

/** The heading of a page. The tab has its text as title. */
export function Heading({ of: text, children = text }: { readonly of: string; readonly children?: ComponentChildren }) {
  useEffect(() => {
    document.title = `${text} · ${t('title')}`;
  }, [text]);
  return <h1>{children}</h1>;
}
