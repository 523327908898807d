// Made by `npm run client:types` from the description of the interface; a test fails when it is out of date.

/**
 * What every operation takes and answers.
 */
export interface Operations {
  /**
   * Registers an account with its signing certificate.
   */
  register: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      tenant: RegisteredTenant;
      issuer: RegisteredIssuer;
      /**
       * The token of the first key.
       */
      apiKey: string;
      /**
       * What may be a mistake; absent when there is nothing.
       */
      warnings?: Warning[];
    };
  };
  /**
   * Gives a new key to whoever shows the certificate of an account; the keys before it end.
   */
  recover: {
    params: null;
    query: null;
    body: null;
    answer:
      | {
          ok: true;
          tenant: RecoveredTenant;
          issuer: RegisteredIssuer;
          /**
           * The token of the new key.
           */
          apiKey: string;
          /**
           * The environment of the account.
           */
          environment: 'sandbox' | 'production';
        }
      | {
          ok: true;
          /**
           * For people.
           */
          message: string;
        };
  };
  /**
   * Sends the verification mail again.
   */
  resendVerification: {
    params: null;
    query: null;
    body: {
      /**
       * Address of the account.
       */
      email: string;
      /**
       * Where the link of the mail leads instead.
       */
      verificationRedirectUrl?: string | null;
    };
    answer: {
      ok: true;
      /**
       * For people.
       */
      message: string;
    };
  };
  /**
   * Asks whether a recovery is to be undone, as the link of its mail does. Changes nothing.
   */
  checkRecoveryUndo: {
    params: null;
    query: {
      /**
       * The token of the mail.
       */
      token: string;
    };
    body: null;
    answer: {
      ok: true;
      /**
       * The address of the account.
       */
      email: string;
      /**
       * For people.
       */
      message: string;
    };
  };
  /**
   * Undoes a recovery: its key ends, and the keys from before work again.
   */
  undoRecovery: {
    params: null;
    query: {
      /**
       * The token of the mail.
       */
      token: string;
    };
    body: null;
    answer: {
      ok: true;
      /**
       * The address of the account.
       */
      email: string;
      /**
       * For people.
       */
      message: string;
    };
  };
  /**
   * Tells whether a verification link would work, without using it.
   */
  checkVerification: {
    params: null;
    query: {
      /**
       * The token of the mail.
       */
      token: string;
    };
    body: null;
    answer: {
      /**
       * Whether it would.
       */
      valid: boolean;
      /**
       * The address it would verify.
       */
      email?: string;
    };
  };
  /**
   * Verifies the address of an account.
   */
  verifyEmail: {
    params: null;
    query: null;
    body: {
      /**
       * The token of the mail.
       */
      token: string;
    };
    answer: {
      ok: true;
      /**
       * The address that is verified.
       */
      email: string;
      /**
       * For people.
       */
      message: string;
    };
  };
  /**
   * Verifies the address of an account, as the link of the mail does.
   */
  verifyEmailByLink: {
    params: null;
    query: {
      /**
       * The token of the mail.
       */
      token: string;
    };
    body: null;
    answer: {
      ok: true;
      /**
       * The address that is verified.
       */
      email: string;
      /**
       * For people.
       */
      message: string;
    };
  };
  /**
   * Gives the account of the key.
   */
  getTenant: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      tenant: Tenant;
    };
  };
  /**
   * Lists what happened to the account, oldest first.
   */
  listTenantEvents: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * The events.
       */
      events: TenantEvent[];
    };
  };
  /**
   * Sets the language of mails, notifications and answers.
   */
  setLanguage: {
    params: null;
    query: null;
    body: {
      /**
       * The language.
       */
      language: 'es' | 'en';
    };
    answer: {
      ok: true;
      /**
       * As it stands now.
       */
      language: 'es' | 'en';
    };
  };
  /**
   * Tells which agreements the account still has to accept.
   */
  getAgreementStanding: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      agreements: AgreementStanding;
    };
  };
  /**
   * Lists the account's own copies of agreements.
   */
  listAgreementCopies: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * The copies.
       */
      documents: AgreementCopy[];
    };
  };
  /**
   * Gives the text of the account's own copy of an agreement.
   */
  getAgreementCopy: {
    params: {
      /**
       * The kind of agreement.
       */
      type: 'TERMS' | 'PRIVACY' | 'DPA';
    };
    query: null;
    body: null;
    answer: null;
  };
  /**
   * Starts the attempts of every given up document of the account anew, 1000 in a call.
   */
  retryFailedDocuments: {
    params: null;
    query: null;
    body: {
      /**
       * Only documents of that issuer.
       */
      issuerId?: string;
      /**
       * Only that operation.
       */
      operation?: 'SEND' | 'AUTHORIZE';
    } | null;
    answer: {
      ok: true;
      /**
       * How many were set going.
       */
      retried: number;
      /**
       * What was set going.
       */
      effects: RetryEffect[];
      /**
       * How many are left for another call.
       */
      remaining: number;
    };
  };
  /**
   * Lists the agreements that are published now.
   */
  listPublishedAgreements: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * The agreements.
       *
       * Items: An agreement.
       */
      documents: {
        /**
         * The kind of agreement.
         */
        documentType: 'TERMS' | 'PRIVACY' | 'DPA';
        /**
         * Name of the version.
         */
        version: string;
        /**
         * Where its text is.
         */
        url: string;
      }[];
    };
  };
  /**
   * Gives the text of an agreement as it is published.
   */
  getPublishedAgreement: {
    params: {
      /**
       * The kind of agreement.
       */
      type: 'TERMS' | 'PRIVACY' | 'DPA';
    };
    query: null;
    body: null;
    answer: null;
  };
  /**
   * Lists the active issuers of the account.
   */
  listIssuers: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * The issuers.
       */
      issuers: ListedIssuer[];
    };
  };
  /**
   * Adds a branch or issue point.
   */
  createIssuer: {
    params: null;
    query: null;
    body: {
      /**
       * A certificate of its own, a P12; else that of the source. As base64.
       */
      cert?: string | null;
      /**
       * Password of the certificate, taken as it is. Left out, it has none.
       */
      certPassword?: string | null;
      /**
       * Branch (establecimiento).
       */
      branchCode: string;
      /**
       * Issue point (punto de emisión).
       */
      issuePointCode: string;
      /**
       * Trade name. At most 300 characters.
       */
      tradeName?: string | null;
      /**
       * Address of the branch. At most 300 characters.
       */
      branchAddress?: string | null;
      /**
       * Document types; default 01.
       */
      documentTypes?: ('01' | '04')[] | null;
      /**
       * First numbers; 1 where nothing is said.
       */
      initialSequentials?:
        | {
            /**
             * The type.
             */
            documentType: '01' | '04';
            /**
             * The first number.
             */
            sequential: number;
          }[]
        | null;
      /**
       * The issuer whose certificate and data it takes over; default the oldest.
       */
      sourceIssuerId?: string | null;
    };
    answer: {
      ok: true;
      issuer: Issuer;
      /**
       * What may be a mistake; absent when there is nothing.
       */
      warnings?: Warning[];
    };
  };
  /**
   * Gives an issuer.
   */
  getIssuer: {
    params: {
      /**
       * Id of the issuer.
       */
      id: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      issuer: Issuer;
    };
  };
  /**
   * Changes the data of an issuer.
   */
  updateIssuer: {
    params: {
      /**
       * Id of the issuer.
       */
      id: string;
    };
    query: null;
    body: {
      /**
       * Registered name. At most 300 characters.
       */
      businessName?: string;
      /**
       * Trade name. At most 300 characters.
       */
      tradeName?: string | null;
      /**
       * Address of the head office. At most 300 characters.
       */
      mainAddress?: string | null;
      /**
       * Address of the branch. At most 300 characters.
       */
      branchAddress?: string | null;
      /**
       * Whether it has to keep accounts.
       */
      requiredAccounting?: boolean;
      /**
       * Number of the resolution of a special taxpayer.
       */
      specialTaxpayer?: string | null;
      /**
       * Number of the resolution of a withholding agent.
       */
      withholdingAgent?: string | null;
      /**
       * The RIMPE regime it is in.
       */
      rimpe?: 'GENERAL' | 'POPULAR' | null;
      /**
       * Cannot change: only the value it has is accepted.
       */
      ruc?: string;
      /**
       * As `ruc`.
       */
      branchCode?: string;
      /**
       * As `ruc`.
       */
      issuePointCode?: string;
    };
    answer: {
      ok: true;
      issuer: Issuer;
    };
  };
  /**
   * Removes an issuer that has no documents in production.
   */
  deleteIssuer: {
    params: {
      /**
       * Id of the issuer.
       */
      id: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
    };
  };
  /**
   * Brings a removed issuer back.
   */
  activateIssuer: {
    params: {
      /**
       * Id of the issuer.
       */
      id: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      issuer: Issuer;
    };
  };
  /**
   * Pauses an issuer or lets it issue again.
   */
  setCanIssue: {
    params: {
      /**
       * Id of the issuer.
       */
      id: string;
    };
    query: null;
    body: {
      /**
       * Whether it may issue.
       */
      canIssue: boolean;
    };
    answer: {
      ok: true;
      /**
       * As it stands now.
       */
      canIssue: boolean;
      issuer: Issuer;
    };
  };
  /**
   * Sets or removes the logo of an issuer.
   */
  setLogo: {
    params: {
      /**
       * Id of the issuer.
       */
      id: string;
    };
    query: null;
    body: {
      /**
       * The image: PNG, JPEG or GIF of at most 500 KB. In JSON null takes the logo away. As base64.
       */
      logo?: string | null;
    };
    answer: {
      ok: true;
      issuer: Issuer;
    };
  };
  /**
   * Gives an issuer, or all of them, a new certificate.
   */
  renewCertificate: {
    params: {
      /**
       * Id of the issuer.
       */
      id: string;
    };
    query: null;
    body: {
      /**
       * The new certificate, a P12. As base64.
       */
      cert: string | null;
      /**
       * Password of the certificate, taken as it is. Left out, it has none.
       */
      certPassword?: string | null;
      /**
       * Whether every issuer of the account gets it.
       */
      applyToAll?: boolean | null;
    };
    answer: {
      ok: true;
      /**
       * SHA-256 of the certificate, hex.
       */
      certFingerprint: string | null;
      /**
       * Until when it holds.
       */
      certExpiry: string | null;
      issuer: Issuer;
      /**
       * What may be a mistake; absent when there is nothing.
       */
      warnings?: Warning[];
    };
  };
  /**
   * Lists the document types an issuer may issue.
   */
  listDocumentTypes: {
    params: {
      /**
       * Id of the issuer.
       */
      id: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * What the issuer may issue.
       *
       * Items: 01 invoice, 04 credit note.
       */
      documentTypes: ('01' | '04')[];
    };
  };
  /**
   * Lets an issuer issue a document type.
   */
  enableDocumentType: {
    params: {
      /**
       * Id of the issuer.
       */
      id: string;
    };
    query: null;
    body: {
      /**
       * The type.
       */
      documentType: '01' | '04';
    };
    answer: {
      ok: true;
      /**
       * What the issuer may issue.
       *
       * Items: 01 invoice, 04 credit note.
       */
      documentTypes: ('01' | '04')[];
    };
  };
  /**
   * Takes a document type from an issuer.
   */
  disableDocumentType: {
    params: {
      /**
       * Id of the issuer.
       */
      id: string;
      /**
       * The type.
       */
      code: '01' | '04';
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * What the issuer may issue.
       *
       * Items: 01 invoice, 04 credit note.
       */
      documentTypes: ('01' | '04')[];
    };
  };
  /**
   * Lists where the counters of an issuer stand.
   */
  listSequentials: {
    params: {
      /**
       * Id of the issuer.
       */
      id: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * By document type.
       */
      sequentials: SequentialCounters[];
    };
  };
  /**
   * Moves a counter of an issuer forward.
   */
  setNextSequential: {
    params: {
      /**
       * Id of the issuer.
       */
      id: string;
      /**
       * The type.
       */
      documentType: '01' | '04';
    };
    query: null;
    body: {
      /**
       * Which counter.
       */
      environment: 'sandbox' | 'production';
      /**
       * The number the next document gets.
       */
      nextSequential: number;
    };
    answer: {
      ok: true;
    };
  };
  /**
   * Lists the keys of the account.
   */
  listKeys: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * The keys.
       */
      keys: ApiKey[];
      /**
       * What the plan allows.
       */
      limit: {
        /**
         * Keys it allows.
         */
        max: number;
        /**
         * Keys there are.
         */
        used: number;
      };
    };
  };
  /**
   * Makes a key; its token is shown this once.
   */
  createKey: {
    params: null;
    query: null;
    body: {
      /**
       * What it is called. At most 100 characters.
       */
      label?: string | null;
      /**
       * Which environment it is for; default sandbox.
       */
      environment?: 'sandbox' | 'production' | null;
      /**
       * What it may do.
       *
       * @minItems 1
       */
      scopes?:
        | (
            | 'documents:write'
            | 'documents:read'
            | 'issuers:read'
            | 'issuers:write'
            | 'keys:manage'
            | 'billing:manage'
            | 'webhooks:manage'
            | 'tenant:manage'
            | 'tenant:promote'
          )[]
        | null;
    } | null;
    answer: {
      ok: true;
      /**
       * The token.
       */
      apiKey: string;
      /**
       * What the key may do.
       *
       * Items: A scope.
       */
      scopes: (
        | 'documents:write'
        | 'documents:read'
        | 'issuers:read'
        | 'issuers:write'
        | 'keys:manage'
        | 'billing:manage'
        | 'webhooks:manage'
        | 'tenant:manage'
        | 'tenant:promote'
      )[];
      key: ApiKey;
    };
  };
  /**
   * Revokes a key.
   */
  revokeKey: {
    params: {
      /**
       * Id of the key.
       */
      id: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
    };
  };
  /**
   * Tells how often a key was used on each day.
   */
  getKeyUsage: {
    params: {
      /**
       * Id of the key.
       */
      id: string;
    };
    query: {
      /**
       * How many days.
       */
      days?: number;
    };
    body: null;
    answer: {
      ok: true;
      /**
       * Every day, oldest first.
       *
       * Items: A day in Ecuador.
       */
      usage: {
        /**
         * The day.
         */
        date: string;
        /**
         * Requests.
         */
        requestCount: number;
      }[];
    };
  };
  /**
   * Creates a document: checks, numbers and signs it.
   */
  createDocument: {
    params: null;
    query: null;
    /**
     * A document to create, told apart by `documentType`.
     */
    body: InvoiceInput | CreditNoteInput;
    answer: {
      ok: true;
      document: Document;
      /**
       * What may be a mistake; absent when there is nothing.
       */
      warnings?: Warning[];
    };
  };
  /**
   * Lists the documents of an issuer, newest first unless asked otherwise.
   */
  listDocuments: {
    params: null;
    query: {
      /**
       * Only documents of that status.
       */
      status?: 'SIGNED' | 'PENDING_SEND' | 'RECEIVED' | 'RETURNED' | 'AUTHORIZED' | 'NOT_AUTHORIZED' | 'VOIDED';
      /**
       * Only documents of that type.
       */
      documentType?: '01' | '03' | '04' | '05' | '06' | '07';
      /**
       * Issued on that day or later, DD/MM/YYYY.
       */
      from?: string;
      /**
       * Issued on that day or before, DD/MM/YYYY.
       */
      to?: string;
      /**
       * Only numbers that contain this.
       */
      sequential?: string;
      /**
       * Only buyers whose name contains this.
       */
      buyerName?: string;
      /**
       * What the list is sorted by.
       */
      sortBy?: 'sequential' | 'buyerName' | 'issueDate' | 'status';
      /**
       * In which direction.
       */
      sortDir?: 'asc' | 'desc';
      /**
       * Which page, from 1.
       */
      page?: number;
      /**
       * How many a page has.
       */
      limit?: number;
    };
    body: null;
    answer: {
      ok: true;
      /**
       * The documents of the page.
       */
      data: Document[];
      pagination: Pagination;
    };
  };
  /**
   * Gives figures of the documents of an issuer.
   */
  getDocumentStats: {
    params: null;
    query: {
      /**
       * Issued on that day or later, DD/MM/YYYY.
       */
      from?: string;
      /**
       * Issued on that day or before, DD/MM/YYYY.
       */
      to?: string;
      /**
       * Only documents of that type.
       */
      documentType?: '01' | '03' | '04' | '05' | '06' | '07';
    };
    body: null;
    answer: {
      ok: true;
      stats: DocumentStats;
    };
  };
  /**
   * Gives a document.
   */
  getDocument: {
    params: {
      /**
       * Access key of the document.
       */
      accessKey: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      document: DocumentWithPayload;
    };
  };
  /**
   * Queues a signed document for the SRI.
   */
  sendDocument: {
    params: {
      /**
       * Access key of the document.
       */
      accessKey: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      document: Document;
    };
  };
  /**
   * Asks the SRI now whether a received document is authorized.
   */
  authorizeDocument: {
    params: {
      /**
       * Access key of the document.
       */
      accessKey: string;
    };
    query: {
      /**
       * Seconds to wait for the SRI before status 202 says that the question is under way.
       */
      wait?: number;
    };
    body: null;
    answer:
      | {
          ok: true;
          document: Document;
          /**
           * What the SRI answered to one attempt.
           */
          sriResponse?: SriResponse | null;
        }
      | {
          ok: true;
          document: Document;
        };
  };
  /**
   * Lists what the SRI answered about a document, newest first, with advice.
   */
  listSriResponses: {
    params: {
      /**
       * Access key of the document.
       */
      accessKey: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * The newest 1,000 answers.
       */
      sriResponses: SriResponse[];
    };
  };
  /**
   * Gives the printed form (RIDE) of a document, a PDF.
   */
  downloadRide: {
    params: {
      /**
       * Access key of the document.
       */
      accessKey: string;
    };
    query: null;
    body: null;
    answer: null;
  };
  /**
   * Gives the XML of a document: as the SRI authorized it, else as it was signed.
   */
  downloadXml: {
    params: {
      /**
       * Access key of the document.
       */
      accessKey: string;
    };
    query: {
      /**
       * Only that form of it.
       */
      variant?: 'authorized' | 'signed';
    };
    body: null;
    answer: null;
  };
  /**
   * Lists what happened to a document, oldest first.
   */
  listDocumentEvents: {
    params: {
      /**
       * Access key of the document.
       */
      accessKey: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * The events.
       */
      events: DocumentEvent[];
    };
  };
  /**
   * Starts the attempts of a document anew after they were given up.
   */
  retryDocument: {
    params: {
      /**
       * Access key of the document.
       */
      accessKey: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      document: Document;
      effect: RetryEffect;
    };
  };
  /**
   * Builds and signs a returned document again, corrected.
   */
  rebuildDocument: {
    params: {
      /**
       * Access key of the document.
       */
      accessKey: string;
    };
    query: null;
    body: {
      /**
       * Whether the document is dated today.
       */
      redate?: boolean;
      /**
       * Whether it gets a new number and access key.
       */
      resequence?: boolean;
      [k: string]: unknown | undefined;
    } | null;
    answer: {
      ok: true;
      document: Document;
      /**
       * What may be a mistake; absent when there is nothing.
       */
      warnings?: Warning[];
    };
  };
  /**
   * Marks an authorized document as voided, once that was done in the portal of the SRI.
   */
  voidDocument: {
    params: {
      /**
       * Access key of the document.
       */
      accessKey: string;
    };
    query: null;
    body: {
      /**
       * That it is voided at the SRI: has to be true.
       */
      confirmedSriVoid: boolean;
      /**
       * Why it is voided.
       */
      reason: string;
    };
    answer: {
      ok: true;
      document: VoidedDocument;
    };
  };
  /**
   * Lists the credit notes of an invoice, and what is left to credit.
   */
  listCreditNotes: {
    params: {
      /**
       * Access key of the document.
       */
      accessKey: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * The invoice.
       */
      originalDocument: {
        /**
         * Its access key.
         */
        accessKey: string;
        /**
         * Its total.
         */
        total: string;
      };
      /**
       * What was credited.
       */
      creditedTotal: string;
      /**
       * What is left; below zero when more was credited than there was.
       */
      remaining: string;
      /**
       * The credit notes.
       *
       * Items: A credit note.
       */
      creditNotes: {
        /**
         * Its access key.
         */
        accessKey: string;
        /**
         * Its number.
         */
        sequential: string;
        /**
         * Its total.
         */
        total: string;
        /**
         * Day of issue.
         */
        issueDate: string;
      }[];
    };
  };
  /**
   * Mails every authorized document of the issuer whose mail was not sent.
   */
  retryEmails: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * What became of them.
       */
      result: {
        /**
         * Mails that were tried.
         */
        attempted: number;
        /**
         * Mails that were sent.
         */
        sent: number;
        /**
         * The same figure.
         */
        succeeded: number;
        /**
         * Mails that could not be sent.
         */
        failed: number;
        /**
         * Mails that wait for their turn.
         */
        queued: number;
      };
    };
  };
  /**
   * Mails an authorized document to its buyer again.
   */
  retryDocumentEmail: {
    params: {
      /**
       * Access key of the document.
       */
      accessKey: string;
    };
    query: {
      /**
       * Whether a mail that was sent is sent again.
       */
      force?: 'true' | 'false';
    };
    body: {
      /**
       * Another address than the buyer has.
       */
      email?: string | null;
    } | null;
    answer: {
      ok: true;
      /**
       * What became of it.
       */
      result: {
        /**
         * Whether it was sent by now.
         */
        sent: boolean;
        /**
         * Id of the mail.
         */
        messageId?: string;
        /**
         * Why it was not sent by now.
         */
        reason?: 'queued' | 'already_sent';
      };
      document: Document;
    };
  };
  /**
   * Lists notifications, newest first; or only those after one that is known.
   */
  listNotifications: {
    params: null;
    query: {
      /**
       * The last one that is known: only those after it.
       */
      sinceId?: string;
      /**
       * Only so many of them, the newest.
       */
      limit?: number;
    };
    body: null;
    answer: {
      /**
       * The notifications, all of them unless `limit` is sent.
       */
      notifications: Notification[];
      /**
       * How many are unread.
       */
      unreadCount: number;
    };
  };
  /**
   * Marks a notification as read.
   */
  readNotification: {
    params: {
      /**
       * Id of the notification.
       */
      id: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      notification: Notification;
    };
  };
  /**
   * Tells which notifications reach people, and how.
   */
  getPreferences: {
    params: null;
    query: null;
    body: null;
    answer: {
      /**
       * Every pair that can be set.
       */
      preferences: NotificationPreference[];
    };
  };
  /**
   * Switches notifications on or off.
   */
  setPreferences: {
    params: null;
    query: null;
    /**
     * The pairs to change.
     */
    body: NotificationPreference[];
    answer: {
      /**
       * Every pair that can be set.
       */
      preferences: NotificationPreference[];
    };
  };
  /**
   * Registers an address the account is told at.
   */
  createWebhook: {
    params: null;
    query: null;
    body: {
      /**
       * Where the account is told: https, and a host of the public internet.
       */
      url: string;
      /**
       * What it is told; empty for everything.
       *
       * Items: One of them.
       */
      eventTypes?: (
        | 'DOCUMENT_AUTHORIZED'
        | 'CERT_EXPIRING'
        | 'CERT_EXPIRED'
        | 'DOCUMENT_RETURNED'
        | 'DOCUMENT_NOT_AUTHORIZED'
        | 'SRI_SUBMISSION_FAILED'
        | 'EMAIL_DELIVERY_FAILED'
        | 'QUOTA_WARNING'
      )[];
    };
    answer: {
      ok: true;
      endpoint: WebhookEndpoint;
      /**
       * What deliveries are signed with, shown this once.
       */
      secret: string;
    };
  };
  /**
   * Lists the endpoints of the account.
   */
  listWebhooks: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * The endpoints.
       */
      endpoints: WebhookEndpoint[];
      /**
       * What the plan allows.
       */
      limit: {
        /**
         * Endpoints it allows.
         */
        max: number;
        /**
         * Endpoints there are.
         */
        used: number;
      };
    };
  };
  /**
   * Changes an endpoint.
   */
  updateWebhook: {
    params: {
      /**
       * Id of the endpoint.
       */
      id: string;
    };
    query: null;
    body: {
      /**
       * Where the account is told: https, and a host of the public internet.
       */
      url?: string;
      /**
       * What it is told; empty for everything.
       *
       * Items: One of them.
       */
      eventTypes?: (
        | 'DOCUMENT_AUTHORIZED'
        | 'CERT_EXPIRING'
        | 'CERT_EXPIRED'
        | 'DOCUMENT_RETURNED'
        | 'DOCUMENT_NOT_AUTHORIZED'
        | 'SRI_SUBMISSION_FAILED'
        | 'EMAIL_DELIVERY_FAILED'
        | 'QUOTA_WARNING'
      )[];
      /**
       * Whether it is told anything.
       */
      active?: boolean;
    };
    answer: {
      ok: true;
      endpoint: WebhookEndpoint;
    };
  };
  /**
   * Removes an endpoint.
   */
  deleteWebhook: {
    params: {
      /**
       * Id of the endpoint.
       */
      id: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
    };
  };
  /**
   * Lists what was sent to an endpoint, newest first.
   */
  listDeliveries: {
    params: {
      /**
       * Id of the endpoint.
       */
      id: string;
    };
    query: {
      /**
       * Only deliveries that stand so.
       */
      status?: 'PENDING' | 'DELIVERED' | 'FAILED';
      /**
       * Which page, from 1.
       */
      page?: number;
      /**
       * How many a page has.
       */
      limit?: number;
    };
    body: null;
    answer: {
      ok: true;
      /**
       * The deliveries of the page.
       */
      data: WebhookDelivery[];
      pagination: Pagination;
    };
  };
  /**
   * Sends a delivery again.
   */
  redeliver: {
    params: {
      /**
       * Id of the endpoint.
       */
      id: string;
      /**
       * Id of the delivery.
       */
      deliveryId: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      delivery: WebhookDelivery;
    };
  };
  /**
   * Sends a test to an endpoint.
   */
  testWebhook: {
    params: {
      /**
       * Id of the endpoint.
       */
      id: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * Id of the delivery.
       */
      deliveryId: string;
    };
  };
  /**
   * Gives an endpoint a new secret; the one before holds for a while.
   */
  rotateWebhookSecret: {
    params: {
      /**
       * Id of the endpoint.
       */
      id: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * What deliveries are signed with, shown this once.
       */
      secret: string;
    };
  };
  /**
   * Lists the catalogs.
   */
  listCatalogs: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * Their names.
       *
       * Items: A name.
       */
      catalogs: string[];
    };
  };
  /**
   * Gives a table of codes of the SRI.
   */
  getCatalog: {
    params: {
      /**
       * Name of the catalog, as the list gives it.
       */
      name: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * The codes.
       */
      idTypes?: CatalogCode[];
      /**
       * The codes.
       */
      paymentMethods?: CatalogCode[];
      /**
       * The codes.
       */
      termUnits?: CatalogCode[];
      /**
       * The codes.
       */
      taxTypes?: CatalogCode[];
      /**
       * The codes.
       */
      documentTypes?: CatalogCode[];
      /**
       * The rates.
       */
      taxRates?: TaxRate[];
    };
  };
  /**
   * Lists the plans with what they allow and cost.
   */
  listTiers: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * IVA as a fraction of the price.
       */
      ivaRate: number;
      /**
       * The plans.
       */
      tiers: Tier[];
    };
  };
  /**
   * Gives the subscriptions of the account with their payments.
   */
  getSubscriptions: {
    params: null;
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * All there ever were, newest first.
       */
      subscriptions: SubscriptionWithPayments[];
      /**
       * What an account pays for.
       */
      subscription: Subscription | null;
      /**
       * A bank transfer that is due, on its way or done.
       */
      pendingPayment: Payment | null;
    };
  };
  /**
   * Lists the proofs of a payment.
   */
  listProofs: {
    params: {
      /**
       * Id of the payment.
       */
      id: string;
    };
    query: null;
    body: null;
    answer: {
      ok: true;
      /**
       * The proofs.
       */
      proofs: PaymentProof[];
    };
  };
  /**
   * Gives the file of a proof, never to be shown in place.
   */
  downloadProof: {
    params: {
      /**
       * Id of the payment.
       */
      id: string;
      /**
       * Id of the proof.
       */
      proofId: string;
    };
    query: null;
    body: null;
    answer: null;
  };
}
/**
 * The account, as registration gives it.
 */
