import { type ComponentChildren, type ComponentProps, createContext, type JSX } from 'preact';
import { useContext, useId, useRef, useState } from 'preact/hooks';
import { ApiError, type FieldFailure } from 'sri-core/client';
import { t } from '../frame/language.js';
import { Dialog } from './action.js';
import { Problem } from './problem.js';

/**
 * A short form, whose fields are read when it is sent. The error of a field is shown at the field, any other error
 * above the form.
 */
export function Form({
  submit,
  act,
  isCleared = false,
  kind = 'grid',
  isDanger = false,
  children,
}: {
  /** The text of its button; without one, it only shows. */
  readonly submit?: string;
  /** A text that it returns is the message after success. */
  readonly act: (data: FormData) => Promise<unknown>;
  /** Whether success resets its fields. */
  readonly isCleared?: boolean;
  readonly kind?: string;
  readonly isDanger?: boolean;
  readonly children: ComponentChildren;
}) {
  const [error, setError] = useState<unknown>();
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const [hidesFields, setHidesFields] = useState(false);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<unknown>();
  const notice = useRef<HTMLDivElement>(null);
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget as HTMLFormElement;
    const missing = missingIn(form);
    setWrong(missing);
    setError(undefined);
    setDone(undefined);
    if (Object.keys(missing).length > 0) {
      const first = form.querySelector<HTMLElement>(':invalid:not(fieldset)');
      const fold = first?.closest('details');
      if (fold) fold.open = true;
      first?.focus();
      return;
    }
    setBusy(true);
    try {
      setDone(await act(new FormData(form)));
      if (isCleared) form.reset();
    } catch (failure) {
      const fields = byField(failure);
      const holds = (name: string | undefined) => name !== undefined && form.elements.namedItem(name) !== null;
      const names = Object.keys(fields);
      const about = fieldOfReason(failure);
      setWrong(fields);
      setHidesFields(names.length > 0 && names.every(holds));
      if (holds(about)) form.querySelector<HTMLElement>(`[name="${about}"]`)?.focus();
      else {
        setError(failure);
        notice.current?.focus();
      }
    }
    setBusy(false);
  }
  /** Clears the error of a field when its value changes. */
  function mended({ target }: Event): void {
    const { name } = target as HTMLInputElement;
    if (name in wrong) setWrong(Object.fromEntries(Object.entries(wrong).filter(([field]) => field !== name)));
  }
  return (
    <WrongFields.Provider value={wrong}>
      <form onSubmit={send} onInput={mended} noValidate>
        <div ref={notice} role="alert" tabIndex={-1}>
          {error !== undefined && <Problem error={error} hidesFields={hidesFields} />}
        </div>
        <div class={kind}>{children}</div>
        {submit && (
          <div class="buttons">
            <button type="submit" class={isDanger ? 'danger' : 'primary'} aria-disabled={busy}>
              {submit}
            </button>
            {typeof done === 'string' && <span role="status">{done}</span>}
          </div>
        )}
      </form>
    </WrongFields.Provider>
  );
}

/** A dialog with a form, which the text that `act` returns replaces; without a text, the dialog closes. */
export function FormDialog({
  title,
  close,
  act,
  ...form
}: Omit<ComponentProps<typeof Form>, 'submit'> & { readonly title: string; readonly close: () => void }) {
  const [outcome, setOutcome] = useState<string | null>(null);
  const finish = async (data: FormData) => {
    const text = await act(data);
    if (typeof text === 'string') setOutcome(text);
    else close();
  };
  return (
    <Dialog title={title} close={close}>
      {outcome !== null ? <p role="status">{outcome}</p> : <Form submit={title} act={finish} {...form} />}
    </Dialog>
  );
}

