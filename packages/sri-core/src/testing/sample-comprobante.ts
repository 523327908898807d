import { type AccessKey, buildAccessKey } from '../access-key.js';
import type { Environment } from '../environment.js';
import { formatSequential } from '../sequential.js';

/** The fields of a comprobante that a test can set. */
export interface SampleComprobante {
  readonly environment?: Environment;
  /** `DD/MM/YYYY`. */
  readonly issueDate?: string;
  readonly sequential?: number;
  readonly numericCode?: string;
  readonly buyerIdType?: string;
  readonly buyerId?: string;
  readonly version?: string;
  readonly ruc?: string;
}

/** An unsigned invoice that the SRI accepts, with three lines at two rates, and its access key. */
export function sampleFactura(sample: SampleComprobante = {}): { readonly xml: string; readonly accessKey: AccessKey } {
  const { buyerIdType = '06', buyerId = 'AB123456', version = '1.1.0', issueDate = SAMPLE_ISSUE_DATE } = sample;
  const { accessKey, infoTributaria } = heading('01', sample);
  const xml = `${DECLARATION}<factura id="comprobante" version="${version}">${infoTributaria}<infoFactura>
<fechaEmision>${issueDate}</fechaEmision><dirEstablecimiento>Av. Quito 12-34</dirEstablecimiento>
<obligadoContabilidad>SI</obligadoContabilidad><tipoIdentificacionComprador>${buyerIdType}</tipoIdentificacionComprador>
<razonSocialComprador>Peña &amp; Muñoz</razonSocialComprador><identificacionComprador>${buyerId}</identificacionComprador>
<totalSinImpuestos>36.50</totalSinImpuestos><totalDescuento>1.50</totalDescuento><totalConImpuestos>
<totalImpuesto><codigo>2</codigo><codigoPorcentaje>4</codigoPorcentaje><baseImponible>26.50</baseImponible>
<tarifa>15.00</tarifa><valor>3.98</valor></totalImpuesto>
<totalImpuesto><codigo>2</codigo><codigoPorcentaje>0</codigoPorcentaje><baseImponible>10.00</baseImponible>
<tarifa>0.00</tarifa><valor>0.00</valor></totalImpuesto></totalConImpuestos><propina>0.00</propina>
<importeTotal>40.48</importeTotal><moneda>DOLAR</moneda>
<pagos><pago><formaPago>20</formaPago><total>40.48</total><plazo>30</plazo><unidadTiempo>dias</unidadTiempo></pago></pagos>
</infoFactura><detalles>
<detalle><codigoPrincipal>A-1</codigoPrincipal><codigoAuxiliar>X</codigoAuxiliar><descripcion>Café molido</descripcion>
<cantidad>2.5</cantidad><precioUnitario>10.00</precioUnitario><descuento>1.50</descuento>
<precioTotalSinImpuesto>23.50</precioTotalSinImpuesto>
<detallesAdicionales><detAdicional nombre="Lote" valor="7"></detAdicional></detallesAdicionales>${impuesto('4', '15.00', '23.50', '3.53')}</detalle>
<detalle><codigoPrincipal>A-2</codigoPrincipal><descripcion>Taza</descripcion>
<cantidad>1</cantidad><precioUnitario>3.00</precioUnitario><descuento>0.00</descuento>
<precioTotalSinImpuesto>3.00</precioTotalSinImpuesto>${impuesto('4', '15.00', '3.00', '0.45')}</detalle>
<detalle><codigoPrincipal>A-3</codigoPrincipal><descripcion>Pan</descripcion>
<cantidad>100</cantidad><precioUnitario>0.10</precioUnitario><descuento>0.00</descuento>
<precioTotalSinImpuesto>10.00</precioTotalSinImpuesto>${impuesto('0', '0.00', '10.00', '0.00')}</detalle>
</detalles><infoAdicional><campoAdicional nombre="Correo">a@b.ec</campoAdicional></infoAdicional></factura>`;
  return { xml: oneLine(xml), accessKey };
}

