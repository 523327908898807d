import type { ComponentChildren, FunctionComponent } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { t, useLanguage } from '../frame/language.js';
import { Problem } from './problem.js';

/** The state of a read. */
export interface Loading<Value> {
  readonly value: Value | undefined;
  readonly error: unknown;
  /** Reads again; the shown value stays until then. */
  reload(): Promise<void>;
  /** Reads again in the background: after a failure, the shown value stays. */
  look(): Promise<void>;
}

/**
 * Reads a value now, and again when one of `inputs` changes. Drops outdated answers.
 *
 * @param filter of the same subject: after its change, the shown value stays until the new value arrives.
 */
export function useLoad<Value>(read: () => Promise<Value>, inputs: readonly unknown[], filter = ''): Loading<Value> {
  const latest = useRef(read);
  latest.current = read;
  const [state, setState] = useState<{ value?: Value; error?: unknown }>({});
  const turn = useRef(0);
  const look = async () => {
    const own = turn.current;
    const value = await latest.current();
    if (own === turn.current) setState({ value });
  };
  const reload = useCallback(async () => {
    turn.current += 1;
    const own = turn.current;
    await look().catch((error) => own === turn.current && setState((before) => ({ ...before, error })));
  }, inputs);
  // A layout effect runs before the paint, so the request starts a frame earlier.
  useLayoutEffect(() => {
    setState((before) => (before.value === undefined && before.error === undefined ? before : {}));
    void reload();
    return () => {
      turn.current += 1;
    };
  }, [reload]);
  // The server answers in the language of the page.
  const view = `${useLanguage()} ${filter}`;
  const known = useRef(view);
  useEffect(() => {
    if (known.current !== view) void reload();
    known.current = view;
  }, [view]);
  return { value: state.value, error: state.error, reload, look };
}

/** Shows the value, or an outline before it; after a failure, the error with a button to retry. */
export function Loaded<Value>({
  of: { value, error, reload },
  outline = <Outline />,
  children,
}: {
  readonly of: Loading<Value>;
  readonly outline?: ComponentChildren;
  readonly children: (value: Value) => ComponentChildren;
}) {
  if (error !== undefined) return <Failed error={error} again={reload} />;
  return value === undefined ? outline : children(value);
}

/** An error in place of the failed content, with a button to try again. */
export function Failed({
  error,
  again = () => location.reload(),
  children,
}: {
  readonly error?: unknown;
  /** Default: loads the page again. */
  readonly again?: () => unknown;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="card">
      <Problem error={error} />
      <div class="buttons">
        <button type="button" onClick={again}>
          {t('again')}
        </button>
        {children}
      </div>
    </div>
  );
}

/** The outline of a page that is loading. */
export function Outline({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div class="outline" aria-busy="true" aria-label={t('loading')} role="status">
      {Array.from({ length: rows }, (_row, place) => (
        <span key={place} />
      ))}
    </div>
  );
}

/** An empty list: its purpose, and the next step. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="card empty">
      <p class="lead">{title}</p>
      {children}
    </div>
  );
}

/** Repeats a call while `active` is true, at growing intervals. */
export function useWatch(look: () => Promise<unknown>, active: boolean, inputs: readonly unknown[]): void {
  useEffect(() => {
    if (!active) return;
    let waitMs = FIRST_LOOK_MS;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(async () => {
        await look().catch(() => {});
        waitMs = Math.min(waitMs * 1.5, LAST_LOOK_MS);
        wait();
      }, waitMs);
    };
    wait();
    return () => clearTimeout(timer);
  }, [active, ...inputs]);
}

/**
 * A component whose file is loaded when it is first shown. Where the file does not load, or a newer server no longer has
 * it, a part in its place says so: without that, the former page would stay.
 */
export function later<Props>(load: () => Promise<{ readonly default: FunctionComponent<Props> }>) {
  return lazy(() => load().catch(() => ({ default: Failed as FunctionComponent<Props> })));
}

// --- internal ---

/** Watching a document must not use up the sixty reads a minute of the smallest plan. */
const FIRST_LOOK_MS = 1_000;
const LAST_LOOK_MS = 15_000;
