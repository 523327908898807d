import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAccessKey } from '../../access-key.js';
import { randomDeliveryGuide } from '../../testing/random-bodies/delivery-guide.js';
import { RANDOM_TODAY, randomIssuer, randomNumbering } from '../../testing/random-bodies.js';
import { judgeRandomDocuments } from '../../testing/random-documents.js';
import { optional, written } from '../../testing/second-calculation.js';
import { child, children, readXml, type XmlElement } from '../../xml/reader.js';
import type { Issuer } from '../issuer.js';
import { prepareDocument } from '../prepare.js';
import { readComprobante } from '../read-comprobante.js';
import { writeComprobante } from '../write-comprobante.js';
import type { DeliveryGuideBody } from './body.js';

const RUNS = 1_000;

describe(`${RUNS} random delivery guides`, () => {
  it('random delivery guides contain exactly their bodies, and read back', () => {
    fc.assert(
      fc.property(randomDeliveryGuide, randomIssuer, randomNumbering, (body, issuer, numbering) => {
        const document = prepareDocument(body, { issuer, today: RANDOM_TODAY, requireAmounts: true });
        const { xml, accessKey } = writeComprobante(document, issuer, numbering);
        expect(contentOf(readXml(xml))).toEqual(expectedContent(body, issuer));
        expect(parseAccessKey(accessKey)).toMatchObject({ ...numbering, documentType: '06', issueDate: '21/11/2026' });
        expect(readComprobante(xml)).toMatchObject({
          accessKey,
          issueDate: '21/11/2026',
          startDate: body.startDate,
          recipients: body.recipients.map(({ items }) => ({ items: items.map(() => ({})) })),
        });
      }),
      { numRuns: RUNS },
    );
  });
});

judgeRandomDocuments({ body: randomDeliveryGuide, root: 'guiaRemision', schema: 'GuiaRemision_V1.1.0.xsd' });

// --- the content of the XML, and the expected content ---

/** Names and texts of all elements below infoGuiaRemision and destinatarios, in order. */
function contentOf(root: XmlElement) {
  const list = (element: XmlElement | null): unknown[] =>
    (element?.children ?? []).map((each) => {
      if (each.name === 'cantidad') return ['cantidad', Number(each.text)];
      if (each.name === 'detAdicional') return Object.values(each.attributes);
      return [each.name, each.children.length > 0 ? list(each) : each.text];
    });
  return {
    info: list(child(root, 'infoGuiaRemision')),
    recipients: list(child(root, 'destinatarios')),
    additional: children(child(root, 'infoAdicional'), 'campoAdicional').map((field) => [
      field.attributes['nombre'],
      field.text,
    ]),
  };
}

function expectedContent(body: DeliveryGuideBody, issuer: Issuer) {
  const present = (pairs: readonly (readonly [string, unknown])[]) => pairs.filter(([, value]) => value !== null);
  const pairs = (list: readonly { name: string; value: string }[] | null | undefined) =>
    (list ?? []).map(({ name, value }) => [written(name), written(value)]);
  const branch = optional(issuer.branchAddress) ?? optional(issuer.mainAddress) ?? 'S/D';
  return {
    info: present([
      ['dirEstablecimiento', branch],
      ['dirPartida', written(body.departureAddress)],
      ['razonSocialTransportista', written(body.carrier.name)],
      ['tipoIdentificacionTransportista', body.carrier.idType],
      ['rucTransportista', written(body.carrier.id)],
      ['obligadoContabilidad', issuer.requiredAccounting ? 'SI' : 'NO'],
      ['contribuyenteEspecial', issuer.specialTaxpayer ?? null],
      ['fechaIniTransporte', body.startDate],
      ['fechaFinTransporte', body.endDate],
      ['placa', written(body.licensePlate)],
    ]),
    recipients: body.recipients.map((recipient) => [
      'destinatario',
      present([
        ['identificacionDestinatario', written(recipient.id)],
        ['razonSocialDestinatario', written(recipient.name)],
        ['dirDestinatario', written(recipient.address)],
        ['motivoTraslado', written(recipient.reason)],
        ['docAduaneroUnico', optional(recipient.customsDocument)],
        ['codEstabDestino', recipient.branchCode ?? null],
        ['ruta', optional(recipient.route)],
        ['codDocSustento', recipient.supportingDocument?.documentType ?? null],
        ['numDocSustento', recipient.supportingDocument?.number ?? null],
        ['numAutDocSustento', recipient.supportingDocument?.authorizationNumber ?? null],
        ['fechaEmisionDocSustento', recipient.supportingDocument?.issueDate ?? null],
        [
          'detalles',
          recipient.items.map((item) => [
            'detalle',
            present([
              ['codigoInterno', optional(item.mainCode)],
              ['codigoAdicional', optional(item.auxiliaryCode)],
              ['descripcion', written(item.description)],
              ['cantidad', Number(item.quantity)],
              ['detallesAdicionales', (item.additionalDetails ?? []).length > 0 ? pairs(item.additionalDetails) : null],
            ]),
          ]),
        ],
      ]),
    ]),
    additional: pairs(body.additionalInfo),
  };
}
