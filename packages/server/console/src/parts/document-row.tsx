import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import type { Document } from 'sri-core/client';
import { totalNameOf } from '../forms/form-types.js';
import { dollars, numberOf } from '../frame/format.js';
import { named, t } from '../frame/language.js';
import { documentAt } from '../frame/places.js';
import { Status } from './status.js';

/** A document in a list, which opens it. */
export function DocumentRow({
  of: { accessKey, documentType, counterparty, issueDate, status, total, dispatch },
  isChosen = false,
  children,
}: {
  readonly of: Document;
  readonly isChosen?: boolean;
  /** The cell before it. */
  readonly children?: ComponentChildren;
}) {
  const { route } = useLocation();
  const open = (event: MouseEvent) => {
    history.replaceState({ opened: accessKey }, '');
    if (!(event.target as HTMLElement).closest('a, input, label')) route(documentAt(accessKey));
  };
  return (
    <tr onClick={open} class={isChosen ? 'chosen' : ''}>
      {children}
      <td class="who">
        <a id={accessKey} href={documentAt(accessKey)}>
          {counterparty.name}
        </a>
        <span class="hint">{counterparty.id}</span>
      </td>
      <td class="what">
        {named('type', documentType)} <span class="hint">{numberOf(accessKey)}</span>
      </td>
      <td class="day">{issueDate}</td>
      <td class="state">
        <Status of={status} />
        {dispatch?.status === 'FAILED' && <span class="badge failed">{t('status.FAILED')}</span>}
      </td>
      <td class="amount">{totalNameOf(documentType) === null ? '–' : dollars(total)}</td>
    </tr>
  );
}
