import { expect, test } from 'vitest'
import type { CoreContext } from '../context.ts'
import type { Dashboard } from '../sandbox/sandbox.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { startFeature } from '../testing/start-feature.ts'
import { webhookInspectorFeature } from './webhook-inspector.ts'

test('starts one receiver for two requests at the same time, and closes it', async () => {
  const urls: string[] = []
  const dashboard = {
    serves: () => true,
    call: async (operation: string, { body }: { body?: { url: string } }) => {
      if (operation === 'putWebhook') urls.push(body?.url ?? '')
      return { url: urls.at(-1) ?? null, secret: 'secret' }
    },
  } as unknown as Dashboard
  const context = {
    clock: manualClock(),
    changes: { notify() {} },
    accounts: {
      get: () => ({ role: 'partner', baseUrl: '', serviceAccountId: 'par_1' }),
      onReady() {},
      onRelease() {},
    },
    report() {},
  } as unknown as CoreContext
  const inspector = startFeature(webhookInspectorFeature, context, { dashboard })
  const accountId = 'partner'
  const [first, second] = await Promise.all([
    inspector.listen({ accountId }),
    inspector.listen({ accountId }),
  ])
  expect(urls).toHaveLength(1)
  expect(second.url).toBe(first.url)
  await inspector.close()
  await expect(fetch(urls[0] ?? '', { method: 'POST' })).rejects.toThrow('fetch failed')
})
