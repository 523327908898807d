import { type Language, type LocalizedText, translate } from 'sri-core';
import { escapeHtml } from '../escape-html.js';

/** The pages that are turned on. */
export interface ShownPages {
  readonly console: boolean;
  readonly guide: boolean;
}

/** A page of the server for people. */
export interface ServerLink {
  readonly address: string;
  readonly text: string;
  /** Its content, in a line. */
  readonly about: string;
}

/** The pages of a server for users, without the pages that are turned off. */
export function serverLinks(language: Language, config: ShownPages): readonly ServerLink[] {
  const link = (address: string, text: LocalizedText, about: LocalizedText): ServerLink => ({
    address,
    text: translate(text, language),
    about: translate(about, language),
  });
  return [
    ...(config.guide ? [link(`/guide/${language}`, GUIDE.text, GUIDE.about)] : []),
    ...(config.console ? [link('/console', CONSOLE.text, CONSOLE.about)] : []),
    link('/docs', REFERENCE.text, REFERENCE.about),
    link('/docs/errors', ERRORS.text, ERRORS.about),
  ];
}

/** Those links in a row, as HTML: the footer of a small page. */
export function linkRow(language: Language, config: ShownPages): string {
  const links = serverLinks(language, config);
  return `<p>${links.map(({ address, text }) => `<a href="${address}">${escapeHtml(text)}</a>`).join(' · ')}</p>`;
}

// --- internal ---

const GUIDE = {
  text: { es: 'Guía', en: 'Guide' },
  about: {
    es: 'De la primera factura de prueba a un servidor en producción.',
    en: 'From the first test invoice to a server in production.',
  },
};
const CONSOLE = {
  text: { es: 'Consola', en: 'Console' },
  about: {
    es: 'Registrar una cuenta, emitir, ver qué dijo el SRI.',
    en: 'Register an account, issue, see what the SRI said.',
  },
};
const REFERENCE = {
  text: { es: 'Referencia de la API', en: 'API reference' },
  about: { es: 'Cada ruta, para leer y probar.', en: 'Every route, to read and to try.' },
};
const ERRORS = {
  text: { es: 'Códigos de error', en: 'Error codes' },
  about: { es: 'Qué significa cada uno y qué hacer.', en: 'What each one means and what to do.' },
};