export interface RegisteredTenant {
  /**
   * Id of the account.
   */
  id: string;
  /**
   * Its address.
   */
  email: string;
  /**
   * Its plan.
   */
  subscriptionTier: 'FREE' | 'STARTER' | 'GROWTH' | 'BUSINESS' | 'OWN';
  /**
   * Where it stands.
   */
  status: 'PENDING_VERIFICATION' | 'ACTIVE' | 'SUSPENDED' | 'PAST_DUE';
  /**
   * Documents issued in the period.
   */
  documentCount: number;
  /**
   * Documents the plan allows in a period.
   */
  documentQuota: number;
  /**
   * When it was registered.
   */
  createdAt: string;
  /**
   * When agreements were last accepted.
   */
  agreementAcceptedAt: string | null;
  /**
   * The version of the terms that was accepted last.
   */
  agreementVersion: string | null;
}
/**
 * An issuer, as registration gives it.
 */
export interface RegisteredIssuer {
  /**
   * Id of the issuer, sent as `X-Issuer-Id`.
   */
  id: string;
  /**
   * RUC.
   */
  ruc: string;
  /**
   * Registered name.
   */
  businessName: string;
  /**
   * Trade name.
   */
  tradeName: string | null;
  /**
   * Branch (establecimiento).
   */
  branchCode: string;
  /**
   * Issue point (punto de emisión).
   */
  issuePointCode: string;
  /**
   * SHA-256 of its certificate, hex.
   */
  certFingerprint: string | null;
  /**
   * Until when the certificate holds.
   */
  certExpiry: string | null;
}
/**
 * Something that is allowed and may still be a mistake.
 */
