import { type Language, translate } from 'sri-core';
import { PROBLEMS, type ProblemCode, problemKind, REASONS } from '../platform/errors/error-catalogue.js';
import { escapeHtml, inlineHtml } from '../platform/escape-html.js';
import { exampleProblem, SAMPLES } from '../platform/http/example-problem.js';
import { messagePage } from '../platform/http/problem-page.js';
import { linkRow, type ShownPages } from '../platform/http/server-links.js';
import { ERROR_GUIDE } from './error-guide.js';

/** The codes of each kind, in the order of the catalogue. */
export const CODES_BY_KIND: ReadonlyMap<string, readonly ProblemCode[]> = Map.groupBy(
  Object.keys(PROBLEMS) as ProblemCode[],
  problemKind,
);

/** The addresses of the error pages, and the other pages of the server. */
export interface ErrorPageContext {
  readonly docsUrl: string;
  readonly config: ShownPages;
}

/** The page of a kind: a section for each of its codes, with cause, cure and an example. */
export function errorPage(
  kind: string,
  codes: readonly ProblemCode[],
  language: Language,
  place: ErrorPageContext,
): string {
  const title = escapeHtml(`${LABELS.errors[language]}: ${kind}`);
  const sections = codes.map((code) => section(code, language, place.docsUrl));
  return messagePage(language, title, [...sections, linkRow(language, place.config)].join('\n'), true);
}

/** The list of all codes, with links to their sections. */
export function errorIndexPage(language: Language, { docsUrl, config }: ErrorPageContext): string {
  const lists = [...CODES_BY_KIND].map(([kind, codes]) => {
    const items = codes.map((code) => {
      const link = `${escapeHtml(docsUrl)}/errors/${kind}#${code.toLowerCase()}`;
      return `<li><a href="${link}"><code>${code}</code></a> ${escapeHtml(PROBLEMS[code].title[language])}</li>`;
    });
    return `<h2>${kind}</h2><ul>${items.join('')}</ul>`;
  });
  return messagePage(language, LABELS.errors[language], [...lists, linkRow(language, config)].join('\n'), true);
}

// --- internal ---

const LABELS = {
  errors: { es: 'Errores', en: 'Errors' },
  cause: { es: 'Causa', en: 'Cause' },
  fix: { es: 'Solución', en: 'What to do' },
  reasons: { es: 'Valores de `reason`', en: 'Values of `reason`' },
  example: { es: 'Ejemplo', en: 'Example' },
} as const;

function section(code: ProblemCode, language: Language, docsUrl: string): string {
  const { status, title } = PROBLEMS[code];
  const { cause, fix, reasons = [] } = ERROR_GUIDE[code];
  const label = (name: keyof typeof LABELS) => inlineHtml(LABELS[name][language]);
  return [
    `<section id="${code.toLowerCase()}"><h2><code>${code}</code> · ${status} · ${escapeHtml(title[language])}</h2>`,
    `<p><strong>${label('cause')}.</strong> ${inlineHtml(cause[language])}</p>`,
    `<p><strong>${label('fix')}.</strong> ${inlineHtml(fix[language])}</p>`,
    reasons.length === 0
      ? ''
      : `<p><strong>${label('reasons')}.</strong></p><dl>${reasons
          .map(
            (reason) =>
              `<dt><code>${reason}</code></dt><dd>${inlineHtml(translate(REASONS[reason], language, SAMPLES))}</dd>`,
          )
          .join('')}</dl>`,
    `<p><strong>${label('example')}.</strong></p><pre>${escapeHtml(JSON.stringify(exampleProblem(code, { language, docsUrl }), null, 2))}</pre></section>`,
  ].join('\n');
}
