import type { IsoDate } from '../calendar.js';
import type { Language } from '../catalogs/catalog.js';
import type { Issuer } from './issuer.js';

/** The input of a document that its body does not carry. */
export interface PrepareContext {
  /** Validated with the body. An invalid issuer is rejected with fields named `issuer.…`. */
  readonly issuer: Issuer;
  /** The day in Ecuador. */
  readonly today: IsoDate;
  /**
   * The document's original date, when it is rebuilt. The date stays; the body may name it or today without effect. By
   * default the issue date is today.
   */
  readonly keepIssueDate?: IsoDate;
  /** RUC in the signing certificate; null when it cannot be read. Absent, it is not compared. */
  readonly certificateRuc?: string | null;
  /** Warnings become failures. Default false. */
  readonly strict?: boolean;
  /** The HTTP contract: computable sums must be given too. Default false. */
  readonly requireAmounts?: boolean;
  /** RUC of the software provider, written as «RUC Proveedor». */
  readonly softwareProviderRuc?: string | null;
  /** Language of the messages. Default `es`. */
  readonly language?: Language;
}