export interface Warning {
  /**
   * Name of the warning. Those of documents: LINE_BASE_MISMATCH, TAX_MISMATCH, TAX_GROUP_MISMATCH, PAYMENTS_MISMATCH, ID_FORMAT, ID_CHECK_DIGIT, FINAL_CONSUMER_LIMIT, TAX_RATE_MISMATCH, TIP_LIMIT, UNKNOWN_FIELD, CERTIFICATE_OF_ANOTHER_RUC, CERTIFICATE_WITHOUT_RUC.
   */
  code: string;
  /**
   * Where.
   */
  field: string;
  /**
   * For people, in the language of the answer.
   */
  message: string;
}
/**
 * The account, as recovery gives it.
 */
export interface RecoveredTenant {
  /**
   * Id of the account.
   */
  id: string;
  /**
   * Its address.
   */
  email: string;
  /**
   * Its plan.
   */
  subscriptionTier: 'FREE' | 'STARTER' | 'GROWTH' | 'BUSINESS' | 'OWN';
  /**
   * Where it stands.
   */
  status: 'PENDING_VERIFICATION' | 'ACTIVE' | 'SUSPENDED' | 'PAST_DUE';
  /**
   * Documents issued in the period.
   */
  documentCount: number;
  /**
   * Documents the plan allows in a period.
   */
  documentQuota: number;
}
/**
 * The account.
 */