/** An unsigned credit note for one line of the sample invoice. */
export function sampleNotaCredito(sample: SampleComprobante & { readonly original?: string } = {}): {
  readonly xml: string;
  readonly accessKey: AccessKey;
} {
  const { buyerIdType = '06', buyerId = 'AB123456', version = '1.1.0', issueDate = SAMPLE_ISSUE_DATE } = sample;
  const { accessKey, infoTributaria } = heading('04', sample);
  const xml = `${DECLARATION}<notaCredito id="comprobante" version="${version}">${infoTributaria}<infoNotaCredito>
<fechaEmision>${issueDate}</fechaEmision><tipoIdentificacionComprador>${buyerIdType}</tipoIdentificacionComprador>
<razonSocialComprador>Peña &amp; Muñoz</razonSocialComprador><identificacionComprador>${buyerId}</identificacionComprador>
<obligadoContabilidad>SI</obligadoContabilidad><codDocModificado>01</codDocModificado>
<numDocModificado>${sample.original ?? '002-003-000000417'}</numDocModificado>
<fechaEmisionDocSustento>${issueDate}</fechaEmisionDocSustento>
<totalSinImpuestos>3.00</totalSinImpuestos><valorModificacion>3.45</valorModificacion><moneda>DOLAR</moneda>
<totalConImpuestos><totalImpuesto><codigo>2</codigo><codigoPorcentaje>4</codigoPorcentaje>
<baseImponible>3.00</baseImponible><valor>0.45</valor></totalImpuesto></totalConImpuestos><motivo>Devolución</motivo>
</infoNotaCredito><detalles><detalle><codigoInterno>A-2</codigoInterno><descripcion>Taza</descripcion>
<cantidad>1.000000</cantidad><precioUnitario>3.00</precioUnitario><descuento>0.00</descuento>
<precioTotalSinImpuesto>3.00</precioTotalSinImpuesto>${impuesto('4', '15.00', '3.00', '0.45')}</detalle></detalles>
<infoAdicional><campoAdicional nombre="Correo">a@b.ec</campoAdicional></infoAdicional></notaCredito>`;
  return { xml: oneLine(xml), accessKey };
}

// --- internal ---

/** The default issue date of sample comprobantes. */
const SAMPLE_ISSUE_DATE = '05/11/2026';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

function heading(documentType: '01' | '04', sample: SampleComprobante) {
  const { environment = 'sandbox', issueDate = SAMPLE_ISSUE_DATE, sequential = 417 } = sample;
  const { numericCode = '60418237', ruc = '1791251237001' } = sample;
  const point = { branchCode: '002', issuePointCode: '003' };
  const accessKey = buildAccessKey({ issueDate, documentType, ruc, environment, ...point, sequential, numericCode });
  const infoTributaria = `<infoTributaria><ambiente>${environment === 'production' ? 2 : 1}</ambiente>
<tipoEmision>1</tipoEmision><razonSocial>Comercial Andina S.A.</razonSocial><ruc>${ruc}</ruc>
<claveAcceso>${accessKey}</claveAcceso><codDoc>${documentType}</codDoc><estab>${point.branchCode}</estab>
<ptoEmi>${point.issuePointCode}</ptoEmi><secuencial>${formatSequential(sequential)}</secuencial>
<dirMatriz>Av. Quito 12-34</dirMatriz></infoTributaria>`;
  return { accessKey, infoTributaria };
}

function impuesto(rateCode: string, rate: string, base: string, value: string): string {
  return `<impuestos><impuesto><codigo>2</codigo><codigoPorcentaje>${rateCode}</codigoPorcentaje>
<tarifa>${rate}</tarifa><baseImponible>${base}</baseImponible><valor>${value}</valor></impuesto></impuestos>`;
}

function oneLine(xml: string): string {
  return xml.replaceAll('\n', '');
}
