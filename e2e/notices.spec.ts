import { expect } from '@playwright/test'
import { FirstRun, Shell } from './pages/shell.ts'
import { watchCalls } from './support/calls.ts'
import { test } from './support/harness.ts'

test('opens a notice in its account, also if the current one has another role @long', async ({
  harness,
  page,
}) => {
  const calls = await watchCalls(page)
  const shell = new Shell(page)
  let accounts: { id: string; role: string }[] = []
  calls.change('/accounts/list', (output: never) => {
    accounts = output
  })
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  await expect.poll(() => accounts.map(({ role }) => role)).toContain('partner')
  const partner = accounts.findIndex(({ role }) => role === 'partner')
  await page.keyboard.press(`Control+${partner + 1}`)
  await shell.open('Orders')
  const title = { code: 'text', values: { text: 'A customer disputed a key' } }
  calls.change('/notices/list', (output: never) => {
    const notices: unknown[] = output
    notices.unshift({
      noticeId: 'added',
      at: Date.now(),
      accountId: accounts.find(({ role }) => role === 'seller')?.id,
      kind: 'dispute-new',
      title,
      text: title,
      path: '/disputes',
      seen: false,
    })
  })
  await page.reload()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const notice = page.getByRole('listitem').filter({ hasText: 'A customer disputed a key' })
  await notice.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Disputes' })).toBeVisible()
})
