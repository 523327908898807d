import { useEffect } from 'preact/hooks';

/** Moves the focus to the content of the page, so that the next Tab leads to its first control. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
}

/** Keeps the focus in the content when a part leaves the page together with the focused control. */
export function useKeptFocus(): void {
  useEffect(() => () => keepFocus(focusContent), []);
}

/** Moves the focus if its control leaves the page with the next drawing. */
export function keepFocus(move: () => void): void {
  requestAnimationFrame(() => document.activeElement === document.body && move());
}