export interface Tenant {
  /**
   * Id of the account.
   */
  id: string;
  /**
   * Its address.
   */
  email: string;
  /**
   * Its plan.
   */
  subscriptionTier: 'FREE' | 'STARTER' | 'GROWTH' | 'BUSINESS' | 'OWN';
  /**
   * Where it stands.
   */
  status: 'PENDING_VERIFICATION' | 'ACTIVE' | 'SUSPENDED' | 'PAST_DUE';
  /**
   * Why it is suspended; null unless it is.
   */
  suspensionReasonCode:
    | 'PAYMENT_REVERSED'
    | 'FRAUD_SUSPECTED'
    | 'TERMS_VIOLATION'
    | 'VOLUNTARY_CLOSURE'
    | 'UNPAID_BALANCE'
    | 'OTHER'
    | null;
  /**
   * Documents issued in the period.
   */
  documentCount: number;
  /**
   * Documents the plan allows in a period.
   */
  documentQuota: number;
  /**
   * Further seats that are paid.
   */
  extraSeats: number;
  /**
   * Seats from the next period on; null when nothing changes.
   */
  pendingExtraSeats: number | null;
  /**
   * Whether it is in the test environment.
   */
  sandbox: boolean;
  /**
   * When agreements were last accepted.
   */
  agreementAcceptedAt: string | null;
  /**
   * The version of the terms that was accepted last.
   */
  agreementVersion: string | null;
}
/**
 * Something that happened to the account.
 */
export interface TenantEvent {
  /**
   * Id of the event.
   */
  id: string;
  /**
   * What happened.
   */
  eventType: string;
  /**
   * What else is known of it.
   */
  detail: {
    [k: string]: unknown | undefined;
  } | null;
  /**
   * When.
   */
  createdAt: string;
}
/**
 * What the account still has to accept.
 */
export interface AgreementStanding {
  /**
   * Whether it has to accept anything.
   */
  needsAcceptance: boolean;
  /**
   * What is to be accepted.
   *
   * Items: An agreement that is not accepted as it is published.
   */
  outdated: {
    /**
     * The kind of agreement.
     */
    documentType: 'TERMS' | 'PRIVACY' | 'DPA';
    /**
     * Name of the version.
     */
    currentVersion: string;
    /**
     * The version accepted last.
     */
    acceptedVersion: string | null;
    /**
     * Where the account's copy stands.
     */
    status: 'PENDING' | 'NOT_GENERATED';
    /**
     * The path of the copy.
     */
    url: string;
    /**
     * The path where it is accepted.
     */
    acceptUrl: string;
  }[];
  /**
   * Whether anything is published.
   */
  hasPublishedAgreements: boolean;
  /**
   * Whether agreements are asked for at all.
   */
  agreementsEnabled: boolean;
}
/**
 * An account's own copy of an agreement.
 */
export interface AgreementCopy {
  /**
   * Id of the copy.
   */
  id: string;
  /**
   * The kind of agreement.
   */
  documentType: 'TERMS' | 'PRIVACY' | 'DPA';
  /**
   * Name of the version.
   */
  templateVersion: string;
  /**
   * Where it stands.
   */
  status: 'PENDING' | 'ACCEPTED' | 'SUPERSEDED';
  /**
   * When it was made.
   */
  generatedAt: string;
  /**
   * When it was accepted.
   */
  acceptedAt: string | null;
  /**
   * Its language.
   */
  language: 'es' | 'en';
  /**
   * SHA-256 of its Markdown, hex.
   */
  contentSha256: string;
}
/**
 * What was set going again.
 */
export interface RetryEffect {
  /**
   * Id of the document.
   */
  id: string;
  /**
   * What is tried again.
   */
  effectType: 'SRI_SEND' | 'SRI_AUTHORIZE';
  /**
   * It waits for its turn.
   */
  status: 'PENDING';
  /**
   * Attempts begin anew.
   */
  attemptCount: number;
}
/**
 * An issuer with the document types it may issue.
 */
export interface ListedIssuer {
  /**
   * Id of the issuer, sent as `X-Issuer-Id`.
   */
  id: string;
  /**
   * RUC.
   */
  ruc: string;
  /**
   * Registered name.
   */
  businessName: string;
  /**
   * Trade name.
   */
  tradeName: string | null;
  /**
   * Branch (establecimiento).
   */
  branchCode: string;
  /**
   * Issue point (punto de emisión).
   */
  issuePointCode: string;
  /**
   * Address of the branch.
   */
  branchAddress: string | null;
  /**
   * SHA-256 of its certificate, hex.
   */
  certFingerprint: string | null;
  /**
   * Until when the certificate holds.
   */
  certExpiry: string | null;
  /**
   * Whether it may issue now.
   */
  canIssue: boolean;
  /**
   * What it may issue.
   *
   * Items: A type.
   */
  documentTypes: ('01' | '04')[];
}
/**
 * A branch and issue point, with the certificate it signs with.
 */
export interface Issuer {
  /**
   * Id of the issuer, sent as `X-Issuer-Id`.
   */
  id: string;
  /**
   * RUC.
   */
  ruc: string;
  /**
   * Registered name.
   */
  businessName: string;
  /**
   * Trade name.
   */
  tradeName: string | null;
  /**
   * Branch (establecimiento).
   */
  branchCode: string;
  /**
   * Issue point (punto de emisión).
   */
  issuePointCode: string;
  /**
   * Address of the branch.
   */
  branchAddress: string | null;
  /**
   * SHA-256 of its certificate, hex.
   */
  certFingerprint: string | null;
  /**
   * Until when the certificate holds.
   */
  certExpiry: string | null;
  /**
   * Whether it may issue now.
   */
  canIssue: boolean;
}
/**
 * The counters of a document type.
 */
export interface SequentialCounters {
  /**
   * The type.
   */
  documentType: '01' | '04';
  /**
   * In the test environment.
   */
  sandbox: {
    /**
     * The number issued last; 0 for none.
     */
    current: number;
    /**
     * The number the next document gets.
     */
    next: number;
  };
  /**
   * In production.
   */
  production: {
    /**
     * The number issued last; 0 for none.
     */
    current: number;
    /**
     * The number the next document gets.
     */
    next: number;
  };
}
/**
 * A key of the account, without its token.
 */
export interface ApiKey {
  /**
   * Id of the key.
   */
  id: string;
  /**
   * What it is called.
   */
  label: string | null;
  /**
   * The environment it belongs to.
   */
  environment: 'sandbox' | 'production';
  /**
   * What the key may do.
   *
   * Items: A scope.
   */
  scopes: (
    | 'documents:write'
    | 'documents:read'
    | 'issuers:read'
    | 'issuers:write'
    | 'keys:manage'
    | 'billing:manage'
    | 'webhooks:manage'
    | 'tenant:manage'
    | 'tenant:promote'
  )[];
  /**
   * Whether it can be used.
   */
  active: boolean;
  /**
   * When it was made.
   */
  createdAt: string;
  /**
   * When it was revoked.
   */
  revokedAt: string | null;
  /**
   * When it was last used.
   */
  lastUsedAt: string | null;
  /**
   * Requests made with it.
   */
  requestCount: number;
  /**
   * The end of its token.
   */
  last4: string;
}
/**
 * An invoice to create.
 */
