import { useEffect, useMemo, useState } from 'preact/hooks';
import { t } from '../frame/language.js';

/** A RIDE in the browser's own viewer, which shows a newer one once it is drawn; on most phones a link to it. */
export function Ride({ of, isStale = false }: { readonly of: Blob; readonly isStale?: boolean }) {
  // Its type is set here: the browser's viewer opens nothing else.
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

/** What the viewer takes to draw a file that is there. */
const DRAWING_MS = 250;
/** Some viewers never say that a file is there. */
const LOADING_MS = 2_000;
