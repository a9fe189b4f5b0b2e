import { expect } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import { claimAll } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { Shop } from '../support/shop.ts'

test('keeps the focus on the open dispute when the one before it is snoozed @long', async ({
  harness,
  page,
}) => {
  const shop = await Shop.open(harness)
  const { service, key } = shop
  const ids = await claimAll(service, key, 3)
  await shop.connect(harness, page)
  const disputes = new DisputesPage(page)
  const rows = disputes.list.getByRole('button', { name: /Ironwharf 3/ })
  await disputes.goThere()
  await expect(rows).toHaveCount(ids.size)
  await rows.first().click()
  await page.keyboard.press('z')
  const hour = page.getByRole('dialog').getByRole('button', { name: /^For 1 hour/ })
  await expect(hour).toBeVisible()
  await page.keyboard.press('1')
  await page.keyboard.press('j')
  await expect(rows).toHaveCount(ids.size - 1)
  await expect(disputes.list.locator('[aria-current="true"]')).toBeFocused()
  await service.stop()
})
