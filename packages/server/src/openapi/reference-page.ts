import { type Language, type Text, tell } from '../platform/language.js';

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

/** Starts the page. It is a file, because the policy blocks inline scripts. */
export const REFERENCE_SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/**
 * The reference of the interface, rendered in the browser from its description. @param links HTML, to the other pages.
 */
export function referencePage(language: Language, links: string): string {
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${tell(TITLE, language)}</title>`,
    '<link rel="icon" href="/docs/assets/favicon-32x32.png">',
    '<link rel="stylesheet" href="/docs/assets/swagger-ui.css"></head>',
    `<body><noscript>${tell(WITHOUT_SCRIPT, language)}</noscript>`,
    `<div class="swagger-ui"><div class="wrapper">${links}<p>${tell(NOTE, language)}</p></div></div>`,
    '<div id="reference"></div>',
    '<script src="/docs/assets/swagger-ui-bundle.js"></script><script src="/docs/assets/start.js"></script>',
    '</body></html>',
  ].join('\n');
}

// --- internal ---

const TITLE: Text = { es: 'Referencia de la API', en: 'API reference' };

const NOTE: Text = {
  es: 'Descripción para programas: <a href="/openapi.json">openapi.json</a>. Errores: <a href="/docs/errors">lista de códigos</a>. Para probar, pulse «Authorize» y escriba una clave de pruebas; no sale de esta página. Los textos técnicos están en inglés; las respuestas, en el idioma de <code>Accept-Language</code>.',
  en: 'Description for programs: <a href="/openapi.json">openapi.json</a>. Errors: <a href="/docs/errors">list of codes</a>. To try it, press “Authorize” and enter a sandbox key; it does not leave this page. Answers come in the language of <code>Accept-Language</code>.',
};

const WITHOUT_SCRIPT: Text = {
  es: 'Esta página necesita JavaScript. La descripción está en <a href="/openapi.json">openapi.json</a>.',
  en: 'This page needs JavaScript. The description is in <a href="/openapi.json">openapi.json</a>.',
};
