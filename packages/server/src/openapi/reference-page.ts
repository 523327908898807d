import { type Language, type LocalizedText, translate } from 'sri-core';
import { languageLink, pageHeader } from '../platform/http/problem-page.js';

/** The page may load its own files and call its own server, and nothing else. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Starts the page. It is a file, because the policy blocks inline scripts. A browser that is signed in to the console
 * with a key for tests tries the interface as its company; without a key, nothing is sent for it.
 */
export const REFERENCE_SCRIPT = `(async () => {
  const read = async (address, headers = {}) => {
    const answer = await fetch(address, { headers });
    return answer.ok ? answer.json() : {};
  };
  const [spec, { csrf, accounts = [] }] = await Promise.all([read('/openapi.json'), read('/console/session')]);
  const account = accounts.find(({ environment }) => environment === 'sandbox');
  const session = account ? { 'X-Console-Key': account.keyId, 'X-CSRF-Token': csrf } : {};
  const { issuers: [issuer] = [] } = account ? await read('/v1/issuers', session) : {};
  spec.servers = [{ url: location.origin }];
  for (const operation of Object.values(spec.paths).flatMap((path) => Object.values(path)))
    for (const parameter of operation.parameters ?? [])
      if (issuer && parameter.name === 'X-Issuer-Id') parameter.example = issuer.id;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
  // What the reader leaves without a name, or out of the keyboard's reach.
  const reference = document.getElementById('reference');
  const mended = [
    ['select.examples-select-element', 'aria-label', 'Example'],
    ['textarea.body-param__text', 'aria-label', 'Request body'],
    ['button.close-modal', 'aria-label', 'Close'],
    // Its text names it better.
    ['.auth-btn-wrapper button', 'aria-label', ''],
    ['pre.microlight', 'tabindex', '0'],
  ];
  const mend = () => {
    for (const [selector, attribute, value] of mended)
      for (const element of reference.querySelectorAll(selector)) element.setAttribute(attribute, value);
  };
  new MutationObserver(mend).observe(reference, { childList: true, subtree: true });
  SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    syntaxHighlight: { theme: 'nord' },
    plugins: [({ React }) => ({
      wrapComponents: {
        // A link within a button cannot be reached; the address follows what is opened all the same.
        DeepLink: () => ({ text }) => React.createElement('span', null, text),
        // There is one server: this one.
        ServersContainer: () => () => null,
      },
    })],
    requestInterceptor(request) {
      if (!request.headers.Authorization) Object.assign(request.headers, session);
      return request;
    },
  });
})();
`;

