import { createRouterClient, os } from '@orpc/server'
import { expect, test } from 'vitest'
import { onFirstCall } from './served.ts'

test('creates a router once, at the first call of one of its procedures', async () => {
  const created: string[] = []
  const router = (name: string) => () => {
    created.push(name)
    let calls = 0
    return os.router({
      first: os.handler(() => (calls += 1)),
      second: os.handler(() => (calls += 1)),
    })
  }
  const ask = createRouterClient(
    os.router(onFirstCall({ offers: router('offers'), orders: router('orders') })),
  )
  expect(created).toEqual([])
  expect([await ask.offers.first(), await ask.offers.second(), await ask.offers.first()]).toEqual([
    1, 2, 3,
  ])
  expect(created).toEqual(['offers'])
})
