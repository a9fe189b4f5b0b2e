import { expect } from '@playwright/test'
import { FirstRun } from './pages/shell.ts'
import { connectionTo } from './support/core-connection.ts'
import { test } from './support/harness.ts'

test('keeps the styles of the page when data arrives, which would cost energy for nothing', async ({
  harness,
  page,
}) => {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const { rpc, close } = await connectionTo(page)
  const account = (await rpc.accounts.list()).find(({ role }) => role === 'seller')
  const changes = await page.evaluateHandle(() => {
    const seen: string[] = []
    const root = document.documentElement
    new MutationObserver((records) => {
      for (const { type, attributeName } of records) seen.push(attributeName ?? type)
    }).observe(root, { attributes: true })
    new MutationObserver((records) => {
      for (const { addedNodes, removedNodes } of records)
        for (const { nodeName } of [...addedNodes, ...removedNodes])
          if (nodeName === 'STYLE') seen.push(nodeName)
    }).observe(document.head, { childList: true })
    return seen
  })
  for (const name of ['Kestrel', 'Merlin', 'Harrier']) {
    await rpc.accounts.rename({ accountId: account?.id ?? '', name })
    await expect(
      page.getByRole('button', { name: new RegExp(`^${name} .*Switch account$`) }),
    ).toBeVisible()
  }
  expect(await changes.jsonValue()).toEqual([])
  close()
})
