import type { TSchema } from '@sinclair/typebox';
import type { IsoDate } from '../calendar.js';
import type { LocalizedText } from '../catalogs/catalog.js';
import type { XmlElement } from '../xml/reader.js';
import type { PrepareContext } from './context.js';
import type { Findings } from './findings.js';
import type { RuleTexts, Warning } from './messages.js';
import type { ElementRule } from './parts/element-rule.js';
import type { Heading } from './parts/info-tributaria.js';
import type { NameValue } from './parts/prepared.js';
import type { ComprobanteHead } from './parts/reading.js';
import type { RideContent } from './ride-content.js';

/**
 * A type of comprobante: everything that tells it from the others. Each folder of this one holds a type, under the same
 * file names; `registry.ts` lists them.
 */
export interface DocumentType<
  Code extends string = string,
  Body = unknown,
  Prepared extends PreparedBase = PreparedBase,
  Read extends ComprobanteHead = ComprobanteHead,
> {
  /** [codDoc] `01` */
  readonly code: Code;
  /** Name of the root element: `factura`. */
  readonly root: string;
  /** Name of the element that holds the document's own heading: `infoFactura`. */
  readonly info: string;
  /** File of the SRI's schema that is written: `factura_V1.1.0.xsd`. `structures` has the versions that are read. */
  readonly schema: string;
  readonly texts: DocumentTexts;
  /** What a document of this type does to what the issuer has sold. */
  readonly effect: Effect;
  /** What the other side of the document is called. */
  readonly counterpartyRole: CounterpartyRole;
  /**
   * The creation body: its name in the OpenAPI description, its schema with every sum given, and with the sums left out that
   * follow from other fields.
   */
  readonly body: { readonly name: string; readonly withSums: TSchema; readonly optionalSums: TSchema };
  /** Bodies that are right by every rule on the day that they name. */
  readonly examples: readonly Body[];

  /**
   * Checks a creation body and works out its sums.
   *
   * @param body anything at all.
   * @throws ValidationError with everything that is wrong.
   */
  prepare(body: unknown, context: PrepareContext, findings: Findings): Prepared;
  /** What the engine stores beside the XML. */
  summary(prepared: Prepared): DocumentSummary;
  /** Writes the root element, canonical, in the order of the schema. */
  write(prepared: Prepared, heading: Heading): string;
  /** Reads the root element of any schema version. Reading never judges. */
  read(root: XmlElement, head: ComprobanteHead): Read;
  /** [identificacion…] The identification of the counterparty, as written in the XML; null without one. */
  counterpartyId(root: XmlElement): string | null;
  /** The structure that reception asks for, by schema version. */
  readonly structures: Readonly<Record<string, ElementRule>>;
  /** What the SRI checks once it has received the document, in its order. */
  readonly sriChecks: readonly SriCheck[];
  /** What the RIDE prints between its head and its foot. */
  ride(comprobante: Read): RideContent;
}

/** `charge` adds to the sales of the issuer, `credit` takes from them, `none` leaves them as they are. */
export type Effect = 'charge' | 'credit' | 'none';

/** What the other side of a document is called: buyer, supplier, recipient of goods, subject of a withholding. */
export const COUNTERPARTY_ROLES = ['BUYER', 'SUPPLIER', 'RECIPIENT', 'SUBJECT'] as const;

/** The role of the other side of a document. */
export type CounterpartyRole = (typeof COUNTERPARTY_ROLES)[number];

/** The words of a type. */
export interface DocumentTexts {
  readonly name: LocalizedText;
  /** The name in the SRI's own messages. */
  readonly sriName: string;
  /** One text for each rule that only this type has. */
  readonly rules: RuleTexts;
}

/** What every checked document has. Texts are as they are written. */
export interface PreparedBase {
  readonly documentType: string;
  readonly issueDate: IsoDate;
  readonly additionalInfo: readonly NameValue[];
  readonly warnings: readonly Warning[];
}

/** What lists, mails and statistics need of a document. */
export interface DocumentSummary {
  readonly counterparty: Counterparty;
  /** Decimal text with two decimals; `0.00` for a document without an amount. */
  readonly total: string;
  /** The document that this one modifies; null when it modifies none. */
  readonly modifies: { readonly documentType: string; readonly number: string } | null;
}

/** The other side of a document. */
export interface Counterparty {
  readonly idType: string;
  readonly id: string;
  readonly name: string;
  /** Where the document is mailed; null without an address. */
  readonly email: string | null;
}

/** A check of the SRI on a received document. */
export interface SriCheck {
  /** The SRI's code for it. */
  readonly code: string;
  /** `refuses`: the SRI does not authorize the document. `warns`: the authorization carries a warning. */
  readonly outcome: 'refuses' | 'warns';
  /**
   * Looks at a document that has passed the check of its structure.
   *
   * @returns each fault, in Spanish as the SRI words it, empty where the SRI adds nothing; no entry when all is right.
   */
  find(root: XmlElement, context: SriCheckContext): readonly string[];
}

/** What the checks need to know from outside the document. */
export interface SriCheckContext {
  /** Whether the SRI took a document of that type and number from the issuer. */
  knows(documentType: string, number: string): boolean;
}
