import { prepareSignature, type SigningOptions } from './prepare-signature.js';
import type { Signer } from './signer.js';
import { signPrepared } from './xades.js';

/**
 * Signs a comprobante that other software wrote: the signature goes in as the last child of the root, and the rest of the
 * text stays as it is, whatever its line ends, comments, CDATA sections or empty elements.
 *
 * @param xml the whole file as text; it must declare UTF-8 or nothing. The result is to be stored as UTF-8.
 * @throws XmlError when it is not well-formed XML, has a DOCTYPE or relative namespaces; XmlNotSignableError when it is
 * signed already, its root lacks id="comprobante", an id occurs twice, or another encoding is declared; SignatureError.
 */
export async function signXml(xml: string, signer: Signer, options: SigningOptions): Promise<string> {
  // Loaded when first needed: who signs only what this library wrote needs no XML parser.
  const { readForeignXml } = await import('./foreign-xml.js');
  return signPrepared(prepareSignature(readForeignXml(xml), signer.certificate, options), signer);
}
