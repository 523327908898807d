/**
 * Which page is shown: the part of the address behind `#`. `#/documents/123` is `['documents', '123']`.
 *
 * @returns {{ path: readonly string[], query: URLSearchParams }}
 */
export function place() {
  const [path = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(search) };
}

/** @param {string} path @param {Record<string, string>} [query] */
export function address(path, query = {}) {
  const kept = Object.entries(query).filter(([, value]) => value !== '');
  return `#/${path}${kept.length > 0 ? `?${new URLSearchParams(kept)}` : ''}`;
}

/** @param {string} path @param {Record<string, string>} [query] */
export function go(path, query) {
  location.hash = address(path, query);
}
