/** Data processing agreement, in both languages. */
export const DPA = {
  es: `# Acuerdo de tratamiento de datos personales

Versión {{version}}. Entre **{{businessName}}**, RUC {{ruc}}, correo {{email}} («el responsable»), y quien opera este servidor («el encargado»). Ejemplar generado el {{date}}.

## 1. Objeto y duración

El encargado trata, por cuenta del responsable, los datos personales que contienen los comprobantes electrónicos, con el único fin de crearlos, firmarlos, enviarlos al Servicio de Rentas Internas, entregarlos por correo y conservarlos. Este acuerdo rige mientras exista la cuenta.

## 2. Datos y titulares

- **Titulares**: compradores del responsable y las personas que estos designan.
- **Datos**: identificación, nombre, correo, dirección, detalle y valor de las operaciones, y la información adicional que el responsable incluya.

El responsable no incluye en los comprobantes datos sensibles que la operación no requiera.

## 3. Obligaciones del encargado

1. Tratar los datos solo según las instrucciones del responsable, que este da al usar el servicio, y según la ley.
2. Guardar reserva y exigirla a quienes intervienen.
3. Aplicar medidas técnicas y organizativas adecuadas: cifrado de claves, separación de cuentas, control de accesos, copias de respaldo.
4. Ayudar al responsable a responder a los titulares y a la autoridad, en cuanto el servicio lo permita.
5. Avisar al responsable, sin demora y a más tardar en setenta y dos horas desde que lo conozca, de toda vulneración de seguridad que afecte a esos datos.
6. Poner a disposición del responsable la información que demuestre el cumplimiento de este acuerdo.

## 4. Otros encargados

El responsable autoriza al encargado a emplear proveedores de alojamiento y de correo, bajo las mismas obligaciones. El encargado responde por ellos e informa quiénes son cuando el responsable lo pide.

## 5. Obligaciones del responsable

El responsable garantiza que tiene base legal para entregar los datos, que informa a los titulares y que los datos son correctos.

## 6. Al terminar

Al cerrar la cuenta, el responsable puede descargar sus comprobantes. Después el encargado elimina los datos, salvo los que la ley obliga a conservar, que mantiene bloqueados por el plazo legal.

## 7. Ley aplicable

Este acuerdo se interpreta según la Ley Orgánica de Protección de Datos Personales del Ecuador y su reglamento, y completa los términos del servicio.
`,
  en: `# Data processing agreement

Version {{version}}. Between **{{businessName}}**, RUC {{ruc}}, e-mail {{email}} ("the controller"), and the operator of this server ("the processor"). Copy made on {{date}}.

## 1. Purpose and term

On the controller's behalf the processor processes the personal data inside electronic documents, for the sole purpose of creating, signing, submitting them to the tax authority (SRI), mailing and keeping them. This agreement holds while the account exists.

## 2. Data and data subjects

- **Data subjects**: the controller's buyers and the persons they name.
- **Data**: identification, name, e-mail, address, items and amounts of the operations, and what else the controller includes.

The controller puts no sensitive data into documents that the operation does not require.

## 3. Duties of the processor

1. To process the data only as the controller instructs, which they do by using the service, and as the law demands.
2. To keep secrecy, and to demand it of those involved.
3. To apply suitable technical and organizational measures: encryption of keys, separation of accounts, access control, backups.
4. To help the controller answer data subjects and the authority, as far as the service allows.
5. To tell the controller without delay, and no later than seventy-two hours after learning of it, of any breach of security that affects these data.
6. To provide the controller with what shows compliance with this agreement.

## 4. Other processors

The controller authorizes the processor to use hosting and mail providers under the same duties. The processor answers for them and says who they are when the controller asks.

## 5. Duties of the controller

The controller warrants that they have a legal basis to hand over the data, that they inform data subjects, and that the data are correct.

## 6. At the end

When the account is closed, the controller may download their documents. The processor then deletes the data, except those the law demands to keep, which stay blocked for the legal term.

## 7. Governing law

This agreement is read under Ecuador's Organic Law on the Protection of Personal Data and its regulation, and completes the terms of service. In case of doubt the Spanish text prevails.
`,
} as const;
