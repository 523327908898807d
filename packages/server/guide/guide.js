// Small comforts of the guide; every page is whole without them.
const isSpanish = document.documentElement.lang === 'es';
const COPY = isSpanish ? 'Copiar' : 'Copy';
const COPIED = isSpanish ? 'Copiado' : 'Copied';

/** @param {HTMLElement} block */
function addCopyButton(block) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = COPY;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent ?? '');
    button.textContent = COPIED;
    setTimeout(() => {
      button.textContent = COPY;
    }, 2000);
  });
  const frame = document.createElement('div');
  frame.className = 'block';
  block.replaceWith(frame);
  frame.append(block, button);
}

/**
 * The style shows the lists on a wide screen as they are; unfolded, they are so too for what goes by the page's structure.
 *
 * @param {Element | null} list
 * @param {string} query where it stands unfolded
 */
function unfoldWhere(list, query) {
  if (!(list instanceof HTMLDetailsElement)) return;
  const wide = matchMedia(query);
  const fit = () => {
    list.open = wide.matches;
  };
  fit();
  wide.addEventListener('change', fit);
}

/** What fits needs no stop on the way through the page by keyboard. */
function leaveOutStops() {
  for (const place of document.querySelectorAll('pre, .scroll')) {
    if (place.scrollWidth > place.clientWidth) place.setAttribute('tabindex', '0');
    else place.removeAttribute('tabindex');
  }
}

// Browsers give the clipboard to secure pages alone.
if (navigator.clipboard) for (const block of document.querySelectorAll('pre')) addCopyButton(block);
leaveOutStops();
unfoldWhere(document.querySelector('.menu'), '(width >= 62rem)');
unfoldWhere(document.querySelector('.contents'), '(width >= 80rem)');
const current = document.querySelector('.menu [aria-current]');
const menu = current?.closest('.menu');
if (menu && current instanceof HTMLElement) menu.scrollTop = current.offsetTop - menu.clientHeight / 2;
addEventListener('resize', leaveOutStops);
