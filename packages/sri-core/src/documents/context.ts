import type { IsoDate } from '../calendar.js';
import type { Language } from '../catalogs/catalog.js';
import type { Issuer } from './issuer.js';

/** What a body does not say, and the document depends on. */
export interface PrepareContext {
  /** Checked with the body: a document of an issuer that cannot be written is refused naming `issuer.…`. */
  readonly issuer: Issuer;
  /** The day in Ecuador. */
  readonly today: IsoDate;
  /**
   * The document's own date when it is built again: it stays, and the body may name it or today without effect.
   * By default the issue date is today.
   */
  readonly keepIssueDate?: IsoDate;
  /** RUC in the certificate that will sign, null where none can be read. Left out, it is not compared. */
  readonly certificateRuc?: string | null;
  /** Warnings become failures. Default false. */
  readonly strict?: boolean;
  /** The HTTP contract: sums that follow from other fields must be there all the same. Default false. */
  readonly requireAmounts?: boolean;
  /** RUC of the provider of the software, written as «RUC Proveedor». */
  readonly softwareProviderRuc?: string | null;
  /** Of the messages. Default `es`. */
  readonly language?: Language;
}
