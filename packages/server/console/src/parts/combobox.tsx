import * as combobox from '@zag-js/combobox';
import { normalizeProps, useMachine } from '@zag-js/preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { FieldAttributes } from './form.js';

/** What a field suggests. */
export interface Suggestion {
  readonly value: string;
  readonly label: string;
  /** A second line. */
  readonly about?: string;
}

/** A text field that suggests while one types. Any text may stay in it. */
export function Combobox({
  attributes,
  value,
  maxLength,
  inputMode,
  suggest,
  onInput,
  onPick,
}: {
  readonly attributes: FieldAttributes;
  readonly value: string;
  readonly maxLength?: number | undefined;
  readonly inputMode?: 'numeric' | undefined;
  readonly suggest: (text: string) => Promise<readonly Suggestion[]>;
  readonly onInput: (text: string) => void;
  readonly onPick: (value: string) => void;
}) {
  const id = useId();
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const [asked, setAsked] = useState<string | null>(null);
  const [isInside, setInside] = useState(false);
  useEffect(() => {
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
  const collection = combobox.collection({
    items: found,
    itemToValue: (item) => item.value,
    itemToString: (item) => item.label,
  });
  const service = useMachine(combobox.machine, {
    id,
    ids: { input: attributes.id },
    collection,
    inputValue: value,
    value: [],
    allowCustomValue: true,
    inputBehavior: 'none',
    selectionBehavior: 'preserve',
    openOnChange: true,
    openOnKeyPress: true,
    onInputValueChange({ inputValue, reason }) {
      if (reason !== 'input-change') return;
      onInput(inputValue);
      setAsked(inputValue);
    },
    onValueChange({ value: [picked] }) {
      if (picked !== undefined) onPick(picked);
      setFound([]);
    },
  });
  const api = combobox.connect(service, normalizeProps);
  return (
    <div
      {...api.getRootProps()}
      class="combobox"
      onFocusIn={() => {
        setInside(true);
        setAsked((before) => before ?? value);
      }}
      onFocusOut={() => setInside(false)}
    >
      <div {...api.getControlProps()}>
        <input {...(api.getInputProps() as object)} {...attributes} maxLength={maxLength} inputMode={inputMode} />
      </div>
      <ul {...api.getContentProps()} class="suggestions" hidden={!api.open || !isInside || found.length === 0}>
        {found.map((item) => (
          <li key={item.value} {...api.getItemProps({ item })}>
            {item.label}
            {item.about && <span class="hint">{item.about}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

// --- internal ---

const TYPING_MS = 200;
