import { isAccessKey, parseAccessKey } from '../../access-key.js';
import { toIsoDate } from '../../calendar.js';
import { documentTypes } from '../../catalogs/document-types.js';
import { child, children, childText, type XmlElement } from '../../xml/reader.js';
import type { SriCheck } from '../document-type.js';

/** The SRI's checks of a delivery guide. Ficha técnica off-line v2.34, §11. */
export const DELIVERY_GUIDE_SRI_CHECKS: readonly SriCheck[] = [
  {
    code: '82',
    outcome: 'returns',
    find: (root) => {
      const start = childText(child(root, 'infoGuiaRemision'), 'fechaIniTransporte') ?? '';
      return (toIsoDate(start) ?? '') < (toIsoDate(parseAccessKey(keyOf(root)).issueDate) ?? '')
        ? [`fechaIniTransporte: ${start}`]
        : [];
    },
  },
  {
    code: '64',
    outcome: 'refuses',
    find: (root) =>
      supportsOf(root).flatMap(({ type }) =>
        documentTypes.some(({ code }) => code === type) ? [] : [`codDocSustento: ${type}`],
      ),
  },
  {
    code: '68',
    outcome: 'warns',
    find: (root, { knows }) => {
      const { ruc } = parseAccessKey(keyOf(root));
      return supportsOf(root)
        .filter(({ issuer, type, number }) => (issuer ?? ruc) === ruc && !knows(type, number))
        .map(({ number }) => number);
    },
  },
];

// --- internal ---

function keyOf(root: XmlElement): string {
  return childText(child(root, 'infoTributaria'), 'claveAcceso') ?? '';
}

interface Support {
  readonly type: string;
  readonly number: string;
  /** RUC in its access key; null without an access key. */
  readonly issuer: string | null;
}

/** The supporting documents of the recipients that have one. */
function supportsOf(root: XmlElement): readonly Support[] {
  return children(child(root, 'destinatarios'), 'destinatario').flatMap((recipient) => {
    const type = childText(recipient, 'codDocSustento');
    if (type === null) return [];
    const authorization = childText(recipient, 'numAutDocSustento') ?? '';
    return {
      type,
      number: childText(recipient, 'numDocSustento') ?? '',
      issuer: isAccessKey(authorization) ? parseAccessKey(authorization).ruc : null,
    };
  });
}
