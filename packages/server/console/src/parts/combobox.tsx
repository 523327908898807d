import { useEffect, useId, useState } from 'preact/hooks';
import { t } from '../frame/language.js';
import type { FieldAttributes } from './form.js';

/** A suggestion of a field. */
export interface Suggestion {
  readonly value: string;
  readonly label: string;
  /** Further words about it. */
  readonly about?: string;
}

/**
 * A text field with suggestions; it accepts any text. It follows the combobox pattern with a list (WAI-ARIA Authoring
 * Practices): arrows select, Enter accepts, Escape closes.
 */
export function Combobox({
  attributes,
  value,
  inputMode,
  suggest,
  onInput,
  onPick,
}: {
  readonly attributes: FieldAttributes;
  readonly value: string;
  readonly inputMode?: 'numeric' | undefined;
  readonly suggest: (text: string) => Promise<readonly Suggestion[]>;
  readonly onInput: (text: string) => void;
  readonly onPick: (value: string) => void;
}) {
  const list = useId();
  const [asked, setAsked] = useState<string | null>(null);
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const [chosen, choose] = useState(-1);
  useEffect(() => {
    setFound([]);
    choose(-1);
    if (asked === null) return;
    let isLate = false;
    const timer = setTimeout(async () => {
      const answer = await suggest(asked).catch(() => []);
      if (!isLate) setFound(answer);
    }, TYPING_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [asked]);
  // The field keeps the focus, so the browser does not scroll to the selected suggestion.
  useEffect(() => document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [chosen]);
  const close = () => setAsked(null);
  const pick = (item: Suggestion | undefined) => {
    if (item) onPick(item.value);
    close();
  };
  const step = (by: number) => choose((chosen + by + found.length + (chosen < 0 && by < 0 ? 1 : 0)) % found.length);
  const isOpen = asked !== null && found.length > 0;
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' && !isOpen) setAsked(value);
    else if (isOpen && event.key === 'ArrowDown') step(1);
    else if (isOpen && event.key === 'ArrowUp') step(-1);
    else if (isOpen && event.key === 'Escape') close();
    else if (isOpen && event.key === 'Enter' && chosen >= 0) pick(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <div class="combobox">
      <input
        {...attributes}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-activedescendant={isOpen && chosen >= 0 ? `${list}-${chosen}` : undefined}
        autocomplete="off"
        value={value}
        inputMode={inputMode}
        onInput={({ currentTarget }) => {
          onInput(currentTarget.value);
          setAsked(currentTarget.value);
        }}
        onKeyDown={onKey}
        onBlur={close}
      />
      <div id={list} role="listbox" class="suggestions" hidden={!isOpen} aria-label={t('suggestions')}>
        {found.map((item, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys.
          <div
            key={item.value}
            id={`${list}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === chosen}
            onPointerDown={(event) => event.preventDefault()}
            // At the end of the tap: a swipe scrolls the list, and the tap reaches nothing under it.
            onClick={() => pick(item)}
          >
            {item.label}
            {item.about && <span class="hint">{item.about}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}

// --- internal ---

const TYPING_MS = 200;
