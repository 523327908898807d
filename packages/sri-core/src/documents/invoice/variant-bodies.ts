import type { PresumptiveWithholdingCode } from '../../catalogs/presumptive-withholdings.js';

// The bodies of the invoice's variants as interfaces, so that an editor documents each field.

/** Terms and costs of an export. */
export interface ExportBody {
  /** [incoTermFactura] Incoterm of the invoice, 1 to 10 capital letters: `FOB`. */
  readonly incoterm: string;
  /** [lugarIncoTerm] Place of the incoterm, 1 to 300 characters. */
  readonly incotermPlace: string;
  /** [paisOrigen] Country of origin, as in `countries`; 593 is Ecuador. */
  readonly originCountry: string;
  /** [puertoEmbarque] Port of shipping, 1 to 300 characters. */
  readonly shippingPort: string;
  /** [puertoDestino] Port of destination, 1 to 300 characters. */
  readonly destinationPort: string;
  /** [paisDestino] Country of destination, as in `countries`. */
  readonly destinationCountry: string;
  /** [paisAdquisicion] Country of the purchase, as in `countries`. */
  readonly purchaseCountry?: string | null;
  /** [incoTermTotalSinImpuestos] Incoterm of the total without taxes, 1 to 10 capital letters. */
  readonly subtotalIncoterm: string;
  /** [fleteInternacional] Freight, part of the total; decimal text with at most two decimals. */
  readonly freight?: string | null;
  /** [seguroInternacional] Insurance, part of the total; decimal text with at most two decimals. */
  readonly insurance?: string | null;
  /** [gastosAduaneros] Customs costs, part of the total; decimal text with at most two decimals. */
  readonly customs?: string | null;
  /** [gastosTransporteOtros] Further transport costs, part of the total; decimal text with at most two decimals. */
  readonly otherTransport?: string | null;
}

/** [rubro] An amount that the issuer collects for a third party. */
export interface ThirdPartyChargeBody {
  /** [concepto] What it is for, 1 to 300 characters. */
  readonly concept: string;
  /** [total] Amount, part of the total of the invoice; decimal text with at most two decimals. */
  readonly amount: string;
}

/** [infoSustitutivaGuiaRemision] The transport of the goods: the invoice replaces the delivery guide. */
export interface TransportBody {
  /** [dirPartida] Address where the transport starts, 1 to 300 characters. */
  readonly departureAddress: string;
  /** [dirDestinatario] Address where it ends, 1 to 300 characters. */
  readonly arrivalAddress: string;
  /** [fechaIniTransporte] First day, DD/MM/YYYY; not before the issue date. */
  readonly startDate: string;
  /** [fechaFinTransporte] Last day, DD/MM/YYYY; not before `startDate`. */
  readonly endDate: string;
  /** The carrier. */
  readonly carrier: TransportCarrierBody;
  /** [placa] Plate of the vehicle, 1 to 20 characters. */
  readonly licensePlate: string;
  /** [destinos] 1 to 100 destinations. */
  readonly destinations: readonly DestinationBody[];
}

/** The carrier of the goods. */
export interface TransportCarrierBody {
  /** [tipoIdentificacionTransportista] 04 RUC, 05 cédula, 06 passport, 08 foreign. */
  readonly idType: '04' | '05' | '06' | '08';
  /** [rucTransportista] Identification number, 1 to 20 characters. */
  readonly id: string;
  /** [razonSocialTransportista] Name or business name, 1 to 300 characters. */
  readonly name: string;
}

/** [destino] A destination of the goods. */
export interface DestinationBody {
  /** [motivoTraslado] Why the goods are moved, 1 to 300 characters. */
  readonly reason: string;
  /** [docAduaneroUnico] Number of the customs document, up to 64 characters. */
  readonly customsDocument?: string | null;
  /** [codEstabDestino] Branch code of the destination, three digits. */
  readonly branchCode?: string | null;
  /** [ruta] Route, up to 300 characters. */
  readonly route?: string | null;
}

/** [retencion] A withholding that an invoice of fuel or newspapers collects in advance. */
export interface AdvanceWithholdingBody {
  /** [codigo] `4`: presumptive IVA and income tax. */
  readonly code: '4';
  /** [codigoPorcentaje] As in `presumptiveWithholdings`: 3 to 6 IVA, 327 and 328 income tax. */
  readonly rateCode: PresumptiveWithholdingCode;
  /** [tarifa] Rate, as the table has it: 1.00 for fuel of any kind; decimal text with at most two decimals. */
  readonly rate: string;
  /** [valor] Amount, part of the total; decimal text with at most two decimals. */
  readonly amount: string;
}

/** [tipoNegociable] Makes the invoice a negotiable one. The buyer needs an address and a payment a term with its unit. */
export interface NegotiableBody {
  /** [correo] Mail address that the SRI notifies, up to 100 characters. */
  readonly email: string;
}
