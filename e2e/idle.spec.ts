import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { FirstRun } from './pages/shell.ts'
import { connectionTo } from './support/core-connection.ts'
import { test } from './support/harness.ts'

test('keeps the styles of the page when data arrives, which would cost energy for nothing @long', async ({
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
      for (const { attributeName } of records)
        // A notification about the start of the sandbox may appear or close while this test runs.
        if (attributeName !== null && attributeName !== 'data-toasts') seen.push(attributeName)
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

/** Hides or shows the window as the browser reports it to a page. */
const setHidden = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

test('reads what changed in a hidden window when it is shown @long', async ({ harness, page }) => {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const { rpc, close } = await connectionTo(page)
  const account = (await rpc.accounts.list()).find(({ role }) => role === 'seller')
  const button = (name: string) =>
    page.getByRole('button', { name: new RegExp(`^${name} .*Switch account$`) })
  const rename = (name: string) => rpc.accounts.rename({ accountId: account?.id ?? '', name })
  await rename('Kestrel')
  await expect(button('Kestrel')).toBeVisible()
  await setHidden(page, true)
  await rename('Merlin')
  // Longer than the visible window needed.
  await page.waitForTimeout(1000)
  await expect(button('Kestrel')).toBeVisible()
  await setHidden(page, false)
  await expect(button('Merlin')).toBeVisible()
  close()
})
