/**
 * The transport of requests: the only socket of this library. Any function with the shape of `fetch` fits (the simulator, a
 * proxy, MSW through `(request) => fetch(request)`).
 *
 * It resolves with any HTTP answer, of any status, and rejects only without an answer.
 */
export type Transport = (request: Request) => Promise<Response>;
