import { type Language, type LocalizedText, translate } from 'sri-core';
import { escapeHtml, inlineHtml } from '../platform/escape-html.js';
import { type GuideView, guideAddress } from './guide-layout.js';
import { GUIDE_GROUPS } from './guide-pages.js';
import type { SourcePage } from './guide-source.js';

type Titles = ReadonlyMap<string, SourcePage>;

/** The text above the list of the pages. */
export function indexTitle(language: Language): string {
  return translate(TITLE, language);
}

/** The list of the pages as HTML, each with its summary. */
export function indexContent(language: Language, titles: Titles, links: GuideView['links']): string {
  const groups = GUIDE_GROUPS.map(({ title, pages }) => {
    const items = pages.map(({ name, about }) =>
      card(guideAddress(language, name), titles.get(name)?.title ?? name, translate(about, language)),
    );
    return `<section><h2>${translate(title, language)}</h2><ul class="pages">${items.join('')}</ul></section>`;
  });
  const others = links.map(({ address, text, about }) => card(address, text, about));
  const server = `<section><h2>${translate(SERVER, language)}</h2><ul class="pages">${others.join('')}</ul></section>`;
  const lead = `<p class="lead">${translate(LEAD, language)}</p>`;
  return [`<h1>${indexTitle(language)}</h1>`, lead, ...groups, server].join('\n');
}

/** The list of the pages as Markdown. */
export function indexMarkdown(language: Language, titles: Titles): string {
  const groups = GUIDE_GROUPS.map(({ title, pages }) => {
    const items = pages.map(
      ({ name, about }) =>
        `- [${titles.get(name)?.title ?? name}](${guideAddress(language, name)}.md): ${translate(about, language)}`,
    );
    return `## ${translate(title, language)}\n\n${items.join('\n')}\n`;
  });
  return `# ${indexTitle(language)}\n\n${translate(LEAD, language)}\n\n${groups.join('\n')}`;
}

// --- internal ---

const TITLE: LocalizedText = { es: 'Facturación electrónica del Ecuador', en: 'Electronic invoicing for Ecuador' };

const LEAD: LocalizedText = {
  es: 'Los seis comprobantes electrónicos del SRI: armados, numerados, firmados, enviados, autorizados e impresos, desde un servidor, desde su propio programa o desde la línea de comandos.',
  en: 'The six electronic documents of the SRI: built, numbered, signed, submitted, authorized and printed, from a server, from a program of your own or from the command line.',
};

const SERVER: LocalizedText = { es: 'Este servidor', en: 'This server' };

function card(address: string, title: string, about: string): string {
  return `<li><a href="${address}">${escapeHtml(title)}</a><p>${inlineHtml(about)}</p></li>`;
}
