import { useEffect } from 'preact/hooks';

/** Moves the focus to the content of the page, so that the next Tab leads to its first control. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
}

/** Keeps the focus in what holds a part, else in the content, when the part leaves the page with the focused control. */
export function useKeptFocus(part: { readonly current: Element | null }): void {
  useEffect(() => {
    const holder = part.current?.parentElement?.closest<HTMLElement>('[tabindex="-1"]');
    return () => keepFocus(() => (holder?.isConnected ? holder.focus({ preventScroll: true }) : focusContent()));
  }, []);
}

/** Moves the focus if its control leaves the page with the next drawing. */
export function keepFocus(move: () => void): void {
  requestAnimationFrame(() => document.activeElement === document.body && move());
}
