import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFiles } from './xml-tools.js';

/**
 * Verifies signed documents with Java's XML Signature, the closest available match to the SRI's validator.
 *
 * @returns Java's verdict on each, `true` when its signature value and every digest are right.
 */
export function javaVerdicts(documents: readonly string[], certificatePem: string): readonly string[] {
  return withFiles(documents, (files, directory) => {
    const program = join(directory, 'Judge.java');
    writeFileSync(program, SOURCE);
    const certificate = join(directory, 'certificate.pem');
    writeFileSync(certificate, certificatePem);
    return execFileSync('java', [program, certificate, ...files], { stdio: 'pipe' })
      .toString()
      .trimEnd()
      .split(/\r?\n/);
  });
}

// --- internal ---

/** Secure validation is off because it rejects SHA-1, which the SRI requires. */
const SOURCE = `
import java.io.*;
import java.security.cert.*;
import javax.xml.crypto.dsig.*;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import javax.xml.parsers.*;
import org.w3c.dom.*;

public class Judge {
  public static void main(String[] files) throws Exception {
    CertificateFactory certificates = CertificateFactory.getInstance("X.509");
    Certificate certificate = certificates.generateCertificate(new FileInputStream(files[0]));
    for (int index = 1; index < files.length; index++) {
      String verdict;
      try {
        verdict = String.valueOf(verify(new File(files[index]), certificate));
      } catch (Exception failure) {
        verdict = failure.toString().replaceAll("\\\\s+", " ");
      }
      System.out.println(verdict);
    }
  }

  static boolean verify(File file, Certificate certificate) throws Exception {
    DocumentBuilderFactory parsers = DocumentBuilderFactory.newInstance();
    parsers.setNamespaceAware(true);
    Document document = parsers.newDocumentBuilder().parse(file);
    Node signature = document.getElementsByTagNameNS(XMLSignature.XMLNS, "Signature").item(0);
    DOMValidateContext context = new DOMValidateContext(certificate.getPublicKey(), signature);
    context.setProperty("org.jcp.xml.dsig.secureValidation", Boolean.FALSE);
    NodeList elements = document.getElementsByTagNameNS("*", "*");
    for (int index = 0; index < elements.getLength(); index++) {
      Element element = (Element) elements.item(index);
      for (String name : new String[] {"id", "Id"}) {
        if (element.hasAttributeNS(null, name)) context.setIdAttributeNS(element, null, name);
      }
    }
    return XMLSignatureFactory.getInstance("DOM").unmarshalXMLSignature(context).validate(context);
  }
}
`;
