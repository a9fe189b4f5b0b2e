import { expect, test } from 'vitest'
import { startReceiver } from './receiver.ts'

test('closes the connection of a webhook whose account is gone, and receives the next one', async () => {
  let isGone = true
  const receiver = await startReceiver(() => {
    if (isGone) throw new Error('its account was removed')
    return 204
  })
  const send = (): Promise<Response> => fetch(receiver.url, { method: 'POST', body: '{}' })
  await expect(send()).rejects.toThrow('fetch failed')
  isGone = false
  expect((await send()).status).toBe(204)
  await receiver.close()
})
