import { requireXmlText } from '../xml/xml-text.js';
import { prepareSignature, type SigningOptions } from './prepare-signature.js';
import { requireSigner } from './require-signer.js';
import type { Signer } from './signer.js';
import { signPrepared } from './xades.js';

/**
 * Signs a comprobante of other software. The signature becomes the last child of the root, and the rest of the text stays
 * unchanged: line ends, comments, CDATA sections and empty elements.
 *
 * @param xml the whole file as text; it must declare UTF-8 or no encoding. Store the result as UTF-8.
 * @throws XmlError when it is not well-formed XML, has a DOCTYPE or relative namespaces; XmlNotSignableError when it is
 * already signed, its root lacks id="comprobante", an id occurs twice, or another encoding is declared; SignatureError;
 * TypeError when `xml` is not a text, without a `signer` or a `signingTime`, or for a misspelt option.
 */
export async function signXml(xml: string, signer: Signer, options: SigningOptions): Promise<string> {
  requireXmlText(xml);
  requireSigner(signer, 'signer');
  // Loaded on first use: a program that signs only this library's documents needs no XML parser.
  const { readForeignXml } = await import('./foreign-xml.js');
  return signPrepared(prepareSignature(readForeignXml(xml), signer.certificate, options), signer);
}
