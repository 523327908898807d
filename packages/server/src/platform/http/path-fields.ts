import type { ProblemCode, ProblemReason } from '../errors/error-catalogue.js';
import { Refusal, type RuleFailure, ruleFailure } from '../errors/refusal.js';
import { accessKeyText, oneOf, text, uuid } from '../schema-words.js';
import type { Field } from './field.js';
import { toUuid } from './uuid.js';

/** Takes parameters out of a path and collects their errors. */
export class PathReader {
  readonly failures: RuleFailure[] = [];
  readonly #params: Readonly<Record<string, string>>;

  constructor(params: Readonly<Record<string, string>>) {
    this.#params = params;
  }

  /** The parameter as sent. */
  text(name: string): string {
    return this.#params[name] ?? '';
  }

  /** Reports a broken rule of a parameter. */
  fail(name: string, rule: string, params?: Readonly<Record<string, string | number>>): void {
    this.failures.push(ruleFailure(`path:${name}`, rule, params));
  }
}

/** A field of a path. */
export type PathField<Value> = Field<PathReader, Value>;

/** An id. A text that is not a UUID is malformed. */
export function pathId(of: string): PathField<string> {
  return {
    schema: uuid(`Id of the ${of}.`),
    required: true,
    read(path, name) {
      const id = toUuid(path.text(name));
      if (!id) path.fail(name, 'uuid');
      return id ?? '';
    },
  };
}

/** An id. A text that is not a UUID is rejected with `absent`, like an unknown one. */
export function pathIdOrNone(
  of: string,
  absent: { readonly code?: ProblemCode; readonly reason?: ProblemReason } = {},
): PathField<string> {
  return {
    schema: uuid(`Id of the ${of}.`),
    required: true,
    read(path, name) {
      const id = toUuid(path.text(name));
      if (id) return id;
      throw new Refusal(absent.code ?? 'NOT_FOUND', absent.reason ? { reason: absent.reason } : {});
    },
  };
}

/** The access key of a document. Only its form is validated: a key with a wrong check digit does not exist. */
export const pathAccessKey: PathField<string> = {
  schema: accessKeyText('Access key of the document.'),
  required: true,
  read(path, name) {
    const key = path.text(name);
    if (!/^[0-9]{49}$/.test(key)) path.fail(name, 'accessKey');
    return key;
  },
};

/** One of a few words. @param rule the rule that another word breaks, with the list `allowed`. */
export function pathChoice<const Word extends string>(
  words: readonly Word[],
  { about, rule = 'choice', anyCase = false }: { about: string; rule?: 'choice' | 'documentType'; anyCase?: boolean },
): PathField<Word> {
  return {
    schema: oneOf(words, about),
    required: true,
    read(path, name) {
      const sent = anyCase ? path.text(name).toUpperCase() : path.text(name);
      const word = words.find((each) => each === sent);
      if (word === undefined) path.fail(name, rule, { allowed: words.join(', ') });
      // Replaces an invalid value; the request is rejected.
      return word ?? (words[0] as Word);
    },
  };
}

/** A name that is looked up unchanged. */
export function pathName(about: string, example: string): PathField<string> {
  return { schema: text(about, example), required: true, read: (path, name) => path.text(name) };
}
