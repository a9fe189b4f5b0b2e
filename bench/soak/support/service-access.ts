import type { TestBackend } from '../../../src/core/testing/backend.ts'

export type ServiceAccess = ReturnType<typeof serviceAccess>

/** The service as seen by a seller, a partner and the dashboard. */
export function serviceAccess(backend: TestBackend) {
  const ask = async (
    url: string,
    key: string,
    method: string,
    body?: unknown,
  ): Promise<unknown> => {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const { baseUrl, sellerUrl, demo } = backend.ready
  return {
    dashboard: (method: string, to: string, body?: unknown): Promise<unknown> =>
      backend.dashboard(method, to, body),
    seller: (key: string, method: string, to: string, body?: unknown): Promise<unknown> =>
      ask(`${sellerUrl}${to}`, key, method, body),
    partner: (key: string, method: string, to: string, body?: unknown): Promise<unknown> =>
      ask(`${baseUrl}${to}`, key, method, body),
    issueKey: async () => ({ key: demo?.partnerLiveKey ?? '' }),
  }
}
