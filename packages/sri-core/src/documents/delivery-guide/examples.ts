import type { DeliveryGuideBody } from './body.js';

/** A valid delivery guide to two recipients with every field of the contract, for the day 21/11/2026. */
export const DELIVERY_GUIDE_EXAMPLE = {
  documentType: '06',
  issueDate: '21/11/2026',
  carrier: {
    idType: '05',
    id: '1710034065',
    name: 'Transportes Peña & Hijos',
    email: 'carga@example.com',
    address: 'Av. Huayna Cápac 1-20, Cuenca',
  },
  licensePlate: 'PBA1234',
  departureAddress: 'Calle Loja 5-20, Cuenca',
  startDate: '21/11/2026',
  endDate: '22/11/2026',
  recipients: [
    {
      id: '1790011674001',
      name: 'Comercial Ñandú & Cía.',
      address: 'Av. 10 de Agosto N10-20, Quito',
      email: 'compras@example.com',
      reason: 'Venta',
      customsDocument: '055-2026-10-00012345',
      branchCode: '002',
      route: 'Cuenca – Riobamba – Quito',
      supportingDocument: {
        documentType: '01',
        number: '001-001-000000123',
        authorizationNumber: '2111202601179001234500120010010000001231234567812',
        issueDate: '21/11/2026',
      },
      items: [
        {
          mainCode: 'CAF-500',
          auxiliaryCode: '7861234567890',
          description: 'Café de Loja 500 g',
          quantity: '24.00',
          additionalDetails: [{ name: 'Lote', value: 'A-1' }],
        },
        {
          mainCode: 'MOL-01',
          description: 'Molino de café',
          quantity: '1.00',
          additionalDetails: [{ name: 'Serie', value: 'MC-2026-00417' }],
        },
      ],
    },
    {
      id: '0102030400',
      name: 'María Muñoz',
      address: 'Calle Larga 7-42, Riobamba',
      email: 'maria@example.com',
      reason: 'Consignación',
      items: [{ description: 'Café de Loja a granel, en kg', quantity: '12.345678' }],
    },
  ],
  additionalInfo: [{ name: 'Bultos', value: '4' }],
} as const satisfies DeliveryGuideBody;

/** Goods that the issuer moves between two of its branches, without a supporting document. */
const BETWEEN_BRANCHES: DeliveryGuideBody = {
  documentType: '06',
  carrier: { idType: '05', id: '1710034065', name: 'José Peña' },
  licensePlate: 'ABC0123',
  departureAddress: 'Calle Loja 5-20, Cuenca',
  startDate: '21/11/2026',
  endDate: '21/11/2026',
  recipients: [
    {
      id: '1790012345001',
      name: 'Café Andino S.A.',
      address: 'Av. Amazonas N21-147, Quito',
      reason: 'Traslado entre establecimientos de una misma empresa',
      branchCode: '002',
      items: [{ mainCode: 'CAF-500', description: 'Café de Loja 500 g', quantity: '100.00' }],
    },
  ],
};

/** Valid delivery guides. */
export const DELIVERY_GUIDE_EXAMPLES: readonly DeliveryGuideBody[] = [DELIVERY_GUIDE_EXAMPLE, BETWEEN_BRANCHES];
