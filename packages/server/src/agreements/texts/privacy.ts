/** Privacy policy, in both languages. */
export const PRIVACY = {
  es: `# Política de privacidad

Versión {{version}}. Ejemplar para **{{businessName}}**, RUC {{ruc}}, correo {{email}} («el cliente»), generado el {{date}}.

## 1. Quién trata los datos

Quien opera este servidor («el operador») es responsable del tratamiento de los datos de la cuenta del cliente. De los datos que contienen los comprobantes (compradores, conceptos, valores) el responsable es el cliente; el operador los trata por su encargo, según el acuerdo de tratamiento de datos.

## 2. Qué datos y para qué

- **Cuenta**: correo, RUC, razón social, direcciones, idioma. Para prestar el servicio, identificar al cliente y comunicarse con él.
- **Certificado de firma**: certificado y clave privada, esta última cifrada. Solo para firmar lo que el cliente ordena. La contraseña del archivo no se guarda.
- **Uso**: fecha y hora de las solicitudes, clave de API empleada, dirección IP, errores. Para seguridad, límites de uso y soporte.
- **Aceptaciones**: versión y huella del texto aceptado, fecha, dirección IP, navegador y nombre de quien acepta. Como prueba de la aceptación.
- **Pagos**: comprobantes de transferencia y datos de facturación, si el cliente contrata un plan.

La base legal es la ejecución del contrato, el cumplimiento de obligaciones tributarias y el interés legítimo en la seguridad del servicio.

## 3. Con quién se comparten

Los comprobantes se envían al Servicio de Rentas Internas y, por correo, al comprador que el cliente indica. El operador puede emplear proveedores de alojamiento y de correo, obligados a la misma reserva. No se venden datos ni se usan para publicidad. Se entregan a una autoridad cuando la ley lo exige.

## 4. Cuánto tiempo

Los datos de la cuenta y los comprobantes se conservan mientras la cuenta exista y después por el tiempo que exigen las normas tributarias. Los registros técnicos se eliminan cuando dejan de ser necesarios.

## 5. Seguridad

Las claves privadas se guardan cifradas; las claves de API y los enlaces de verificación, solo como resumen criptográfico. Cada cuenta accede únicamente a sus propios datos.

## 6. Derechos

El titular puede pedir acceso, rectificación, eliminación, oposición, portabilidad y limitación, en los términos de la Ley Orgánica de Protección de Datos Personales del Ecuador, escribiendo al operador, y puede reclamar ante la autoridad de protección de datos. La eliminación no alcanza a los datos que la ley obliga a conservar.

## 7. Cambios

Una nueva versión de esta política se publica en el servicio y se presenta al cliente para su aceptación.
`,
  en: `# Privacy policy

Version {{version}}. Copy for **{{businessName}}**, RUC {{ruc}}, e-mail {{email}} ("the customer"), made on {{date}}.

## 1. Who processes the data

The operator of this server ("the operator") is the controller of the customer's account data. Of the data inside documents (buyers, items, amounts) the customer is the controller; the operator processes them on the customer's behalf, under the data processing agreement.

## 2. Which data, and what for

- **Account**: e-mail, RUC, business name, addresses, language. To render the service, identify the customer and write to them.
- **Signing certificate**: certificate and private key, the latter encrypted. Only to sign what the customer orders. The password of the file is not kept.
- **Use**: time of requests, API key used, IP address, errors. For security, limits of use and support.
- **Acceptances**: version and fingerprint of the accepted text, time, IP address, browser and name of who accepts. As evidence of the acceptance.
- **Payments**: proofs of transfer and billing data, when the customer takes a plan.

The legal basis is the performance of the contract, compliance with tax duties, and the legitimate interest in the security of the service.

## 3. With whom they are shared

Documents are submitted to the tax authority (SRI) and mailed to the buyer the customer names. The operator may use hosting and mail providers, bound to the same secrecy. Data are neither sold nor used for advertising. They are handed to an authority where the law demands it.

## 4. For how long

Account data and documents are kept while the account exists, and afterwards for as long as tax rules demand. Technical records are deleted once they are not needed any more.

## 5. Security

Private keys are kept encrypted; API keys and verification links only as cryptographic digests. Each account reaches its own data only.

## 6. Rights

Data subjects may ask for access, rectification, erasure, objection, portability and restriction under Ecuador's Organic Law on the Protection of Personal Data by writing to the operator, and may complain to the data protection authority. Erasure does not extend to data the law demands to keep.

## 7. Changes

A new version of this policy is published in the service and put before the customer for acceptance. In case of doubt the Spanish text prevails.
`,
} as const;
