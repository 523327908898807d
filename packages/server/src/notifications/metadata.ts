// The SRI authorizes a document under its access key. Stored twice, that number would be a third of the data per
// document.

type Metadata = Readonly<Record<string, unknown>>;

/** The stored form of metadata: without authorization numbers that equal the access key. */
export function packMetadata(metadata: Metadata): Metadata {
  return withDocuments(metadata, ({ authorizationNumber, ...document }) =>
    authorizationNumber === document['accessKey'] ? document : { ...document, authorizationNumber },
  );
}

/** Reverses `packMetadata`. */
export function unpackMetadata(kept: Metadata): Metadata {
  return withDocuments(kept, (document) =>
    'authorizationNumber' in document ? document : { ...document, authorizationNumber: document['accessKey'] },
  );
}

// --- internal ---

function withDocuments(metadata: Metadata, change: (document: Metadata) => Metadata): Metadata {
  const { documents } = metadata;
  return Array.isArray(documents) ? { ...metadata, documents: documents.map(change) } : metadata;
}
