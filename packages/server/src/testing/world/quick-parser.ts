import { createRequire } from 'node:module';

/**
 * Gives the XML parser the expression of an end tag, which it otherwise compiles at each one: a tenth of the time of a world.
 * Only for worlds: the library must not change the parser in an application's process.
 */
const grammar = createRequire(import.meta.url)('@xmldom/xmldom/lib/grammar.js');
const { reg, QName_group: name, S_OPT: spaces } = grammar;
const endTag: RegExp = reg('^', name, spaces, '$');
grammar.reg = (...parts: readonly (string | RegExp)[]): RegExp => {
  const [start, first, second, end] = parts;
  const isEndTag = parts.length === 4 && start === '^' && first === name && second === spaces && end === '$';
  return isEndTag ? endTag : reg(...parts);
};
