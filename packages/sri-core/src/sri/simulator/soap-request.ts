import { XmlError } from '../../errors.js';
import { child, readXml, type XmlElement } from '../../xml/reader.js';
import { SOAP_NAMESPACE, type SoapOperation } from '../soap.js';

/** A parsed request, or its fault. */
export type SoapRequestReading =
  | { readonly kind: 'argument'; readonly argument: string | null }
  | { readonly kind: 'fault'; readonly code: 'Client' | 'VersionMismatch'; readonly text: string };

/** Longer requests are not read: a comprobante has at most 320 KB, which is 427 KB in base64. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;

/**
 * Reads an envelope as the SRI's server does: SOAP 1.1, the operation in the service's namespace, its argument without a
 * namespace.
 */
export function readSoapRequest(text: string, operation: SoapOperation): SoapRequestReading {
  let root: XmlElement;
  try {
    root = readXml(text, { maxBytes: MAX_REQUEST_BYTES });
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return fault(`Error reading XMLStreamReader: ${error.message}`);
  }
  if (root.name !== 'Envelope') return fault(`"${root.name}" is not a valid SOAP envelope.`);
  if (root.namespace !== SOAP_NAMESPACE) {
    const text = `"${root.namespace}", the namespace on the "Envelope" element, is not a valid SOAP version.`;
    return { kind: 'fault', code: 'VersionMismatch', text };
  }
  const call = child(root, 'Body')?.children[0];
  if (!call) return fault('The SOAP body holds no operation.');
  if (call.name !== operation.name || call.namespace !== operation.namespace) {
    return fault(`Message part {${call.namespace}}${call.name} was not recognized.  (Does it exist in service WSDL?)`);
  }
  const [argument] = call.children;
  if (!argument) return { kind: 'argument', argument: null };
  if (argument.name !== operation.argument || argument.namespace !== '') {
    const found = `unexpected element (uri:"${argument.namespace}", local:"${argument.name}")`;
    return fault(`Unmarshalling Error: ${found}. Expected elements are <{}${operation.argument}> `);
  }
  return { kind: 'argument', argument: argument.text };
}

// --- internal ---

function fault(text: string): SoapRequestReading {
  return { kind: 'fault', code: 'Client', text };
}
