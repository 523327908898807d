/** The operator of the server: the holder of a token, or a user of the command line. */
export interface Operator {
  /** The label of the token, or the account on the machine. */
  readonly actor: string;
  readonly channel: 'HTTP' | 'CLI';
}
