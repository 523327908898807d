// The build substitutes this file for fontkit and linebreak: see tsup.config.ts.

/** fontkit's `create`, for pdfkit's `font`. */
export function create() {
  throw new Error('The build of sri-core has no text layout of pdfkit.');
}

/** linebreak's class, for pdfkit's `text`. */
export default create;
