import { ConfigComplaint } from '../platform/config-values.js';

/** The bank account for transfers. */
export interface BankTransfer {
  readonly bankName: string;
  readonly accountType: string;
  readonly accountNumber: string;
  readonly accountHolder: string;
  /** RUC or cédula of the holder. */
  readonly identification: string;
}

/** Reads a JSON object with the five fields of a bank account, each a text of 1 to 100 characters. */
export function parseBankTransfer(text: string): BankTransfer | ConfigComplaint {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new ConfigComplaint({
      es: `escriba un objeto JSON con ${FIELDS.join(', ')}.`,
      en: `give a JSON object with ${FIELDS.join(', ')}.`,
    });
  }
  const given: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  const wrong = FIELDS.filter((name) => !isLine(given[name]));
  const unknown = Object.keys(given).filter((name) => !FIELDS.some((field) => field === name));
  if (wrong.length > 0)
    return new ConfigComplaint({
      es: `escriba ${wrong.join(', ')} como texto de 1 a 100 caracteres.`,
      en: `give ${wrong.join(', ')} as text of 1 to 100 characters.`,
    });
  if (unknown.length > 0)
    return new ConfigComplaint({
      es: `${unknown.join(', ')}: no hay tal campo. Campos: ${FIELDS.join(', ')}.`,
      en: `${unknown.join(', ')}: no such field. Fields: ${FIELDS.join(', ')}.`,
    });
  const read = (name: (typeof FIELDS)[number]) => String(given[name]).trim();
  return {
    bankName: read('bankName'),
    accountType: read('accountType'),
    accountNumber: read('accountNumber'),
    accountHolder: read('accountHolder'),
    identification: read('identification'),
  };
}

// --- internal ---

const FIELDS = ['bankName', 'accountType', 'accountNumber', 'accountHolder', 'identification'] as const;

function isLine(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 100 && !/\p{Cc}/u.test(value);
}
