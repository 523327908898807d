import type { IconNode } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepFocus, useKeptFocus } from '../frame/focus.js';
import { t } from '../frame/language.js';
import { Icon } from './icon.js';
import { Problem } from './problem.js';

/** A button that runs an action, waits for it, and shows a refusal or a text that it returns. `ask` asks before. */
export function Action({
  label,
  run,
  icon,
  kind = '',
  ask,
  isDisabled = false,
}: {
  readonly label: string;
  readonly run: () => unknown;
  readonly icon?: IconNode;
  readonly kind?: string;
  readonly ask?: string;
  readonly isDisabled?: boolean;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [notice, setNotice] = useState<unknown>();
  const [asking, setAsking] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  useKeptFocus(place);
  // A disabled button would lose the focus.
  const press = () => busy || (ask ? setAsking(true) : act());
  async function act(): Promise<void> {
    setAsking(false);
    setBusy(true);
    setError(undefined);
    setNotice(undefined);
    try {
      setNotice(await run());
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  }
  return (
    <span ref={place} class="action">
      <button type="button" class={kind} disabled={isDisabled} aria-disabled={busy} onClick={press}>
        {icon && <Icon of={icon} />}
        {label}
      </button>
      <span aria-live="polite">
        {error !== undefined && <Problem error={error} />}
        {typeof notice === 'string' && notice}
      </span>
      {asking && (
        <Dialog title={label} close={() => setAsking(false)} closing={t('cancel')}>
          <p>{ask}</p>
          <button type="button" class={kind.includes('danger') ? 'danger' : 'primary'} onClick={act}>
            {label}
          </button>
        </Dialog>
      )}
    </span>
  );
}

/** A dialog over the page. The browser keeps the focus in it; its last button and Escape close it. */
export function Dialog({
  title,
  close,
  closing = t('close'),
  children,
}: {
  readonly title: string;
  readonly close: () => void;
  /** The text of the last button. */
  readonly closing?: string;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeptFocus(dialog);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // A file viewer with the focus would keep Escape to itself.
    if (document.activeElement instanceof HTMLIFrameElement) element?.focus();
    element?.querySelector<HTMLElement>('input, select, textarea, .agreement')?.focus();
    // The browser returns the focus to the button that opened it.
    return () => element?.close();
  }, []);
  // A form that its outcome replaces had the focus.
  useEffect(() => keepFocus(() => dialog.current?.focus()));
  // The event comes a frame later: that of a removed dialog would close the one opened since.
  const closeShown = ({ currentTarget }: Event) => (currentTarget as HTMLElement).isConnected && close();
  return (
    <dialog ref={dialog} tabIndex={-1} onClose={closeShown} aria-label={title}>
      <h2>{title}</h2>
      {children}
      <button type="button" class="plain" onClick={close}>
        {closing}
      </button>
    </dialog>
  );
}

/** A button that opens further ones. */
export function Menu({
  label,
  icon,
  children,
}: {
  readonly label: string;
  readonly icon?: IconNode;
  readonly children: ComponentChildren;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  const closeOutside = ({ relatedTarget }: FocusEvent) => {
    const next = relatedTarget as Element | null;
    // A dialog returns the focus to the button that opened it, which has to be visible then.
    if (menu.current && !menu.current.contains(next) && !next?.closest('dialog')) menu.current.open = false;
  };
  const closeOnEscape = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !menu.current?.open) return;
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus();
  };
  return (
    <details class="menu" ref={menu} onFocusOut={closeOutside} onKeyDown={closeOnEscape}>
      <summary class="button">
        {icon && <Icon of={icon} />}
        {label}
      </summary>
      <div class="choices">{children}</div>
    </details>
  );
}

/** Copies a text, and reports it. */
export function Copy({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false);
  // Browsers have no clipboard for a page that can be read on the way.
  if (!isSecureContext) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <button type="button" class="plain" onClick={copy}>
      {t(copied ? 'copied' : 'copy')}
    </button>
  );
}

/** A secret that is shown only once. */
export function ShownOnce({ title, secret }: { readonly title: string; readonly secret: string }) {
  return (
    <div class="card notice good" role="status">
      <p>
        <strong>{title}</strong> {t('shownOnce')}
      </p>
      <p class="buttons">
        <code>{secret}</code> <Copy text={secret} />
      </p>
    </div>
  );
}

/** Saves a file that was fetched. */
export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