export interface InvoiceInput {
  /**
   * Invoice (factura).
   */
  documentType: '01';
  /**
   * Issue date, DD/MM/YYYY. It must be today in Ecuador, which is the default.
   */
  issueDate?: string | null;
  /**
   * The buyer.
   */
  buyer: {
    /**
     * Type of identification: 04 RUC, 05 cédula, 06 passport, 07 unnamed consumer, 08 foreign.
     */
    idType: '04' | '05' | '06' | '07' | '08';
    /**
     * Identification number; 9999999999999 with type 07.
     */
    id: string;
    /**
     * Name or business name.
     */
    name: string;
    /**
     * Where the document is sent once authorized.
     */
    email: string;
    /**
     * Address; not written into credit notes.
     */
    address?: string | null;
  };
  /**
   * Number of the delivery note that went with the goods.
   */
  guiaRemision?: string | null;
  /**
   * Lines, in the order they are printed.
   *
   * @minItems 1
   * @maxItems 1000
   *
   * Items: A line.
   */
  items: {
    /**
     * The seller's code of the product.
     */
    mainCode: string;
    /**
     * A second code.
     */
    auxiliaryCode?: string | null;
    /**
     * Another name of auxiliaryCode, which goes first.
     */
    auxCode?: string | null;
    /**
     * What is sold.
     */
    description: string;
    /**
     * Quantity.
     */
    quantity: string;
    /**
     * Price of one, before taxes and discount.
     */
    unitPrice: string;
    /**
     * Discount on the line; 0.00 by default.
     */
    discount?: string | null;
    /**
     * What the line comes to before taxes, for what is sold for an amount, such as fuel. Default: quantity × unitPrice − discount, from which it may be a cent away.
     */
    total?: string | null;
    additionalDetails?:
      | {
          /**
           * Name.
           */
          name: string;
          /**
           * Value.
           */
          value: string;
        }[]
      | null;
    /**
     * Taxes of the line.
     *
     * @minItems 1
     * @maxItems 10
     *
     * Items: A tax of the line.
     */
    taxes: {
      /**
       * Tax: 2 IVA, 3 ICE, 5 IRBPNR.
       */
      code: '2' | '3' | '5';
      /**
       * Rate code of the tax, as in the catalog tax-rates.
       */
      rateCode: string;
      /**
       * Percentage; for taxes by unit, dollars a unit.
       */
      rate: string;
      /**
       * Amount the tax applies to; the base of IVA includes ICE.
       */
      taxableBase: string;
      /**
       * The tax: base × rate, rounded half up.
       */
      taxAmount: string;
    }[];
  }[];
  /**
   * Tip, added to the total.
   */
  tip?: string | null;
  /**
   * How it is paid.
   *
   * @minItems 1
   * @maxItems 50
   *
   * Items: A payment.
   */
  payments: {
    /**
     * Form of payment, as in the catalog payment-methods.
     */
    method: '01' | '15' | '16' | '17' | '18' | '19' | '20' | '21';
    /**
     * Amount paid this way. The payments add up to the total of the document.
     */
    total: string;
    /**
     * Time until it is due.
     */
    term?: number | null;
    /**
     * Unit of the term, as in the catalog term-units.
     */
    termUnit?: 'dias' | 'semanas' | 'meses' | 'anios' | null;
  }[];
  additionalInfo?:
    | {
        /**
         * Name.
         */
        name: string;
        /**
         * Value.
         */
        value: string;
      }[]
    | null;
}
/**
 * A credit note to create.
 */
export interface CreditNoteInput {
  /**
   * Credit note (nota de crédito).
   */
  documentType: '04';
  /**
   * Issue date, DD/MM/YYYY. It must be today in Ecuador, which is the default.
   */
  issueDate?: string | null;
  /**
   * The buyer.
   */
  buyer: {
    /**
     * Type of identification: 04 RUC, 05 cédula, 06 passport, 07 unnamed consumer, 08 foreign.
     */
    idType: '04' | '05' | '06' | '07' | '08';
    /**
     * Identification number; 9999999999999 with type 07.
     */
    id: string;
    /**
     * Name or business name.
     */
    name: string;
    /**
     * Where the document is sent once authorized.
     */
    email: string;
    /**
     * Address; not written into credit notes.
     */
    address?: string | null;
  };
  /**
   * The document being credited.
   */
  originalDocument: {
    /**
     * Type of the document, 01 for an invoice.
     */
    documentType: '01' | '03' | '04' | '05' | '06' | '07';
    /**
     * Its number.
     */
    number: string;
    /**
     * The day it was issued, DD/MM/YYYY.
     */
    issueDate: string;
  };
  /**
   * Why the original is credited.
   */
  motivo: string;
  /**
   * Lines, in the order they are printed.
   *
   * @minItems 1
   * @maxItems 1000
   *
   * Items: A line.
   */
  items: {
    /**
     * The seller's code of the product.
     */
    mainCode: string;
    /**
     * A second code.
     */
    auxiliaryCode?: string | null;
    /**
     * Another name of auxiliaryCode, which goes first.
     */
    auxCode?: string | null;
    /**
     * What is sold.
     */
    description: string;
    /**
     * Quantity.
     */
    quantity: string;
    /**
     * Price of one, before taxes and discount.
     */
    unitPrice: string;
    /**
     * Discount on the line; 0.00 by default.
     */
    discount?: string | null;
    /**
     * What the line comes to before taxes, for what is sold for an amount, such as fuel. Default: quantity × unitPrice − discount, from which it may be a cent away.
     */
    total?: string | null;
    additionalDetails?:
      | {
          /**
           * Name.
           */
          name: string;
          /**
           * Value.
           */
          value: string;
        }[]
      | null;
    /**
     * Taxes of the line.
     *
     * @minItems 1
     * @maxItems 10
     *
     * Items: A tax of the line.
     */
    taxes: {
      /**
       * Tax: 2 IVA, 3 ICE, 5 IRBPNR.
       */
      code: '2' | '3' | '5';
      /**
       * Rate code of the tax, as in the catalog tax-rates.
       */
      rateCode: string;
      /**
       * Percentage; for taxes by unit, dollars a unit.
       */
      rate: string;
      /**
       * Amount the tax applies to; the base of IVA includes ICE.
       */
      taxableBase: string;
      /**
       * The tax: base × rate, rounded half up.
       */
      taxAmount: string;
    }[];
  }[];
  additionalInfo?:
    | {
        /**
         * Name.
         */
        name: string;
        /**
         * Value.
         */
        value: string;
      }[]
    | null;
}
/**
 * An electronic document.
 */
export interface Document {
  /**
   * Access key (clave de acceso).
   */
  accessKey: string;
  /**
   * 01 invoice, 04 credit note.
   */
  documentType: '01' | '04';
  /**
   * Number of the document at its issue point.
   */
  sequential: string;
  /**
   * Where the document stands.
   */
  status: 'SIGNED' | 'PENDING_SEND' | 'RECEIVED' | 'RETURNED' | 'AUTHORIZED' | 'NOT_AUTHORIZED' | 'VOIDED';
  /**
   * Day of issue.
   */
  issueDate: string;
  /**
   * Total with taxes.
   */
  total: string;
  counterparty: Counterparty;
  /**
   * The number the SRI authorized it under.
   */
  authorizationNumber?: string;
  /**
   * The SRI's own moment of authorization.
   */
  authorizationDate?: string;
  /**
   * The mail to the buyer.
   */
  email: {
    /**
     * Where it stands.
     */
    status: 'PENDING' | 'SENT' | 'DELIVERED' | 'FAILED' | 'COMPLAINED' | 'SKIPPED';
    /**
     * When it was handed over.
     */
    sentAt?: string;
    /**
     * Why it could not be sent.
     */
    error?: string;
  };
  dispatch?: Dispatch;
}
/**
 * The other side of a document.
 */
export interface Counterparty {
  /**
   * What it is called: buyer, supplier, recipient of goods, subject of a withholding.
   */
  role: 'BUYER' | 'SUPPLIER' | 'RECIPIENT' | 'SUBJECT';
  /**
   * Type of identification.
   */
  idType: string;
  /**
   * Identification number.
   */
  id: string;
  /**
   * Name.
   */
  name: string;
}
/**
 * How far the SRI's part of a document in flight has come.
 */
export interface Dispatch {
  /**
   * Waiting for its turn, being sent, or given up until it is retried.
   */
  status: 'PENDING' | 'DISPATCHED' | 'FAILED';
  /**
   * Attempts so far.
   */
  attemptCount: number;
  /**
   * What the last attempt failed with.
   */
  lastError: string | null;
}
/**
 * Which page of a list this is.
 */
export interface Pagination {
  /**
   * How many there are in all.
   */
  total: number;
  /**
   * The page, from 1.
   */
  page: number;
  /**
   * How many a page has.
   */
  limit: number;
}
/**
 * Figures of the documents of an issuer.
 */
export interface DocumentStats {
  /**
   * The world they were made in.
   */
  environment: 'sandbox' | 'production';
  /**
   * What was issued this month.
   */
  thisMonth: {
    /**
     * By type.
     *
     * Items: A type.
     */
    byType: {
      /**
       * Its short name.
       */
      type: string;
      /**
       * How many were issued.
       */
      issued: number;
      /**
       * What the authorized ones add up to.
       */
      authorizedTotal: string;
    }[];
  };
  /**
   * Returned or not authorized.
   */
  needsAttention: number;
  /**
   * What was issued today.
   */
  today: {
    /**
     * How many.
     */
    count: number;
    /**
     * What they charge.
     */
    total: string;
  };
  /**
   * The last thirty days, oldest first and today last.
   *
   * Items: A day.
   */
  daily: {
    /**
     * The day.
     */
    date: string;
    /**
     * How many were issued.
     */
    count: number;
    /**
     * What they charge.
     */
    total: string;
  }[];
  /**
   * How many were selected.
   */
  total: number;
  /**
   * The selected ones by status.
   */
  byStatus: {
    /**
     * How many.
     *
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^(.*)$".
     */
    [k: string]: number | undefined;
  };
  /**
   * The selected ones by type.
   */
  byDocumentType: {
    /**
     * A type.
     *
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^(.*)$".
     */
    [k: string]:
      | {
          /**
           * How many.
           */
          count: number;
          /**
           * What the authorized ones add up to.
           */
          total: string;
        }
      | undefined;
  };
  /**
   * What the authorized ones charge.
   */
  authorizedTotal: string;
  /**
   * What the authorized credit notes give back.
   */
  creditedTotal: string;
  /**
   * The quota of the account.
   */
  quota: {
    /**
     * Documents issued in the period.
     */
    documentCount: number;
    /**
     * Documents the plan allows.
     */
    documentQuota: number;
    /**
     * When the period began.
     */
    periodStart: string;
    /**
     * When it ends.
     */
    periodEnd: string;
  };
}
/**
 * A document with the body it was made from.
 */
