import { FilePlus2 } from 'lucide';
import { t } from '../frame/language.js';
import { newAt } from '../frame/places.js';
import { useWork } from '../frame/session.js';
import { Icon } from './icon.js';
import { Empty } from './load.js';

/** A company without documents, and the way to its first. */
export function NoDocuments() {
  const [first] = useWork().types;
  return (
    <Empty title={t('noDocumentsYet')}>
      {first && (
        <a class="button primary" href={newAt(first)}>
          <Icon of={FilePlus2} />
          {t(`new.${first}`)}
        </a>
      )}
    </Empty>
  );
}
