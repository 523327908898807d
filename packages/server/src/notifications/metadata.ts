// The SRI authorizes a document under its access key. Kept twice, that number would be a third of what is kept of each
// document that a notification names.

type Metadata = Readonly<Record<string, unknown>>;

/** Metadata as it is kept: without the numbers of authorizations that are the access keys beside them. */
export function packMetadata(metadata: Metadata): Metadata {
  return withDocuments(metadata, ({ authorizationNumber, ...document }) =>
    authorizationNumber === undefined || authorizationNumber === document['accessKey']
      ? document
      : { ...document, authorizationNumber },
  );
}

/** What was given to `packMetadata`, or was kept whole by an earlier version. */
export function unpackMetadata(kept: Metadata): Metadata {
  return withDocuments(kept, (document) =>
    'accessKey' in document && !('authorizationNumber' in document)
      ? { ...document, authorizationNumber: document['accessKey'] }
      : document,
  );
}

// --- internal ---

function withDocuments(metadata: Metadata, change: (document: Metadata) => Metadata): Metadata {
  const { documents } = metadata;
  return Array.isArray(documents) ? { ...metadata, documents: documents.map(change) } : metadata;
}
