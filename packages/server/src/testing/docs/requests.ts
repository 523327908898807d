import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describeEverything } from '../../all-routes.js';
import { rewriteFences } from './fences.js';

/**
 * The inline code of a page that the interface's description lacks: routes (`POST /v1/keys`, `POST …/send`), their
 * parameters (`?status=&page=`), and bodies (`{"name": …}`) that the last route of the paragraph does not accept. A …
 * matches any text.
 */
export function deadRequests(markdown: string): readonly string[] {
  const paragraphs = rewriteFences(markdown, () => '').split(/\n\n|\n(?=\|)/);
  return paragraphs.flatMap((paragraph) => {
    let operation: Operation | null = null;
    let before: readonly string[] = [];
    const dead: string[] = [];
    for (const [, code = ''] of paragraph.matchAll(/(?<!`)`([^`]+)`(?!`)/g)) {
      const [, method = '', path, query = ''] =
        /^(GET|POST|PATCH|PUT|DELETE)(?: ([/…][^\s?]+)(?:\?(\S+))?)?$/.exec(code) ?? [];
      if (method !== '' && path === undefined) before = [...before, method];
      else if (path !== undefined && /^(\/v1\/|…).+$/.test(path)) {
        operation = findOperation(method, path);
        const isTaken = operation !== null && takesQuery(operation, query);
        // «`GET`, `POST /v1/keys`» names both methods.
        if (!isTaken || !before.every((other) => findOperation(other, path))) dead.push(code);
        before = [];
      } else if (/^\{ ?"/.test(code) && operation && !takesBody(operation, code)) dead.push(code);
    }
    return dead;
  });
}

// --- internal ---

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

interface OperationObject {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[];
}

interface Operation extends OperationObject {
  /** The pointer to its body in the description. */
  readonly pointer: string;
}

const description = JSON.parse(
  JSON.stringify(describeEverything({ baseUrl: 'http://localhost', docsUrl: 'http://localhost/docs' })),
) as Described;
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, verbose: true, logger: false });
formats.default(ajv);
ajv.addSchema({ ...description, $id: 'description' });

function findOperation(method: string, path: string): Operation | null {
  const form = path.replaceAll(/:\w+/g, '\\{\\}').replaceAll('…', '.*');
  const isMeant = (known: string) => new RegExp(`^${form}$`).test(known);
  const place = Object.keys(description.paths).find(
    (known) => isMeant(known.replaceAll(/\{\w+\}/g, '{}')) && description.paths[known]?.[method.toLowerCase()],
  );
  const found = place === undefined ? undefined : description.paths[place]?.[method.toLowerCase()];
  if (place === undefined || !found) return null;
  const part = encodeURIComponent(place.replaceAll('/', '~1'));
  return { ...found, pointer: `/paths/${part}/${method.toLowerCase()}/requestBody/content/application~1json/schema` };
}

function takesQuery({ parameters = [] }: Operation, query: string): boolean {
  const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  return query
    .split('&')
    .filter((word) => word !== '')
    .every((word) => known.includes(word.split('=')[0]));
}

function takesBody({ pointer }: Operation, code: string): boolean {
  const validate = ajv.compile({ allOf: [{ $ref: `description#${pointer}` }], unevaluatedProperties: false });
  validate(JSON.parse(code));
  return (validate.errors ?? []).every(({ data }) => typeof data === 'string' && data.includes('…'));
}
