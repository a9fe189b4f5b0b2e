import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Settings } from '../../contract/app/app.ts'
import { defaultSettings } from '../../core/settings/settings.ts'
import { api } from '../lib/core/rpc.ts'
import { settingsMutation } from './use-app-state.ts'

test('ignores the response to an earlier change after a newer one', async () => {
  const client = new QueryClient()
  const key = api.app.settings.queryKey()
  const answers: (() => void)[] = []
  let kept: Settings = { ...defaultSettings, currentAccountId: 'acc_1' }
  const send = (part: Partial<Settings>): Promise<Settings> =>
    new Promise((resolve) => {
      kept = { ...kept, ...part }
      const answer = kept
      answers.push(() => resolve(answer))
    })
  const shown: (string | null | undefined)[] = []
  client.setQueryData(key, kept)
  client
    .getQueryCache()
    .subscribe(() => shown.push(client.getQueryData<Settings>(key)?.currentAccountId))
  const change = (part: Partial<Settings>): Promise<Settings> =>
    new MutationObserver(client, settingsMutation(send)).mutate(part)
  const first = change({ currentAccountId: 'acc_2' })
  const second = change({ currentAccountId: 'acc_1' })
  await expect.poll(() => answers.length).toBe(2)
  shown.length = 0
  answers[0]?.()
  await first
  answers[1]?.()
  await second
  expect(new Set(shown)).toEqual(new Set(['acc_1']))
  expect(client.getQueryData<Settings>(key)?.currentAccountId).toBe('acc_1')
})
