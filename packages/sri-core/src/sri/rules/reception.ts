import { isAccessKey, parseAccessKey } from '../../access-key.js';
import { ecuadorDate, toIsoDate } from '../../calendar.js';
import type { Environment } from '../../environment.js';
import type { SriMessage } from '../../storage.js';
import { childText, type XmlElement } from '../../xml/reader.js';
import { sriMessage } from './sri-message.js';
import { findDeviation, findStructure } from './structure.js';
import type { Submission } from './submission.js';

/**
 * Reception's checks before it looks up the key: structure, versions, real dates, and a valid key for this environment.
 *
 * @param environment of the addressed host; null for a host of both environments.
 * @returns the message of the rejection; null for a valid document.
 */
export function checkStructure(submission: Submission, environment: Environment | null): SriMessage | null {
  const { root, type, accessKey, infoTributaria } = submission;
  if (!type) return invalid(`Elemento raíz desconocido: ${root.name}.`);
  const rules = findStructure(root.name, root.attributes['version'] ?? '');
  if (typeof rules === 'string') return sriMessage('36');
  if (accessKey === '') {
    const message = invalid('No se ha encontrado información en el tag claveAcceso.');
    return { ...message, message: 'ARCHIVO NO CUMPLE ESTRUCTURA XML' };
  }
  const deviation = findDeviation(root, rules);
  if (deviation !== null) return invalid(deviation);
  if (childText(infoTributaria, 'codDoc') !== type.code) return sriMessage('47');
  const unreal = findUnrealDate(root);
  if (unreal) return sriMessage('67', `${unreal.name}: ${unreal.text}`);
  if (!isAccessKey(accessKey)) return sriMessage('58', 'El dígito verificador de la clave de acceso es incorrecto.');
  if (environment !== null && parseAccessKey(accessKey).environment !== environment) {
    return sriMessage('58', 'El ambiente de la clave de acceso no corresponde a este servicio.');
  }
  return null;
}

/** The issue date as written: of the heading, or for a guía de remisión, which has none there, of its access key. */
export function issueDateOf({ info, accessKey }: Submission): string {
  return childText(info, 'fechaEmision') ?? parseAccessKey(accessKey).issueDate;
}

/** Whether the SRI still accepts the issue date: not in the future, and at most 90 days ago. */
export function checkIssueDate(submission: Submission, now: Date): SriMessage | null {
  const issued = toIsoDate(issueDateOf(submission)) ?? '';
  const today = ecuadorDate(now);
  const daysAgo = (Date.parse(today) - Date.parse(issued)) / DAY_MS;
  if (daysAgo >= 0 && daysAgo <= TOLERANCE_MINUTES / (24 * 60)) return null;
  return sriMessage(
    '65',
    `La fecha de emisión está fuera del rango de tolerancia [${TOLERANCE_MINUTES} minutos], o es mayor a la fecha del servidor`,
  );
}

// --- internal ---

const DAY_MS = 24 * 60 * 60 * 1000;
/** The SRI's message about code 65 names this number. */
const TOLERANCE_MINUTES = 129_600;

/** The first date whose day does not exist, such as 31/02. The schema checks only its form. */
function findUnrealDate(element: XmlElement): XmlElement | null {
  for (const each of element.children) {
    const found = each.name.startsWith('fecha') && toIsoDate(each.text) === null ? each : findUnrealDate(each);
    if (found) return found;
  }
  return null;
}

function invalid(detail: string): SriMessage {
  return sriMessage('35', `Se encontró el siguiente error en la estructura del comprobante: ${detail}`);
}
