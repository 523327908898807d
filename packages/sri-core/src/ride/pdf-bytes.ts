/** Ends a document and returns its file. Since Node 26, each read of a stream gives one chunk. */
export function endPdf(document: PDFKit.PDFDocument): Uint8Array<ArrayBuffer> {
  document.end();
  const chunks: Uint8Array[] = [];
  for (let chunk = document.read(); chunk; chunk = document.read()) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}
