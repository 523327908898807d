import { useEffect, useMemo, useState } from 'preact/hooks';
import { t } from '../frame/language.js';

/** A RIDE in the browser's own viewer; on most phones a link to it. A newer RIDE replaces it once drawn. */
export function Ride({ of, isStale = false }: { readonly of: Blob; readonly isStale?: boolean }) {
  // The browser's viewer opens only this type.
  const address = useMemo(() => URL.createObjectURL(of.slice(0, of.size, 'application/pdf')), [of]);
  const [shown, setShown] = useState(address);
  const [loaded, setLoaded] = useState('');
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  useEffect(() => {
    const timer = setTimeout(() => setShown(address), loaded === address ? DRAWING_MS : LOADING_MS);
    return () => clearTimeout(timer);
  }, [address, loaded]);
  if (!navigator.pdfViewerEnabled) {
    return (
      <p>
        <a class="button" href={address} target="_blank" rel="noopener">
          {t('openRide')}
        </a>
      </p>
    );
  }
  return (
    <div class={isStale ? 'rides stale' : 'rides'}>
      {[...new Set([shown, address])].map((each) => (
        <iframe
          key={each}
          class={each === shown ? 'ride' : 'ride coming'}
          src={`${each}#toolbar=0&navpanes=0&view=FitH`}
          title={t('rideBeside')}
          onLoad={() => setLoaded(each)}
        />
      ))}
    </div>
  );
}

// --- internal ---

/** The viewer's time to draw a loaded file. */
const DRAWING_MS = 250;
/** The wait for viewers that never report a loaded file. */
const LOADING_MS = 2_000;
