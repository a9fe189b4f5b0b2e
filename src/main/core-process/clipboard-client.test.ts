import { expect, test } from 'vitest'
import { createClipboardClient } from './clipboard-client.ts'
import type { FromCore } from './core-messages.ts'

test('settles each request with its own response', async () => {
  const asked: FromCore[] = []
  const clipboard = createClipboardClient((message) => asked.push(message))
  const written = clipboard.write('secret')
  const cleared = clipboard.clearIf('secret')
  expect(asked).toEqual([
    { type: 'clipboard', id: 1, act: 'write', text: 'secret' },
    { type: 'clipboard', id: 2, act: 'clear-if', text: 'secret' },
  ])
  clipboard.hear({ type: 'clipboard-done', id: 2, failed: true })
  clipboard.hear({ type: 'clipboard-done', id: 1, failed: false })
  await expect(written).resolves.toBeUndefined()
  await expect(cleared).rejects.toThrow('refused')
})