/** A labelled field, with its hint and its error. */
export function Field({
  label,
  hint,
  name,
  wrong,
  isMissing = false,
  children,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Of the field in its form. */
  readonly name?: string;
  /** Its error; absent, the error that the form has for it. */
  readonly wrong?: string | undefined;
  /** Whether it is required and empty. */
  readonly isMissing?: boolean;
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}) {
  const id = useId();
  const ofForm = useContext(WrongFields);
  const complaint = wrong ?? (name ? ofForm[name] : undefined);
  const about = [hint && `${id}-hint`, complaint && `${id}-wrong`].filter(Boolean).join(' ');
  return (
    <div class={complaint ? 'field wrong' : 'field'}>
      <label for={id} class={isMissing ? 'missing' : ''}>
        {label}
      </label>
      {children({
        id,
        ...(name ? { name } : {}),
        ...(about ? { 'aria-describedby': about } : {}),
        ...(complaint ? { 'aria-invalid': true } : {}),
        ...(isMissing ? { 'aria-required': true } : {}),
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {complaint && (
        <p class="complaint" id={`${id}-wrong`}>
          {complaint}
        </p>
      )}
    </div>
  );
}

/** A labelled field of one line. Its title is the error of a text that does not match its pattern. */
export function Input({
  label,
  hint,
  name,
  ...input
}: JSX.IntrinsicElements['input'] & { readonly label: string; readonly hint?: string; readonly name: string }) {
  return <Field {...{ label, hint, name }}>{(attributes) => <input {...attributes} {...input} />}</Field>;
}

/** A labelled choice of a short form. */
export function Select({ label, name, ...options }: OptionsProps & { readonly label: string; readonly name: string }) {
  return (
    <Field {...{ label, name }}>
      {(attributes) => (
        <select {...attributes}>
          <Options {...options} />
        </select>
      )}
    </Field>
  );
}

/** A choice that takes effect at once. */
export function Choice({
  of,
  none,
  choose,
  ...select
}: Omit<JSX.IntrinsicElements['select'], 'onChange' | 'role'> & {
  readonly of: OptionsProps['of'];
  /** The text of no choice; absent, one has to be made. */
  readonly none?: string | undefined;
  readonly value: string;
  readonly choose: (value: string) => void;
}) {
  return (
    <select {...select} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {none !== undefined && <option value="">{none}</option>}
      <Options of={of} />
    </select>
  );
}

/** The attributes that connect an input to its label. */
export interface FieldAttributes {
  readonly id: string;
  readonly name?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-required'?: true;
}

/** A box to tick. */
export function Check({
  label,
  name,
  ...input
}: Omit<JSX.IntrinsicElements['input'], 'role'> & { readonly label: ComponentChildren; readonly name?: string }) {
  const ofForm = useContext(WrongFields);
  const complaint = name ? ofForm[name] : undefined;
  return (
    <label class={complaint ? 'check wrong' : 'check'}>
      <input {...input} name={name} type="checkbox" aria-invalid={complaint ? true : undefined} />
      <span>{label}</span>
    </label>
  );
}

/** A text of a form, without spaces around it. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

// --- internal ---

interface OptionsProps {
  readonly of: readonly (readonly [value: string, text: string])[];
  /** The value that is selected at first. */
  readonly chosen?: string;
}

/** The options of a choice. */
function Options({ of, chosen }: OptionsProps) {
  return of.map(([value, text]) => (
    <option key={value} value={value} selected={value === chosen}>
      {text}
    </option>
  ));
}

const WrongFields = createContext<Readonly<Record<string, string>>>({});

/** The fields of refusals that name a reason instead of a field. */
const FIELD_OF_REASON: Readonly<Record<string, string>> = {
  CERTIFICATE_PASSWORD_INVALID: 'certPassword',
  CERTIFICATE_INVALID: 'cert',
  CERTIFICATE_EXPIRED: 'cert',
  CERTIFICATE_KEY_NOT_FOUND: 'cert',
  RUC_MISMATCH: 'ruc',
  RUC_ALREADY_REGISTERED: 'ruc',
  EMAIL_ALREADY_REGISTERED: 'email',
  UNSUPPORTED_IMAGE: 'logo',
  UNSUPPORTED_PROOF: 'proof',
  SEQUENTIAL_CANNOT_DECREASE: 'nextSequential',
};

/** The field that the reason of a refusal concerns. */
function fieldOfReason(error: unknown): string | undefined {
  return error instanceof ApiError ? FIELD_OF_REASON[error.reason ?? error.code] : undefined;
}

function byField(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  const about = fieldOfReason(error);
  const listed = error.errors.map(({ field, message }: FieldFailure) => [field, message]);
  return Object.fromEntries(about ? [...listed, [about, error.detail]] : listed);
}

/** The browser's validation errors, in the language of the page instead of the browser's. */
function missingIn(form: HTMLFormElement): Readonly<Record<string, string>> {
  const inputs = [...form.elements].filter(
    (element): element is HTMLInputElement => 'validity' in element && 'name' in element && element.name !== '',
  );
  return Object.fromEntries(
    inputs.flatMap(({ name, validity, title }) => {
      if (validity.valid) return [];
      if (validity.valueMissing) return [[name, t('missing')]];
      return [[name, title || t(validity.typeMismatch ? 'malformedAddress' : 'malformed')]];
    }),
  );
}
