import { type Language, SRI_CODES, type SriCode } from 'sri-core';
import { MAGIC_BUYERS, MAGIC_ISSUER_RUC, MAGIC_KEYS } from 'sri-core/simulator';

/** The page of the documentation that explains the SRI's codes, in Markdown. */
export function sriCodesPage(language: Language): string {
  const words = WORDS[language];
  const sections = PHASES.map((phase) => {
    const codes = SRI_CODES.filter((code) => code.phase === phase);
    return [`## ${words.phases[phase]}`, '', ...codes.map((code) => section(code, language))].join('\n');
  });
  const played = MAGIC_BUYERS.map(({ id, effect }) => `| \`${id}\` | ${effect[language]} |`);
  const outcomes = [`## ${words.played}`, '', words.playedBy, '', words.playedHead, '|---|---|', ...played, ''].join(
    '\n',
  );
  const keys = MAGIC_KEYS.map(({ numericCode, effect }) => `| \`${numericCode}\` | ${effect[language]} |`);
  const received = [words.keysBy, '', words.keysHead, '|---|---|', ...keys, ''].join('\n');
  return [`# ${words.title}`, '', words.intro, '', sections.join('\n'), outcomes, received].join('\n');
}

// --- internal ---

const PHASES = ['reception', 'authorization', 'issuer', 'query'] as const;

const WORDS = {
  en: {
    title: 'Codes of the SRI',
    intro:
      'What each code in `sri-responses` means and what to do about it, as the server says it in `advice`. The wording of the SRI\nvaries in accents and endings. Source: Ficha técnica off-line v2.34, §11. This page is written by `npm run reference` from the\ntable the library answers by.',
    phases: {
      reception: 'Reception',
      authorization: 'Authorization',
      issuer: 'What the issuer checks',
      query: 'Queries',
    },
    who: {
      issuer: 'the issuer acts',
      software: 'the operator of the software acts',
      sri: 'the SRI acts; wait',
      nobody: 'no action is needed',
    },
    played: 'Trying them out',
    playedBy:
      'The simulator judges what it is sent. These buyers (`buyer.id`, with `idType` `06`) force an outcome, in the library and\nover HTTP:',
    playedHead: '| buyer | what the simulated SRI does |',
    keysBy: `It also holds documents of a supplier, for trials with [received documents](received.md): any key of the RUC\n\`${MAGIC_ISSUER_RUC}\` with one of these códigos numéricos, of every type, from 01/04/2024 on. They are signed with a test\ncertificate. Other keys that were not submitted are unknown.`,
    keysHead: '| código numérico | what the simulated SRI has |',
    warning: 'a warning, nothing is refused',
    resend: { true: 'sending the same bytes again can cure it', false: 'sending the same bytes again cures nothing' },
    key: { true: 'corrected under the same key and number', false: 'corrected under a new key' },
  },
  es: {
    title: 'Códigos del SRI',
    intro:
      'Qué significa cada código de `sri-responses` y qué hacer, como lo dice el servidor en `advice`. El texto del SRI varía en tildes\ny terminaciones. Fuente: Ficha técnica off-line v2.34, §11. Esta página la escribe `npm run reference` con la tabla con que\nresponde la biblioteca.',
    phases: {
      reception: 'Recepción',
      authorization: 'Autorización',
      issuer: 'Lo que revisa el emisor',
      query: 'Consultas',
    },
    who: {
      issuer: 'le toca al emisor',
      software: 'le toca a quien opera el programa',
      sri: 'le toca al SRI; espere',
      nobody: 'no le toca a nadie',
    },
    played: 'Ensayarlos',
    playedBy:
      'El simulador juzga lo que recibe. Estos compradores (`buyer.id`, con `idType` `06`) fuerzan un resultado, en la biblioteca y\npor HTTP:',
    playedHead: '| comprador | qué hace el SRI simulado |',
    keysBy: `También guarda comprobantes de un proveedor, para ensayar con [documentos recibidos](received.md): cualquier clave del RUC\n\`${MAGIC_ISSUER_RUC}\` con uno de estos códigos numéricos, de todos los tipos, desde el 01/04/2024. Van firmados con un\ncertificado de prueba. Las demás claves que no se enviaron no constan.`,
    keysHead: '| código numérico | qué hay en el SRI simulado |',
    warning: 'una advertencia, nada se rechaza',
    resend: { true: 'reenviar los mismos bytes puede resolverlo', false: 'reenviar los mismos bytes no resuelve nada' },
    key: { true: 'se corrige con la misma clave y número', false: 'se corrige con una clave nueva' },
  },
} as const;

function section(entry: SriCode, language: Language): string {
  const words = WORDS[language];
  const { code, kind, sriText, who, retryable, sameKey, meaning, advice } = entry;
  const facts =
    kind === 'warning'
      ? [words.warning]
      : [words.who[who], words.resend[`${retryable}`], ...(who === 'nobody' ? [] : [words.key[`${sameKey}`]])];
  return `**${code}** ${sriText}. ${meaning[language]} ${advice[language]} *(${facts.join('; ')})*\n`;
}
