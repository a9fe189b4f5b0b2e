import { expect } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import { FirstRun } from '../pages/shell.ts'
import { claimAll } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { ExternalService } from '../support/service.ts'

test('keeps the focus on the open dispute when the one before it is snoozed', async ({
  harness,
  page,
}) => {
  const service = new ExternalService(harness.home, 40, ['--no-limits'])
  await service.start()
  const { key } = await service.issueKey('sellers')
  const ids = await claimAll(service, key, 3)
  await page.goto(await harness.start())
  await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
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
