import { useEffect, useMemo } from 'preact/hooks';
import { t } from '../frame/language.js';

/** A RIDE in the browser's own viewer; a link to it in a browser without one, as on most phones. */
export function Ride({ of }: { readonly of: Blob }) {
  // Its type is set here: the browser's viewer opens nothing else.
  const address = useMemo(() => URL.createObjectURL(of.slice(0, of.size, 'application/pdf')), [of]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  if (!navigator.pdfViewerEnabled) {
    return (
      <p>
        <a class="button" href={address} target="_blank" rel="noopener">
          {t('openRide')}
        </a>
      </p>
    );
  }
  return <iframe class="ride" src={`${address}#toolbar=0&navpanes=0&view=FitH`} title={t('rideBeside')} />;
}
