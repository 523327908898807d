import { DOCUMENT_TYPES, isDocumentType, LAST_SEQUENTIAL } from 'sri-core';
import { type CommandOption, readWhole, UsageError } from 'sri-core/cli';
import type { FirstNumber } from '../../issuers/first-numbers.js';
import type { ServerCall } from './command.js';
import { requireId } from './read-options.js';

/** Options of commands that move an account to production. */
export const FIRST_NUMBER_OPTION = {
  'first-number': {
    type: 'string',
    multiple: true,
    value: 'issuer:type:n',
    description: {
      es: 'Dónde empieza un contador de producción, como <id del emisor>:01:1201. Puede repetirse',
      en: 'Where a counter of production begins, such as <issuer id>:01:1201. May be repeated',
    },
  },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** The first numbers of the production counters. @throws UsageError */
export function readFirstNumbers({ options }: ServerCall): readonly FirstNumber[] {
  const texts = [options['first-number'] ?? []].flat().map(String);
  return texts.map((text) => {
    const [issuer = '', documentType = '', number = ''] = text.split(':');
    if (!isDocumentType(documentType))
      throw new UsageError({
        es: `El tipo es uno de ${DOCUMENT_TYPES.join(', ')}.`,
        en: `The type is one of ${DOCUMENT_TYPES.join(', ')}.`,
      });
    const sequential = readWhole('--first-number', number, 1, LAST_SEQUENTIAL);
    return { issuerId: requireId({ es: 'El emisor', en: 'The issuer' }, issuer), documentType, sequential };
  });
}
