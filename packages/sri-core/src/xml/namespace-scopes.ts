/** Namespaces in scope, with a trail to take back what an element declared when it ends: no copy for each element. */
export class NamespaceScopes {
  readonly #uris = new Map<string, string>([['xml', XML_NAMESPACE]]);
  readonly #trail: (readonly [prefix: string, before: string | undefined])[] = [];
  readonly #marks: number[] = [];

  /** An element begins. */
  enter(): void {
    this.#marks.push(this.#trail.length);
  }

  /** It ends, and what it declared with it. */
  leave(): void {
    const mark = this.#marks.pop() ?? 0;
    while (this.#trail.length > mark) {
      const [prefix, before] = this.#trail.pop() ?? [''];
      if (before === undefined) this.#uris.delete(prefix);
      else this.#uris.set(prefix, before);
    }
  }

  /** The namespace of a prefix, '' for the default one; undefined when it is not declared. */
  get(prefix: string): string | undefined {
    return this.#uris.get(prefix);
  }

  /** @returns whether this was news: the same was not in scope already. */
  declare(prefix: string, uri: string): boolean {
    const before = this.#uris.get(prefix);
    if ((before ?? '') === uri) return false;
    this.#trail.push([prefix, before]);
    this.#uris.set(prefix, uri);
    return true;
  }
}

// --- internal ---

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
