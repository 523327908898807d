/** The issuer of a comprobante. Names follow the HTTP contract; the SRI's names are in brackets. */
export interface Issuer {
  /** 13 digits. */
  readonly ruc: string;
  /** [razonSocial] 1–300 characters. */
  readonly businessName: string;
  /** [nombreComercial] */
  readonly tradeName?: string | null;
  /** [dirMatriz] The schema requires it: `branchAddress` is the fallback, then «S/D». */
  readonly mainAddress?: string | null;
  /** [estab] 3 digits. */
  readonly branchCode: string;
  /** [ptoEmi] 3 digits. */
  readonly issuePointCode: string;
  /** [dirEstablecimiento] Always written; the main address is the fallback. */
  readonly branchAddress?: string | null;
  /** [obligadoContabilidad] */
  readonly requiredAccounting: boolean;
  /** [contribuyenteEspecial] Number of the resolution, 3–13 letters and digits. */
  readonly specialTaxpayer?: string | null;
  /** [agenteRetencion] Number of the resolution, up to 8 digits. */
  readonly withholdingAgent?: string | null;
  /** [contribuyenteRimpe] `POPULAR` is «negocio popular». */
  readonly rimpe?: 'GENERAL' | 'POPULAR' | null;
}
