import type { Language } from 'sri-core';
import { OTHER_VARIABLES, VARIABLES } from './config-variables.js';

/** The documentation page of every variable, in Markdown. */
export function configurationPage(language: Language): string {
  const { title, intro, head } = PAGE[language];
  const rows = documented().map(
    ({ name, shown, otherwise, about }) =>
      `| \`${name}\` | ${otherwise?.[language] ?? (shown === '' ? '' : `\`${shown}\``)} | ${about[language]} |`,
  );
  return [`# ${title}`, '', intro, '', `| ${head.join(' | ')} |`, '|---|---|---|', ...rows, ''].join('\n');
}

/** A file to copy to `.env`: every variable, commented out, with its purpose and default. */
export function environmentFile(): string {
  const entries = documented().map(({ name, shown, otherwise, example, about }) => {
    const fallback = otherwise?.en ?? shown;
    const value = example || (/^[\w.:/,$-]+$/.test(shown) ? shown : '');
    return `# ${plain(about.en)}.${fallback === '' ? '' : ` Otherwise: ${fallback}.`}\n#${name}=${value}\n`;
  });
  return [...ENVIRONMENT_HEAD, ...entries].join('\n');
}

// --- internal ---

const PAGE = {
  en: {
    title: 'Configuration',
    intro:
      'Settings come from the environment. Outside production all are optional. Invalid values are refused at start, all at\nonce. Times are written `500ms`, `30s`, `5m`, `24h`, `7d`. `.env.example` is the same as a file\nto begin with. This page is written by `npm run reference` from the table the server reads by.',
    head: ['name', 'otherwise', 'what it is for'],
  },
  es: {
    title: 'Configuración',
    intro:
      'La configuración viene del entorno. Fuera de producción toda es opcional. Los valores inválidos se rechazan al arrancar,\ntodos a la vez. Los tiempos se escriben `500ms`, `30s`, `5m`, `24h`, `7d`. `.env.example` es lo mismo como archivo para\nempezar. Esta página la escribe `npm run reference` con la tabla que lee el servidor.',
    head: ['nombre', 'si falta', 'para qué es'],
  },
} as const;

const ENVIRONMENT_HEAD = [
  '# Settings of the server. Copy this file to .env and take the # off what you set. To run for real it takes',
  '# NODE_ENV=production, MASTER_KEYS, BASE_URL and SMTP_URL. Keep MASTER_KEYS somewhere else as well: without it no server',
  '# can sign with the certificates in the database. Make one with:',
  `#   node -e "console.log('k1:' + require('node:crypto').randomBytes(32).toString('base64'))"`,
  '',
];

function documented() {
  const others = Object.entries(OTHER_VARIABLES).map(([name, { shown, example, en, es }]) => ({
    name,
    shown,
    otherwise: null,
    example,
    about: { en, es },
  }));
  return [...others, ...Object.values(VARIABLES)];
}

/** Markdown without its marks. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\([^)]+\)/g, 'docs/en/$1').replaceAll('`', '');
}