export interface DocumentWithPayload {
  /**
   * Access key (clave de acceso).
   */
  accessKey: string;
  /**
   * 01 invoice, 04 credit note.
   */
  documentType: '01' | '04';
  /**
   * Number of the document at its issue point.
   */
  sequential: string;
  /**
   * Where the document stands.
   */
  status: 'SIGNED' | 'PENDING_SEND' | 'RECEIVED' | 'RETURNED' | 'AUTHORIZED' | 'NOT_AUTHORIZED' | 'VOIDED';
  /**
   * Day of issue.
   */
  issueDate: string;
  /**
   * Total with taxes.
   */
  total: string;
  counterparty: Counterparty;
  /**
   * The number the SRI authorized it under.
   */
  authorizationNumber?: string;
  /**
   * The SRI's own moment of authorization.
   */
  authorizationDate?: string;
  /**
   * The mail to the buyer.
   */
  email: {
    /**
     * Where it stands.
     */
    status: 'PENDING' | 'SENT' | 'DELIVERED' | 'FAILED' | 'COMPLAINED' | 'SKIPPED';
    /**
     * When it was handed over.
     */
    sentAt?: string;
    /**
     * Why it could not be sent.
     */
    error?: string;
  };
  dispatch?: Dispatch;
  /**
   * The creation body as it came.
   */
  requestPayload?: {
    [k: string]: unknown | undefined;
  };
}
/**
 * What the SRI answered to one attempt.
 */
export interface SriResponse {
  /**
   * What was asked of it.
   */
  operationType: 'RECEPTION' | 'AUTHORIZATION';
  /**
   * The SRI's own status, or HTTP_<code> when no usable answer came.
   */
  status: string;
  /**
   * The messages; null when no answer came.
   */
  messages: SriMessage[] | null;
  /**
   * An entry for each message, in their order.
   */
  advice?: SriAdvice[];
  /**
   * When it was answered.
   */
  createdAt: string;
}
/**
 * A message of the SRI, as it came.
 */
export interface SriMessage {
  /**
   * Its code.
   */
  identifier: string;
  /**
   * Its text.
   */
  message: string;
  /**
   * What it adds.
   */
  additionalInfo: string | null;
  /**
   * ERROR, ADVERTENCIA or INFORMATIVO.
   */
  type: string;
}
/**
 * What is to be made of one message of the SRI, in plain words.
 */
export interface SriAdvice {
  /**
   * The message's code, as the SRI sent it.
   */
  identifier: string;
  /**
   * What happened.
   */
  meaning: string;
  /**
   * What to do about it.
   */
  action: string;
  /**
   * Who has to act; null for a code that is not known here.
   */
  who: 'ISSUER' | 'SOFTWARE' | 'SRI' | 'NOBODY' | null;
  /**
   * Whether sending the same bytes again can cure it.
   */
  resend: boolean;
  /**
   * Whether the corrected document keeps its access key and number; null for a code that is not known here.
   */
  sameKey: boolean | null;
}
/**
 * Something that happened to a document.
 */
export interface DocumentEvent {
  /**
   * Id of the event.
   */
  id: string;
  /**
   * What happened.
   */
  eventType: string;
  /**
   * With ERROR: SEND or AUTHORIZE.
   */
  operation?: {
    [k: string]: unknown | undefined;
  };
  /**
   * With ERROR: what failed.
   */
  message?: {
    [k: string]: unknown | undefined;
  };
  /**
   * Its status before.
   */
  fromStatus: 'SIGNED' | 'PENDING_SEND' | 'RECEIVED' | 'RETURNED' | 'AUTHORIZED' | 'NOT_AUTHORIZED' | 'VOIDED' | null;
  /**
   * Its status after.
   */
  toStatus: 'SIGNED' | 'PENDING_SEND' | 'RECEIVED' | 'RETURNED' | 'AUTHORIZED' | 'NOT_AUTHORIZED' | 'VOIDED' | null;
  /**
   * What else is known of it.
   */
  detail: {
    [k: string]: unknown | undefined;
  } | null;
  /**
   * When.
   */
  createdAt: string;
}
/**
 * A document that was marked as voided.
 */
export interface VoidedDocument {
  /**
   * Access key (clave de acceso).
   */
  accessKey: string;
  /**
   * 01 invoice, 04 credit note.
   */
  documentType: '01' | '04';
  /**
   * Number of the document at its issue point.
   */
  sequential: string;
  /**
   * Where the document stands.
   */
  status: 'SIGNED' | 'PENDING_SEND' | 'RECEIVED' | 'RETURNED' | 'AUTHORIZED' | 'NOT_AUTHORIZED' | 'VOIDED';
  /**
   * Day of issue.
   */
  issueDate: string;
  /**
   * Total with taxes.
   */
  total: string;
  counterparty: Counterparty;
  /**
   * The number the SRI authorized it under.
   */
  authorizationNumber?: string;
  /**
   * The SRI's own moment of authorization.
   */
  authorizationDate?: string;
  /**
   * The mail to the buyer.
   */
  email: {
    /**
     * Where it stands.
     */
    status: 'PENDING' | 'SENT' | 'DELIVERED' | 'FAILED' | 'COMPLAINED' | 'SKIPPED';
    /**
     * When it was handed over.
     */
    sentAt?: string;
    /**
     * Why it could not be sent.
     */
    error?: string;
  };
  dispatch?: Dispatch;
  /**
   * The buyer.
   */
  buyer: {
    /**
     * Identification number.
     */
    id: string;
    /**
     * Type of identification.
     */
    idType: string;
    /**
     * Name.
     */
    name: string;
    /**
     * Address.
     */
    email: string;
  };
  /**
   * Why it was voided.
   */
  voidReason?: string;
  /**
   * When it was voided here.
   */
  voidedAt?: string;
}
/**
 * Something the account is told.
 */
export interface Notification {
  /**
   * Id, in the order in which notifications are made.
   */
  id: string;
  /**
   * What it is about.
   */
  type:
    | 'DOCUMENT_AUTHORIZED'
    | 'CERT_EXPIRING'
    | 'CERT_EXPIRED'
    | 'PAYMENT_VERIFIED'
    | 'PAYMENT_REJECTED'
    | 'SUBSCRIPTION_RENEWAL_DUE'
    | 'SUBSCRIPTION_PAST_DUE_WARNING'
    | 'SUBSCRIPTION_EXPIRED'
    | 'PRICE_CHANGE_ANNOUNCED'
    | 'DOCUMENT_RETURNED'
    | 'DOCUMENT_NOT_AUTHORIZED'
    | 'SRI_SUBMISSION_FAILED'
    | 'EMAIL_DELIVERY_FAILED'
    | 'QUOTA_WARNING';
  /**
   * How urgent it is.
   */
  severity: 'INFO' | 'WARNING' | 'ERROR';
  /**
   * For people, in the language of the account.
   */
  title: string;
  /**
   * For people, in the language of the account.
   */
  message: string;
  /**
   * What it is about, for programs.
   */
  metadata: {
    [k: string]: unknown | undefined;
  } | null;
  /**
   * The issuer it is about; null for the whole account.
   */
  issuerId: string | null;
  /**
   * When it was read.
   */
  readAt: string | null;
  /**
   * From when on it is hidden; null for never.
   */
  expiresAt: string | null;
  /**
   * When it was made.
   */
  createdAt: string;
}
/**
 * Whether a type reaches people on a channel.
 */
export interface NotificationPreference {
  /**
   * The type.
   */
  type:
    | 'DOCUMENT_AUTHORIZED'
    | 'CERT_EXPIRING'
    | 'CERT_EXPIRED'
    | 'PAYMENT_VERIFIED'
    | 'PAYMENT_REJECTED'
    | 'SUBSCRIPTION_RENEWAL_DUE'
    | 'SUBSCRIPTION_PAST_DUE_WARNING'
    | 'SUBSCRIPTION_EXPIRED'
    | 'PRICE_CHANGE_ANNOUNCED'
    | 'DOCUMENT_RETURNED'
    | 'DOCUMENT_NOT_AUTHORIZED'
    | 'SRI_SUBMISSION_FAILED'
    | 'EMAIL_DELIVERY_FAILED'
    | 'QUOTA_WARNING';
  /**
   * The channel.
   */
  channel: 'IN_APP' | 'EMAIL';
  /**
   * Whether it does.
   */
  enabled: boolean;
}
/**
 * An address the account is told at.
 */
export interface WebhookEndpoint {
  /**
   * Id of the endpoint.
   */
  id: string;
  /**
   * Its address.
   */
  url: string;
  /**
   * What it is told; empty for everything.
   *
   * Items: A type.
   */
  eventTypes: (
    | 'DOCUMENT_AUTHORIZED'
    | 'CERT_EXPIRING'
    | 'CERT_EXPIRED'
    | 'DOCUMENT_RETURNED'
    | 'DOCUMENT_NOT_AUTHORIZED'
    | 'SRI_SUBMISSION_FAILED'
    | 'EMAIL_DELIVERY_FAILED'
    | 'QUOTA_WARNING'
  )[];
  /**
   * Whether it is told anything.
   */
  active: boolean;
  /**
   * When it was registered.
   */
  createdAt: string;
  /**
   * When it was changed last.
   */
  updatedAt: string;
}
/**
 * A message on its way to an endpoint.
 */
