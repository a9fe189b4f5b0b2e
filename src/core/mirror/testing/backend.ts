import type { BackendReady } from '../../../platform/backends/backend-process.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'

export type DemoBackend = BackendReady &
  Pick<TestBackend, 'dashboard' | 'stop'> & { demo: NonNullable<BackendReady['demo']> }

/** The real backend with its demo world of `products` products and no rate limits. */
export async function startBackend(products: number): Promise<DemoBackend> {
  const { ready, dashboard, stop } = await startTestBackend({ products, noLimits: true })
  if (ready.demo === null) throw new Error('no demo accounts')
  return { ...ready, demo: ready.demo, dashboard, stop }
}
