/** Terms of service, in both languages. */
export const TERMS = {
  es: `# Términos del servicio

Versión {{version}}. Ejemplar para **{{businessName}}**, RUC {{ruc}}, correo {{email}} («el cliente»), generado el {{date}}.

## 1. Objeto

Quien opera este servidor («el operador») pone a disposición del cliente un servicio para crear, firmar, enviar al Servicio de Rentas Internas (SRI) y conservar comprobantes electrónicos. Estos términos rigen su uso.

## 2. La cuenta

1. El cliente garantiza que los datos con que se registra son verdaderos y que está facultado para usar el certificado de firma que entrega.
2. El cliente guarda en secreto sus claves de API y responde por lo que se haga con ellas. Si sospecha que alguien más las conoce, las revoca de inmediato.
3. El ambiente de pruebas no tiene validez tributaria. El paso a producción lo pide el cliente y no se deshace.

## 3. Los comprobantes

1. El contenido de cada comprobante es decisión y responsabilidad del cliente: sujeto, conceptos, valores, tarifas e impuestos.
2. El operador transmite los comprobantes al SRI tal como fueron firmados y entrega al cliente la respuesta recibida. La autorización la decide el SRI.
3. Si el SRI no responde, el servicio reintenta de forma automática y muestra el estado de cada comprobante. El operador no responde por interrupciones del SRI, de los proveedores de certificados o de las redes.
4. Anular un comprobante en el servicio no lo anula ante el SRI: el cliente hace ese trámite por los canales del SRI.

## 4. La firma electrónica

El cliente autoriza al operador a usar su certificado y su clave privada únicamente para firmar los comprobantes que el propio cliente ordena. La clave se guarda cifrada y se destruye cuando el cliente la reemplaza.

## 5. Uso permitido

El cliente no usa el servicio para emitir comprobantes de operaciones inexistentes, para actos contrarios a la ley, ni de modo que impida su uso a otros. No intenta eludir los límites de su plan ni acceder a datos ajenos.

## 6. Planes y pagos

Los límites y precios de cada plan son los que el operador publica. Los cambios de precio se anuncian con al menos treinta días de anticipación. Un plan que no se renueva vuelve a los límites gratuitos; los comprobantes emitidos siguen disponibles.

## 7. Conservación y salida

El cliente puede descargar sus comprobantes (XML y RIDE) en todo momento, también con la cuenta suspendida. La obligación legal de conservarlos durante siete años es del cliente; el operador los mantiene disponibles mientras la cuenta exista.

## 8. Suspensión

El operador puede suspender la cuenta por falta de pago, fraude, incumplimiento de estos términos o pedido de autoridad competente. Una cuenta suspendida puede consultar y descargar, pero no emitir ni modificar.

## 9. Responsabilidad

El servicio se presta con diligencia profesional, sin garantía de disponibilidad ininterrumpida. Salvo dolo o culpa grave, la responsabilidad del operador se limita a lo que el cliente pagó por el servicio en los doce meses anteriores al hecho.

## 10. Cambios

Una nueva versión de estos términos se publica en el servicio y rige para el cliente cuando la acepta. Hasta entonces vale la versión aceptada.

## 11. Ley aplicable

Estos términos se rigen por las leyes de la República del Ecuador. Las controversias se someten a los jueces competentes del domicilio del operador, sin perjuicio de los derechos que la ley da al consumidor.
`,
  en: `# Terms of service

Version {{version}}. Copy for **{{businessName}}**, RUC {{ruc}}, e-mail {{email}} ("the customer"), made on {{date}}.

## 1. Purpose

The operator of this server ("the operator") offers the customer a service to create, sign, submit to Ecuador's tax authority (SRI) and keep electronic documents. These terms govern its use.

## 2. The account

1. The customer warrants that the data given at registration are true, and that they are entitled to use the signing certificate they hand over.
2. The customer keeps the API keys secret and answers for what is done with them. If somebody else may know them, the customer revokes them at once.
3. The sandbox has no fiscal validity. The customer asks for the move to production, which cannot be undone.

## 3. The documents

1. What each document says is the customer's decision and responsibility: buyer, items, amounts, rates and taxes.
2. The operator submits documents to the SRI as they were signed and hands its answer to the customer. Authorization is the SRI's decision.
3. When the SRI does not answer, the service tries again by itself and shows where each document stands. The operator does not answer for outages of the SRI, of certificate providers or of networks.
4. Voiding a document in the service does not annul it at the SRI: the customer does so through the SRI's own channels.

## 4. The electronic signature

The customer authorizes the operator to use their certificate and private key solely to sign the documents that the customer orders. The key is kept encrypted, and destroyed when the customer replaces it.

## 5. Permitted use

The customer does not use the service to issue documents of operations that did not take place, for unlawful acts, or in ways that keep others from using it. They do not try to get round the limits of their plan, or to reach the data of others.

## 6. Plans and payments

The limits and prices of each plan are those the operator publishes. Changes of price are announced at least thirty days ahead. A plan that is not renewed returns to the free limits; issued documents stay available.

## 7. Keeping and leaving

The customer can download their documents (XML and RIDE) at any time, also while the account is suspended. The legal duty to keep them for seven years is the customer's; the operator keeps them available while the account exists.

## 8. Suspension

The operator may suspend the account for lack of payment, fraud, breach of these terms, or at the request of a competent authority. A suspended account can read and download, but not issue or change anything.

## 9. Liability

The service is rendered with professional care and without a promise of uninterrupted availability. Except for wilful misconduct or gross negligence, the operator's liability is limited to what the customer paid for the service in the twelve months before the event.

## 10. Changes

A new version of these terms is published in the service and binds the customer once they accept it. Until then the accepted version holds.

## 11. Governing law

These terms are governed by the laws of the Republic of Ecuador. Disputes go to the competent courts of the operator's domicile, without prejudice to the rights the law gives to consumers. In case of doubt the Spanish text prevails.
`,
} as const;
