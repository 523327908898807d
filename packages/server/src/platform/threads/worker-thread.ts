import { constants, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { move } from 'piscina';
import {
  ImageInvalidError,
  type RideInput,
  readFigures,
  readLogo,
  renderRide,
  type TaxFigures,
  XmlError,
} from 'sri-core';

// On Linux this is the priority of the thread alone; elsewhere it would be the priority of the process.
if (process.platform === 'linux' && !isMainThread) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** The result of a logo: its image, or why it cannot be read. */
export type LogoOutcome = { readonly bytes: Uint8Array } | { readonly invalid: string };

/** Prints a RIDE. @throws XmlError */
export async function printRide(input: RideInput): Promise<Uint8Array> {
  const pdf = await renderRide(input);
  return move(pdf.byteLength === pdf.buffer.byteLength ? pdf : Uint8Array.from(pdf)) as Uint8Array;
}

/** The amounts of each comprobante; null for one that cannot be read. */
export function readAllFigures(xmls: readonly string[]): readonly (TaxFigures | null)[] {
  return xmls.map((xml) => {
    try {
      return readFigures(xml);
    } catch (error) {
      if (error instanceof XmlError) return null;
      throw error;
    }
  });
}

/** Checks and re-encodes a logo. An error loses its class between threads, so it is returned as a value here. */
export async function checkLogo(bytes: Uint8Array): Promise<LogoOutcome> {
  try {
    const logo = await readLogo(bytes);
    return { bytes: logo.bytes };
  } catch (error) {
    if (error instanceof ImageInvalidError) return { invalid: error.message };
    throw error;
  }
}
