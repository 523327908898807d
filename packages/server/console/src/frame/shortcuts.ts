import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { AtPath, newAt } from './places.js';
import type { Work } from './session.js';

/** `/` searches for a document and `n` creates one, unless the user is typing. */
export function useShortcuts({ can, types }: Work): void {
  const { route } = useLocation();
  useEffect(() => {
    const go = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const isTyping = target.closest('input:not(.tick *), select, textarea, dialog');
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      if (event.key === '/' && can('documents:read')) {
        event.preventDefault();
        const field = document.querySelector<HTMLInputElement>('input[type="search"]');
        if (field) field.focus();
        else route(`${AtPath.documents}#search`);
      }
      const [type] = types;
      if (event.key === 'n' && type) route(newAt(type));
    };
    addEventListener('keydown', go);
    return () => removeEventListener('keydown', go);
  }, [can, types, route]);
}
