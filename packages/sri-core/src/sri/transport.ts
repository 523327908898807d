/**
 * How requests leave the process: the one socket of this library. Anything with the shape of `fetch` fits (the
 * simulator, a proxy, MSW through `(request) => fetch(request)`).
 *
 * It resolves with whatever HTTP answer came, of any status, and rejects only when none came.
 */
export type Transport = (request: Request) => Promise<Response>;
