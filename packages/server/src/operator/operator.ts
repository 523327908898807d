/** Who runs the server: somebody with a token, or at the machine's own command line. */
export interface Operator {
  /** The label of the token, or the machine's account. */
  readonly actor: string;
  readonly channel: 'HTTP' | 'CLI';
}
