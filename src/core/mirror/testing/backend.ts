import type { BackendReady } from '../../../platform/backends/backend-process.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'

export type DemoBackend = BackendReady &
  Pick<TestBackend, 'dashboard' | 'stop'> & {
    demo: NonNullable<BackendReady['demo']>
    /** Calls the service as the demo seller, as another console would. */
    seller(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
  }

/** The real backend with its demo world of `products` products and no rate limits. */
export async function startBackend(products: number): Promise<DemoBackend> {
  const { ready, dashboard, stop } = await startTestBackend({ products, noLimits: true })
  const { demo, sellerUrl } = ready
  if (demo === null) throw new Error('no demo accounts')
  return {
    ...ready,
    demo,
    dashboard,
    async seller(method, path, body) {
      const answer = await fetch(sellerUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${demo.sellerKey}`,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    },
    stop,
  }
}