export interface WebhookDelivery {
  /**
   * Id of the delivery, the same on every attempt.
   */
  id: string;
  /**
   * What it tells.
   */
  event: string;
  /**
   * The notification it tells; null for a test.
   */
  notificationId: string | null;
  /**
   * How it stands.
   */
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  /**
   * Attempts so far.
   */
  attemptCount: number;
  /**
   * When the next attempt is due.
   */
  nextAttemptAt: string | null;
  /**
   * What the receiver answered last.
   */
  lastStatusCode: number | null;
  /**
   * What failed last.
   */
  lastError: string | null;
  /**
   * When it was made.
   */
  createdAt: string;
  /**
   * When it was acknowledged.
   */
  deliveredAt: string | null;
}
/**
 * A code of a table of the SRI.
 */
export interface CatalogCode {
  /**
   * The code.
   */
  code: string;
  /**
   * A short name.
   */
  shortName?: string;
  /**
   * What it means, in the language of the answer.
   */
  description: string;
  /**
   * The first day it holds.
   */
  validFrom?: string;
  /**
   * The last day it holds.
   */
  validTo?: string;
}
/**
 * A rate of a tax.
 */
export interface TaxRate {
  /**
   * The tax.
   */
  taxCode: string;
  /**
   * The rate.
   */
  rateCode: string;
  /**
   * What it means, in the language of the answer.
   */
  description: string;
  /**
   * Percentage, or dollars a unit where `basis` says so; null where one has to know it.
   */
  rate: string | null;
  /**
   * What it is a rate of.
   */
  basis: 'value' | 'unit' | 'mixed';
  /**
   * The first day it holds.
   */
  validFrom?: string;
  /**
   * The last day it holds.
   */
  validTo?: string;
}
/**
 * What a plan allows and costs.
 */
export interface Tier {
  /**
   * The plan.
   */
  name: 'FREE' | 'STARTER' | 'GROWTH' | 'BUSINESS';
  /**
   * Documents in a period.
   */
  documentQuota: number;
  /**
   * Branches. Null for any number.
   */
  maxBranches: number | null;
  /**
   * Issue points of a branch. Null for any number.
   */
  maxIssuePointsPerBranch: number | null;
  /**
   * Webhooks.
   */
  maxWebhookEndpoints: number;
  /**
   * Keys.
   */
  maxApiKeys: number;
  /**
   * Writes of a key in a minute.
   */
  writeRateLimit: number;
  /**
   * Reads of a key in a minute.
   */
  readRateLimit: number;
  /**
   * Document types.
   *
   * Items: A type.
   */
  allowedDocumentTypes: ('01' | '04')[];
  /**
   * How it can be paid.
   *
   * Items: An interval.
   */
  billingIntervals: ('MONTHLY' | 'YEARLY')[];
  /**
   * IVA as a fraction of the price.
   */
  ivaRate: number;
  /**
   * A month before IVA. In dollars; null where it is not offered.
   */
  priceMonthlyUsdBase: number | null;
  /**
   * The IVA of a month. In dollars; null where it is not offered.
   */
  priceMonthlyUsdIva: number | null;
  /**
   * A month with IVA. In dollars; null where it is not offered.
   */
  priceMonthlyUsd: number | null;
  /**
   * A year before IVA. In dollars; null where it is not offered.
   */
  priceYearlyUsdBase: number | null;
  /**
   * The IVA of a year. In dollars; null where it is not offered.
   */
  priceYearlyUsdIva: number | null;
  /**
   * A year with IVA. In dollars; null where it is not offered.
   */
  priceYearlyUsd: number | null;
  /**
   * A month with IVA, once the announced price holds. In dollars; null where it is not offered.
   */
  upcomingPriceMonthlyUsd: number | null;
  /**
   * From when it holds.
   */
  monthlyPriceEffectiveAt: string | null;
  /**
   * A year with IVA, once the announced price holds. In dollars; null where it is not offered.
   */
  upcomingPriceYearlyUsd: number | null;
  /**
   * From when it holds.
   */
  yearlyPriceEffectiveAt: string | null;
  /**
   * A document beyond the quota. In dollars; null where it is not offered.
   */
  overagePerDocumentUsd: number | null;
  /**
   * Ids of published prices.
   */
  tierPriceIds: {
    /**
     * Of a month.
     */
    MONTHLY: string | null;
    /**
     * Of a year.
     */
    YEARLY: string | null;
  };
}
/**
 * A subscription with its payments.
 */
export interface SubscriptionWithPayments {
  /**
   * Id of the subscription.
   */
  id: string;
  /**
   * Id of the account.
   */
  tenantId: string;
  /**
   * The plan.
   */
  tier: 'FREE' | 'STARTER' | 'GROWTH' | 'BUSINESS';
  /**
   * How often it is paid.
   */
  billingInterval: 'MONTHLY' | 'YEARLY';
  /**
   * How it stands.
   */
  status: 'PENDING_PAYMENT' | 'ACTIVE' | 'CANCELLED' | 'EXPIRED';
  /**
   * When the period began.
   */
  currentPeriodStart: string | null;
  /**
   * Until when it is paid.
   */
  currentPeriodEnd: string | null;
  /**
   * The plan that follows.
   */
  pendingTier: 'FREE' | 'STARTER' | 'GROWTH' | 'BUSINESS' | null;
  /**
   * How often it is paid then.
   */
  pendingBillingInterval: 'MONTHLY' | 'YEARLY' | null;
  /**
   * Further seats.
   */
  extraSeats: number;
  /**
   * Further seats then.
   */
  pendingExtraSeats: number | null;
  /**
   * The invoice of its first payment, where it is a document of this server.
   */
  initialInvoiceDocumentId: string | null;
  /**
   * When it was started.
   */
  createdAt: string;
  /**
   * When it last changed.
   */
  updatedAt: string;
  /**
   * When it was cancelled.
   */
  canceledAt: string | null;
  /**
   * Its payments, newest first.
   */
  payments: Payment[];
  /**
   * Id of the account.
   */
  tenant_id: string;
  /**
   * How often it is paid.
   */
  billing_interval: 'MONTHLY' | 'YEARLY';
  /**
   * When the period began.
   */
  current_period_start: string | null;
  /**
   * Until when it is paid.
   */
  current_period_end: string | null;
  /**
   * The plan that follows.
   */
  pending_tier: 'FREE' | 'STARTER' | 'GROWTH' | 'BUSINESS' | null;
  /**
   * How often it is paid then.
   */
  pending_billing_interval: 'MONTHLY' | 'YEARLY' | null;
  /**
   * Further seats.
   */
  extra_seats: number;
  /**
   * Further seats then.
   */
  pending_extra_seats: number | null;
  /**
   * The invoice of its first payment, where it is a document of this server.
   */
  initial_invoice_document_id: string | null;
  /**
   * When it was started.
   */
  created_at: string;
  /**
   * When it last changed.
   */
  updated_at: string;
  /**
   * When it was cancelled.
   */
  canceled_at: string | null;
}
/**
 * A bank transfer that is due, on its way or done.
 */
export interface Payment {
  /**
   * Id of the payment.
   */
  id: string;
  /**
   * Id of the subscription.
   */
  subscriptionId: string;
  /**
   * What it is for.
   */
  purpose: 'INITIAL' | 'TIER_CHANGE' | 'RENEWAL';
  /**
   * How it stands.
   */
  status: 'PENDING' | 'REPORTED' | 'VERIFIED' | 'REJECTED' | 'REFUNDED' | 'CANCELLED';
  /**
   * A transfer between banks.
   */
  method: 'SPI_TRANSFER';
  /**
   * To be written on the transfer.
   */
  paymentCode: string;
  /**
   * Before IVA.
   */
  amount: string;
  /**
   * A fraction of the amount.
   */
  ivaRate: string;
  /**
   * The IVA.
   */
  ivaAmount: string;
  /**
   * What is transferred.
   */
  totalAmount: string;
  /**
   * The plan that follows; null for a first payment, which changes none.
   */
  targetTier: 'FREE' | 'STARTER' | 'GROWTH' | 'BUSINESS' | null;
  /**
   * How often it is paid.
   */
  targetBillingInterval: 'MONTHLY' | 'YEARLY';
  /**
   * The further seats it pays.
   */
  targetExtraSeats: number;
  /**
   * Why it was not accepted.
   */
  rejectionReasonCode:
    | 'AMOUNT_MISMATCH'
    | 'TRANSFER_NOT_FOUND'
    | 'WRONG_ACCOUNT'
    | 'ILLEGIBLE_PROOF'
    | 'DUPLICATE_SUBMISSION'
    | 'OTHER'
    | null;
  /**
   * Until when it is to be paid.
   */
  dueAt: string;
  /**
   * When it was reported.
   */
  reportedAt: string | null;
  /**
   * When it was verified.
   */
  verifiedAt: string | null;
  /**
   * Where the period that it paid begins; null until it is verified.
   */
  periodStart: string | null;
  /**
   * Where that period ends.
   */
  periodEnd: string | null;
  /**
   * Its invoice, where it is a document of this server.
   */
  invoiceDocumentId: string | null;
  /**
   * When it was asked for.
   */
  createdAt: string;
  /**
   * When it last changed.
   */
  updatedAt: string;
  /**
   * Id of the subscription.
   */
  subscription_id: string;
  /**
   * To be written on the transfer.
   */
  payment_code: string;
  /**
   * A fraction of the amount.
   */
  iva_rate: string;
  /**
   * The IVA.
   */
  iva_amount: string;
  /**
   * What is transferred.
   */
  total_amount: string;
  /**
   * The plan that follows; null for a first payment, which changes none.
   */
  target_tier: 'FREE' | 'STARTER' | 'GROWTH' | 'BUSINESS' | null;
  /**
   * How often it is paid.
   */
  target_billing_interval: 'MONTHLY' | 'YEARLY';
  /**
   * The further seats it pays.
   */
  target_extra_seats: number;
  /**
   * Why it was not accepted.
   */
  rejection_reason_code:
    | 'AMOUNT_MISMATCH'
    | 'TRANSFER_NOT_FOUND'
    | 'WRONG_ACCOUNT'
    | 'ILLEGIBLE_PROOF'
    | 'DUPLICATE_SUBMISSION'
    | 'OTHER'
    | null;
  /**
   * Until when it is to be paid.
   */
  due_at: string;
  /**
   * When it was reported.
   */
  reported_at: string | null;
  /**
   * When it was verified.
   */
  verified_at: string | null;
  /**
   * Where the period that it paid begins; null until it is verified.
   */
  period_start: string | null;
  /**
   * Where that period ends.
   */
  period_end: string | null;
  /**
   * Its invoice, where it is a document of this server.
   */
  invoice_document_id: string | null;
  /**
   * When it was asked for.
   */
  created_at: string;
  /**
   * When it last changed.
   */
  updated_at: string;
}
/**
 * What an account pays for.
 */