/** The colours and type that the page shares with the server's other pages. */
export const REFERENCE_STYLE = `:root { --ink: #17211f; --soft: #55635f; --card: #fff; --page: #f4f6f5; --line: #d5ddda; --accent: #0b5f59; --accent-ink: #fff; --danger: #a32020; --warn: #8a4b00; color-scheme: light dark; }
:root.dark-mode { --ink: #e6edea; --soft: #a3b1ac; --card: #1a2320; --page: #111816; --line: #35423e; --accent: #5cc4b8; --accent-ink: #07211e; --danger: #ff9a94; --warn: #ffc078; }
body { margin: 0; font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
html body, html.dark-mode, #reference .swagger-ui { background: var(--page); color: var(--ink); }
#reference :not(code, code *, pre, pre *, textarea) { font-family: inherit; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.2rem; padding: 0.6rem 1.2rem; border-bottom: 1px solid var(--line); background: var(--card); line-height: 2.2rem; }
header a { display: flex; align-items: center; gap: 0.6rem; color: var(--ink); font-weight: 650; text-decoration: none; }
header a[hreflang], .note a, #reference :is(.info, .renderedMarkdown) a { color: var(--accent); }
.note { max-width: 1420px; margin: 1rem auto; padding: 0 20px; }
#reference .scheme-container { background: var(--card); box-shadow: none; border-block: 1px solid var(--line); }
#reference :is(.opblock, section.models, .model-container) { border: 1px solid var(--line); border-radius: 10px; background: var(--card); box-shadow: none; }
#reference :is(.opblock-tag, .opblock .opblock-summary) { border-color: var(--line); }
#reference .opblock .opblock-section-header { background: var(--page); box-shadow: none; border-block: 1px solid var(--line); }
#reference :is(.opblock-tag, .opblock-summary-path, .opblock-summary-path a, .opblock-summary-description, .parameter__name, table thead tr th, .tab li, h1, h2, h3, h4, h5, label, p, td, li) { color: var(--ink); }
#reference :is(.opblock-summary-description, .parameter__in, .parameter__type) { color: var(--soft); }
#reference .opblock .opblock-summary-method { border-radius: 6px; background: var(--soft); color: var(--accent-ink); text-shadow: none; }
#reference .opblock.opblock-post .opblock-summary-method { background: var(--accent); }
#reference .opblock:is(.opblock-put, .opblock-patch) .opblock-summary-method { background: var(--warn); }
#reference .opblock.opblock-delete .opblock-summary-method { background: var(--danger); }
#reference .info { margin: 1rem 0; }
#reference .info .title { font-size: 1.55rem; }
#reference .info .title small { background: var(--soft); }
#reference .info .title small pre { color: var(--accent-ink); font-family: inherit; }
#reference .renderedMarkdown code { background: var(--line); color: var(--ink); }
#reference .microlight { background: #111816 !important; }
#reference .required > span, #reference .required::after { color: var(--danger); }
#reference svg:is(.arrow, .locked, .unlocked) { fill: var(--ink); }
#reference .btn { border: 1px solid var(--line); border-radius: 8px; background: var(--card); box-shadow: none; color: var(--ink); }
#reference .btn.authorize { border-color: var(--accent); color: var(--accent); }
#reference .btn.authorize :is(svg, path) { fill: var(--accent); }
#reference .btn-group { gap: 0.6rem; }
#reference .auth-btn-wrapper { justify-content: start; padding-inline: 0; }
#reference .opblock .tab-header .tab-item.active h4 span::after { background: var(--accent); }
#reference .response-col_links { display: none; }
@media (width < 40rem) { #reference .opblock-tag { flex-wrap: wrap; } #reference .opblock-tag small { flex-basis: 100%; order: 1; padding: 0; } #reference .opblock-tag button { margin-left: auto; } }
#reference .copy-to-clipboard { min-width: 24px; min-height: 24px; }
#reference .copy-to-clipboard button { min-width: 24px; min-height: 24px; }
#reference .download-contents { background: var(--accent); color: var(--accent-ink); }
#reference .btn.execute { border-color: var(--accent); background: var(--accent); color: var(--accent-ink); }
#reference :is(input, select, textarea) { border: 1px solid var(--soft); border-radius: 8px; background: var(--card); box-shadow: none; color: var(--ink); }
`;

/**
 * The reference of the interface, rendered in the browser from its description. @param links HTML, to the other pages.
 */
export function referencePage(language: Language, links: string): string {
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${translate(TITLE, language)}</title>`,
    '<link rel="icon" href="/docs/assets/favicon-32x32.png">',
    '<link rel="stylesheet" href="/docs/assets/swagger-ui.css"><link rel="stylesheet" href="/docs/assets/reference.css"></head>',
    `<body><noscript>${translate(WITHOUT_SCRIPT, language)}</noscript>`,
    pageHeader(translate(TITLE, language), languageLink(language)),
    `<div class="note">${links}<p>${translate(NOTE, language)}</p></div>`,
    '<div id="reference" lang="en"></div>',
    '<script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/assets/start.js"></script>',
    '</body></html>',
  ].join('\n');
}

// --- internal ---

const TITLE: LocalizedText = { es: 'Referencia de la API', en: 'API reference' };

const NOTE: LocalizedText = {
  es: 'Descripción para programas: <a href="/openapi.json">openapi.json</a>. Errores: <a href="/docs/errors">lista de códigos</a>. Si entró en la <a href="/console">consola</a> con una clave de pruebas, aquí prueba con su empresa: el ejemplo de <code>POST /v1/documents</code> funciona tal cual. Si no, pulse «Authorize» y escriba una clave de pruebas; no sale de esta página. Los textos técnicos están en inglés; las respuestas, en el idioma de <code>Accept-Language</code>.',
  en: 'Description for programs: <a href="/openapi.json">openapi.json</a>. Errors: <a href="/docs/errors">list of codes</a>. Signed in to the <a href="/console">console</a> with a sandbox key, you try it here as that company: the example of <code>POST /v1/documents</code> works as it stands. Otherwise press “Authorize” and enter a sandbox key; it does not leave this page. Answers come in the language of <code>Accept-Language</code>.',
};

const WITHOUT_SCRIPT: LocalizedText = {
  es: 'Esta página necesita JavaScript. La descripción está en <a href="/openapi.json">openapi.json</a>.',
  en: 'This page needs JavaScript. The description is in <a href="/openapi.json">openapi.json</a>.',
};
