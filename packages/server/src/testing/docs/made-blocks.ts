import { DOCUMENT_TYPES, type Language, TRANSITIONS, type Trigger } from 'sri-core';
import { findTable } from '../../cli/batch/tables/index.js';
import { tabulateColumns } from '../../cli/batch/write-template.js';
import { runCli } from '../run-cli.js';

/** The blocks that the program itself prints, by their names in pages. */
export const MADE_BLOCKS: Readonly<Record<string, (language: Language) => Promise<string>>> = {
  'sri-server --help': async (language) => (await runCli({}, '--help', '--lang', language)).out,
  ...Object.fromEntries(
    DOCUMENT_TYPES.map((code) => [
      `batch template ${code}`,
      async (language: Language) => `${tabulateColumns(findTable(code), language)}\n`,
    ]),
  ),
  'sri-core TRANSITIONS': async (language) => drawTransitions(language),
};

// --- internal ---

/** The words on the arrows. */
const TRIGGERS: Readonly<Record<Language, Readonly<Record<Trigger | 'create', string>>>> = {
  en: {
    create: 'create',
    queue: 'send',
    received: 'the SRI takes it',
    returned: 'the SRI returns it',
    authorized: 'the SRI authorizes it',
    notAuthorized: 'the SRI refuses it',
    rebuild: 'rebuild',
    void: 'void',
  },
  es: {
    create: 'crear',
    queue: 'enviar',
    received: 'el SRI lo recibe',
    returned: 'el SRI lo devuelve',
    authorized: 'el SRI lo autoriza',
    notAuthorized: 'el SRI no lo autoriza',
    rebuild: 'reconstruir',
    void: 'anular',
  },
};

/** The life of a document, for Mermaid. */
function drawTransitions(language: Language): string {
  const words = TRIGGERS[language];
  const arrows = Object.entries(TRANSITIONS).flatMap(([from, moves]) =>
    Object.entries(moves).map(([trigger, to]) => `    ${from} --> ${to}: ${words[trigger as Trigger]}\n`),
  );
  return `stateDiagram-v2\n    [*] --> SIGNED: ${words.create}\n${arrows.join('')}`;
}