export interface Subscription {
  /**
   * Id of the subscription.
   */
  id: string;
  /**
   * Id of the account.
   */
  tenantId: string;
  /**
   * The plan.
   */
  tier: 'FREE' | 'STARTER' | 'GROWTH' | 'BUSINESS';
  /**
   * How often it is paid.
   */
  billingInterval: 'MONTHLY' | 'YEARLY';
  /**
   * How it stands.
   */
  status: 'PENDING_PAYMENT' | 'ACTIVE' | 'CANCELLED' | 'EXPIRED';
  /**
   * When the period began.
   */
  currentPeriodStart: string | null;
  /**
   * Until when it is paid.
   */
  currentPeriodEnd: string | null;
  /**
   * The plan that follows.
   */
  pendingTier: 'FREE' | 'STARTER' | 'GROWTH' | 'BUSINESS' | null;
  /**
   * How often it is paid then.
   */
  pendingBillingInterval: 'MONTHLY' | 'YEARLY' | null;
  /**
   * Further seats.
   */
  extraSeats: number;
  /**
   * Further seats then.
   */
  pendingExtraSeats: number | null;
  /**
   * The invoice of its first payment, where it is a document of this server.
   */
  initialInvoiceDocumentId: string | null;
  /**
   * When it was started.
   */
  createdAt: string;
  /**
   * When it last changed.
   */
  updatedAt: string;
  /**
   * When it was cancelled.
   */
  canceledAt: string | null;
  /**
   * Id of the account.
   */
  tenant_id: string;
  /**
   * How often it is paid.
   */
  billing_interval: 'MONTHLY' | 'YEARLY';
  /**
   * When the period began.
   */
  current_period_start: string | null;
  /**
   * Until when it is paid.
   */
  current_period_end: string | null;
  /**
   * The plan that follows.
   */
  pending_tier: 'FREE' | 'STARTER' | 'GROWTH' | 'BUSINESS' | null;
  /**
   * How often it is paid then.
   */
  pending_billing_interval: 'MONTHLY' | 'YEARLY' | null;
  /**
   * Further seats.
   */
  extra_seats: number;
  /**
   * Further seats then.
   */
  pending_extra_seats: number | null;
  /**
   * The invoice of its first payment, where it is a document of this server.
   */
  initial_invoice_document_id: string | null;
  /**
   * When it was started.
   */
  created_at: string;
  /**
   * When it last changed.
   */
  updated_at: string;
  /**
   * When it was cancelled.
   */
  canceled_at: string | null;
}
/**
 * A proof of a transfer, without its content.
 */
export interface PaymentProof {
  /**
   * Id of the proof.
   */
  id: string;
  /**
   * Name of the file.
   */
  filename: string;
  /**
   * Its type.
   */
  mimeType: string;
  /**
   * Number of the transfer.
   */
  referenceNumber: string;
  /**
   * Whether it counts.
   */
  active: boolean;
  /**
   * When it was sent.
   */
  createdAt: string;
  /**
   * Its size.
   */
  sizeBytes: number;
  /**
   * SHA-256 of its content, hex.
   */
  sha256: string;
}

/** Where every operation is: its method, its path, and whether it is for one issuer. */
export const ENDPOINTS = {
  register: ['POST', '/v1/register', false],
  recover: ['POST', '/v1/recover', false],
  resendVerification: ['POST', '/v1/resend-verification', false],
  checkRecoveryUndo: ['GET', '/v1/recover/undo', false],
  undoRecovery: ['POST', '/v1/recover/undo', false],
  checkVerification: ['GET', '/v1/verify-email/check', false],
  verifyEmail: ['POST', '/v1/verify-email', false],
  verifyEmailByLink: ['GET', '/v1/verify-email', false],
  getTenant: ['GET', '/v1/tenants/me', false],
  listTenantEvents: ['GET', '/v1/tenants/events', false],
  setLanguage: ['PATCH', '/v1/tenants/language', false],
  getAgreementStanding: ['GET', '/v1/tenants/agreements', false],
  listAgreementCopies: ['GET', '/v1/tenants/agreements/history', false],
  getAgreementCopy: ['GET', '/v1/tenants/agreements/{type}', false],
  retryFailedDocuments: ['POST', '/v1/tenants/retry-failed-documents', false],
  listPublishedAgreements: ['GET', '/v1/agreements', false],
  getPublishedAgreement: ['GET', '/v1/agreements/{type}', false],
  listIssuers: ['GET', '/v1/issuers', false],
  createIssuer: ['POST', '/v1/issuers', false],
  getIssuer: ['GET', '/v1/issuers/{id}', false],
  updateIssuer: ['PATCH', '/v1/issuers/{id}', false],
  deleteIssuer: ['DELETE', '/v1/issuers/{id}', false],
  activateIssuer: ['PATCH', '/v1/issuers/{id}/activate', false],
  setCanIssue: ['PATCH', '/v1/issuers/{id}/can-issue', false],
  setLogo: ['PATCH', '/v1/issuers/{id}/logo', false],
  renewCertificate: ['PATCH', '/v1/issuers/{id}/certificate', false],
  listDocumentTypes: ['GET', '/v1/issuers/{id}/document-types', false],
  enableDocumentType: ['POST', '/v1/issuers/{id}/document-types', false],
  disableDocumentType: ['DELETE', '/v1/issuers/{id}/document-types/{code}', false],
  listSequentials: ['GET', '/v1/issuers/{id}/sequentials', false],
  setNextSequential: ['PATCH', '/v1/issuers/{id}/sequentials/{documentType}', false],
  listKeys: ['GET', '/v1/keys', false],
  createKey: ['POST', '/v1/keys', false],
  revokeKey: ['DELETE', '/v1/keys/{id}', false],
  getKeyUsage: ['GET', '/v1/keys/{id}/usage', false],
  createDocument: ['POST', '/v1/documents', true],
  listDocuments: ['GET', '/v1/documents', true],
  getDocumentStats: ['GET', '/v1/documents/stats', true],
  getDocument: ['GET', '/v1/documents/{accessKey}', true],
  sendDocument: ['POST', '/v1/documents/{accessKey}/send', true],
  authorizeDocument: ['GET', '/v1/documents/{accessKey}/authorize', true],
  listSriResponses: ['GET', '/v1/documents/{accessKey}/sri-responses', true],
  downloadRide: ['GET', '/v1/documents/{accessKey}/ride', true],
  downloadXml: ['GET', '/v1/documents/{accessKey}/xml', true],
  listDocumentEvents: ['GET', '/v1/documents/{accessKey}/events', true],
  retryDocument: ['POST', '/v1/documents/{accessKey}/send/retry', true],
  rebuildDocument: ['POST', '/v1/documents/{accessKey}/rebuild', true],
  voidDocument: ['POST', '/v1/documents/{accessKey}/void', true],
  listCreditNotes: ['GET', '/v1/documents/{accessKey}/credit-notes', true],
  retryEmails: ['POST', '/v1/documents/email-retry', true],
  retryDocumentEmail: ['POST', '/v1/documents/{accessKey}/email-retry', true],
  listNotifications: ['GET', '/v1/notifications', false],
  readNotification: ['POST', '/v1/notifications/{id}/read', false],
  getPreferences: ['GET', '/v1/notifications/preferences', false],
  setPreferences: ['PATCH', '/v1/notifications/preferences', false],
  createWebhook: ['POST', '/v1/webhooks', false],
  listWebhooks: ['GET', '/v1/webhooks', false],
  updateWebhook: ['PATCH', '/v1/webhooks/{id}', false],
  deleteWebhook: ['DELETE', '/v1/webhooks/{id}', false],
  listDeliveries: ['GET', '/v1/webhooks/{id}/deliveries', false],
  redeliver: ['POST', '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', false],
  testWebhook: ['POST', '/v1/webhooks/{id}/test', false],
  rotateWebhookSecret: ['POST', '/v1/webhooks/{id}/rotate-secret', false],
  listCatalogs: ['GET', '/v1/catalogs', false],
  getCatalog: ['GET', '/v1/catalogs/{name}', false],
  listTiers: ['GET', '/v1/tiers', false],
  getSubscriptions: ['GET', '/v1/subscriptions/me', false],
  listProofs: ['GET', '/v1/payments/{id}/proofs', false],
  downloadProof: ['GET', '/v1/payments/{id}/proofs/{proofId}', false],
} as const satisfies Readonly<Record<keyof Operations, readonly [method: string, path: string, issuer: boolean]>>;
