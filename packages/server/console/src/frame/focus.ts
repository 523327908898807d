import { useEffect } from 'preact/hooks';

/** Moves the focus to the content of the page, so that the next Tab leads to its first control. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
}

/** Keeps the focus when a part leaves the page with the focused control: in its row of a list, else next to it. */
export function useKeptFocus(): void {
  useEffect(
    () => () => {
      const row = document.activeElement?.closest('li');
      const near = [row, row?.nextElementSibling, row?.previousElementSibling];
      keepFocus(() => {
        const left = near.flatMap((each) =>
          each?.isConnected ? [...each.querySelectorAll<HTMLElement>('a, button')] : [],
        );
        if (left[0]) left[0].focus();
        else focusContent();
      });
    },
    [],
  );
}

/** Moves the focus if its control leaves the page with the next drawing. */
export function keepFocus(move: () => void): void {
  requestAnimationFrame(() => document.activeElement === document.body && move());
}
