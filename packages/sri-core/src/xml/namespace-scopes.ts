/** Namespaces in scope. A trail undoes an element's declarations at its end, without a copy per element. */
export class NamespaceScopes {
  readonly #uris = new Map<string, string>([['xml', XML_NAMESPACE]]);
  readonly #trail: (readonly [prefix: string, before: string | undefined])[] = [];
  readonly #marks: number[] = [];

  /** An element starts. */
  enter(): void {
    this.#marks.push(this.#trail.length);
  }

  /** The element ends, and its declarations with it. */
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

  /** @returns whether the declaration is new in scope. */
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
