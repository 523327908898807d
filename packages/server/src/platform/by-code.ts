/** The order of ids in every process. That of the machine's language may differ: `aa` is the last letter in Danish. */
export function byCode(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
