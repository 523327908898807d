/** A planted secret, in every form in which it might appear. */
export interface PlantedSecret {
  readonly name: string;
  readonly forms: readonly Buffer[];
}

/** A secret that is text. */
export function plantedText(name: string, text: string): PlantedSecret {
  const escaped = JSON.stringify(text).slice(1, -1);
  return {
    name,
    forms: distinct([
      ...formsOf(Buffer.from(text)),
      Buffer.from(escaped),
      Buffer.from(encodeURIComponent(text)),
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
    ]),
  };
}

/** A secret that is bytes. */
export function plantedBytes(name: string, bytes: Buffer): PlantedSecret {
  return { name, forms: distinct(formsOf(bytes)) };
}

/** The leaked secrets: `<secret> in <place>`. */
export function findSecrets(
  places: Readonly<Record<string, Buffer>>,
  secrets: readonly PlantedSecret[],
): readonly string[] {
  return Object.entries(places).flatMap(([place, content]) =>
    secrets
      .filter(({ forms }) => forms.some((form) => content.includes(form)))
      .map(({ name }) => `${name} in ${place}`),
  );
}

// --- internal ---

function formsOf(bytes: Buffer): Buffer[] {
  const hex = bytes.toString('hex');
  return [bytes, Buffer.from(hex), Buffer.from(hex.toUpperCase()), ...base64Forms(bytes)];
}

/** Its base64 forms as a part of longer content: three ways, by its offset in the groups of three bytes. */
function base64Forms(bytes: Buffer): Buffer[] {
  const forms = [0, 1, 2].flatMap((offset) => {
    const whole = bytes.subarray(offset, offset + Math.floor((bytes.length - offset) / 3) * 3);
    return [Buffer.from(whole.toString('base64')), Buffer.from(whole.toString('base64url'))];
  });
  // Shorter forms would match by chance.
  return forms.filter((form) => form.length >= 12);
}

function distinct(forms: readonly Buffer[]): readonly Buffer[] {
  return [...new Map(forms.map((form) => [form.toString('latin1'), form])).values()];
}
