/**
 * Some two hundred glyphs of a font, ready to be copied into a PDF as a simple TrueType font. The character at position `i`
 * of `characters` has the code `32 + i`; a NUL marks a free code. Lengths are thousandths of the em.
 */
export interface FontSubset {
  readonly name: string;
  readonly characters: string;
  readonly widths: readonly number[];
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  /** Left, bottom, right and top of all glyphs together. */
  readonly box: readonly number[];
  readonly bold: boolean;
  /** Size of the font program before compression. */
  readonly programLength: number;
  /** Base64 of the zlib stream, as a PDF's FlateDecode expects it. */
  readonly deflatedProgram: string;
}

/** The code of the first character of a subset. */
export const FIRST_CODE = 32;
