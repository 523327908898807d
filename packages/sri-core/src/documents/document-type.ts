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
import type { TaxFigures } from './parts/tax-figures.js';
import type { RideContent } from './ride-content.js';

/**
 * A type of comprobante, with everything specific to it. Each folder next to this file holds one type, with the same file
 * names. `registry.ts` lists them.
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
  /** Name of the element with the document's own heading: `infoFactura`. */
  readonly info: string;
  readonly texts: DocumentTexts;
  /** How a document of this type affects the issuer's sales. */
  readonly effect: Effect;
  /** The role of the counterparty. */
  readonly counterpartyRole: CounterpartyRole;
  /**
   * The creation body: its name in the OpenAPI description, its schema with every sum required, and its schema with
   * computable sums optional.
   */
  readonly body: { readonly name: string; readonly withSums: TSchema; readonly optionalSums: TSchema };
  /** Bodies that are valid on the day they name. */
  readonly examples: readonly Body[];

  /** Checks of a body of any shape whose failures come before those of its shape; absent where a type has none. */
  checkFirst?(copy: unknown, context: PrepareContext, findings: Findings): void;
  /** Validates the well-formed parts of a body whose shape is wrong, so that one answer names every failure. */
  inspect(copy: unknown, context: PrepareContext, findings: Findings): void;
  /**
   * Validates a body that fits its schema and computes its sums.
   *
   * @throws ValidationError with every failure, when one leaves no sums to continue with. All others stay in `findings`.
   */
  prepare(copy: Body, context: PrepareContext, findings: Findings): Computed<Prepared>;
  /** Returns the summary that the engine stores next to the XML. */
  summary(prepared: Prepared): DocumentSummary;
  /** Schema file of the version that a document is written in: `factura_V1.1.0.xsd`. `structures` has those that are read. */
  schema(prepared: Prepared): string;
  /** Writes the root element, canonical, in the order of the schema. */
  write(prepared: Prepared, heading: Heading): string;
  /** Reads the root element of any schema version. Reading does not validate. */
  read(root: XmlElement, head: ComprobanteHead): Read;
  /** [identificacion…] The identification of the counterparty, as written in the XML; null without one. */
  counterpartyId(root: XmlElement): string | null;
  /** The structure that reception asks for, by schema version. */
  readonly structures: Readonly<Record<string, ElementRule>>;
  /** The SRI's checks of the content, in its order. */
  readonly sriChecks: readonly SriCheck[];
  /** False for a type that is not printed as a ticket; by default every RIDE may be one. */
  readonly ticket?: false;
  /** The parts of the RIDE between head and foot. */
  ride(comprobante: Read): RideContent;
  /** The amounts by tax, for tax forms. */
  figures(comprobante: Read): TaxFigures;
}

/** `charge` adds to the issuer's sales, `credit` subtracts from them, `none` has no effect. */
export type Effect = 'charge' | 'credit' | 'none';

/** The role of the counterparty: buyer, supplier, recipient of goods, subject of a withholding. */
export const COUNTERPARTY_ROLES = ['BUYER', 'SUPPLIER', 'RECIPIENT', 'SUBJECT'] as const;

/** The role of the counterparty. */
export type CounterpartyRole = (typeof COUNTERPARTY_ROLES)[number];

/** The texts of a type. */
export interface DocumentTexts {
  readonly name: LocalizedText;
  /** The name in the SRI's own messages. */
  readonly sriName: string;
  /** What the total is called; null for a type without one. Absent, it is the total. */
  readonly total?: LocalizedText | null;
  /** What the annulment at the SRI also needs; absent where it needs nothing further. */
  readonly voidAdvice?: LocalizedText;
  /** One text per rule that only this type has. */
  readonly rules: RuleTexts;
}

/** The common part of every validated document. Texts are as they are written. */
export interface PreparedBase {
  readonly documentType: string;
  readonly issueDate: IsoDate;
  readonly additionalInfo: readonly NameValue[];
  readonly warnings: readonly Warning[];
}

/** A validated document without what all types get the same way. */
export type Computed<Prepared extends PreparedBase> = Omit<Prepared, 'documentType' | 'warnings'>;

/** The part of a document that lists, mails and statistics use. */
export interface DocumentSummary {
  readonly counterparty: Counterparty;
  /** Further mail addresses that receive the document: other recipients and the carrier of a delivery guide. */
  readonly copies: readonly string[];
  /** Decimal text with two decimals; `0.00` for a document without an amount. */
  readonly total: string;
  /** The document that this one modifies; null when it modifies no document. */
  readonly modifies: { readonly documentType: string; readonly number: string } | null;
}

/** The counterparty of a document. */
export interface Counterparty {
  /** Null where the document does not state it: the recipient of a delivery guide. */
  readonly idType: string | null;
  readonly id: string;
  readonly name: string;
  /** The mail address for the document; null without one. */
  readonly email: string | null;
}

/** An SRI check of a received document. */
export interface SriCheck {
  /** The SRI's code for it. */
  readonly code: string;
  /**
   * `returns`: reception returns the document. `refuses`: the SRI does not authorize it. `warns`: the authorization carries
   * a warning.
   */
  readonly outcome: 'returns' | 'refuses' | 'warns';
  /**
   * Checks a document whose structure and access key are already valid.
   *
   * @returns the faults, in Spanish as the SRI words them; an empty text where the SRI adds no detail; an empty list without
   * faults.
   */
  find(root: XmlElement, context: SriCheckContext): readonly string[];
}

/** Facts that the checks need from outside the document. */
export interface SriCheckContext {
  /** Whether the SRI accepted a document of that type and number from the issuer. */
  knows(documentType: string, number: string): boolean;
}
