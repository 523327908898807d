import { type Language, translate } from 'sri-core';
import { escapeHtml } from '../platform/escape-html.js';

/**
 * A state diagram (Mermaid's `A --> B: why`) as a table, which needs no script and can be read aloud. Lines without a
 * transition are dropped.
 */
export function stateTable(diagram: string, language: Language): string {
  const rows = [...diagram.matchAll(/^\s*(\S+)\s*-->\s*([^\s:]+)\s*(?::\s*(.*))?$/gm)].map(
    ([, from = '', to = '', why = '']) =>
      `<tr><td>${state(from)}</td><td><span class="arrow">${escapeHtml(why)}</span></td><td>${state(to)}</td></tr>`,
  );
  const head = HEAD.map((text) => `<th>${translate(text, language)}</th>`).join('');
  return `<div class="scroll states" tabindex="0" role="group" aria-label="${translate(LABEL, language)}"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>\n`;
}

// --- internal ---

const LABEL = { es: 'Estados', en: 'States' } as const;
const HEAD = [
  { es: 'de', en: 'from' },
  { es: 'qué ocurre', en: 'what happens' },
  { es: 'a', en: 'to' },
] as const;

function state(name: string): string {
  return name === '[*]' ? '–' : `<code>${escapeHtml(name)}</code>`;
}
