/** The parts of a document body that the demo looks at. */
export interface DocumentBody {
  readonly accessKey: string;
  readonly sequential: string;
  readonly status: string;
  readonly issueDate: string;
  readonly total: string;
}

/** Calls the server as any client would, and turns every refusal into an error that says what the server said. */
export function createApiClient(baseUrl: string) {
  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${baseUrl}${path}`, {
      ...init,
      signal: AbortSignal.timeout(10_000),
    });
    if (response.ok) return response;
    throw new Error(`${init.method ?? 'GET'} ${path} answered ${response.status}: ${await response.text()}`);
  }

  return {
    async json<T>(path: string, init?: RequestInit): Promise<T> {
      return (await (await call(path, init)).json()) as T;
    },
    async text(path: string, init?: RequestInit): Promise<string> {
      return (await call(path, init)).text();
    },
    async bytes(path: string, init?: RequestInit): Promise<Uint8Array> {
      return new Uint8Array(await (await call(path, init)).arrayBuffer());
    },
    async postJson<T>(path: string, headers: Record<string, string>, body?: unknown): Promise<T> {
      const response = await call(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      });
      return (await response.json()) as T;
    },
  };
}

export type ApiClient = ReturnType<typeof createApiClient>;
