import { expect } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import { PriceWatchPage } from '../pages/price-watch.ts'
import { OffersPage } from '../pages/seller.ts'
import { FirstRun } from '../pages/shell.ts'
import { watchCalls } from '../support/calls.ts'
import { test } from '../support/harness.ts'

test('ignores a late Select all of an earlier filter, and the action that waits for it @long', async ({
  harness,
  page,
}) => {
  const calls = await watchCalls(page)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const selected = page.getByRole('toolbar', { name: /selected$/ })
  const dialog = page.getByRole('dialog')
  const held = page.getByText(/: held for 4 hours$/)

  await test.step('offers', async () => {
    const offers = new OffersPage(page)
    await offers.open('Offers')
    await expect(offers.table).toHaveAttribute('aria-busy', 'false')
    calls.hold('/offers/ids')
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await expect.poll(calls.held).toBe(1)
    await page.keyboard.press('p')
    await page.getByRole('button', { name: /^Empty/ }).click()
    await expect(offers.table).toHaveAttribute('aria-busy', 'false')
    calls.release()
    await offers.table.getByRole('row').nth(1).locator('[data-check]').click()
    await expect(selected).toHaveAccessibleName('1 selected')
    await expect(dialog).toBeHidden()
  })
  await test.step('an action requested while Select all reads applies to all', async () => {
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    calls.hold('/offers/ids')
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await expect.poll(calls.held).toBe(1)
    await page.keyboard.press('p')
    calls.release()
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Clear the selection' }).click()
  })
  await test.step('price watch', async () => {
    const watch = new PriceWatchPage(page)
    await watch.open('Price watch')
    await page.getByRole('button', { name: /^All \d/ }).click()
    await expect(watch.market).toHaveAttribute('aria-busy', 'false')
    await expect(watch.market.getByRole('row').nth(2)).toBeVisible()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    calls.hold('/priceWatch/market')
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.keyboard.press('h')
    await expect.poll(calls.held).toBeGreaterThan(0)
    await page.getByRole('button', { name: /^Losing/ }).click()
    calls.release()
    await expect(watch.market).toHaveAttribute('aria-busy', 'false')
    await watch.market.getByRole('row').nth(1).locator('[data-check]').click()
    await expect(selected).toHaveAccessibleName('1 selected')
    expect(await held.count()).toBe(0)
  })
  await test.step('prices checked before another filter, whose current state is read late', async () => {
    const watch = new PriceWatchPage(page)
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await page.getByRole('button', { name: /^All \d/ }).click()
    await expect(watch.market).toHaveAttribute('aria-busy', 'false')
    await watch.market.getByRole('row').nth(1).locator('[data-check]').click()
    await expect(selected).toHaveAccessibleName('1 selected')
    calls.hold('/priceWatch/market')
    await page.keyboard.press('h')
    await expect.poll(calls.held).toBeGreaterThan(0)
    await page.getByRole('button', { name: /^Losing/ }).click()
    await expect(selected).toBeHidden()
    const sent: string[] = []
    calls.fail((address) => {
      sent.push(address)
      return false
    })
    calls.release()
    // A call whose response arrives after the late ones.
    await watch.view('Decisions')
    await expect(watch.decisions).toHaveAttribute('aria-busy', 'false')
    expect(sent).toContain('/priceWatch/decisions')
    expect(sent).not.toContain('/priceWatch/hold')
    calls.fail(null)
    await watch.view('Market')
    await page.getByRole('button', { name: /^All \d/ }).click()
    await expect(watch.market).toHaveAttribute('aria-busy', 'false')
  })
  await test.step('prices that are held leave the selection, and those checked since stay', async () => {
    const watch = new PriceWatchPage(page)
    const check = async (row: number): Promise<void> =>
      watch.market.getByRole('row').nth(row).locator('[data-check]').click()
    await check(1)
    await check(2)
    await expect(selected).toHaveAccessibleName('2 selected')
    calls.hold('/priceWatch/market')
    await page.keyboard.press('h')
    await expect.poll(calls.held).toBeGreaterThan(0)
    await check(3)
    await expect(selected).toHaveAccessibleName('3 selected')
    calls.release()
    await expect(held).toHaveText('2 offers: held for 4 hours')
    await expect(selected).toHaveAccessibleName('1 selected')
    await expect(watch.market.getByRole('row').nth(3)).toHaveAttribute('aria-selected', 'true')
  })
  await test.step('disputes', async () => {
    const disputes = new DisputesPage(page)
    await disputes.open('Disputes')
    const rows = disputes.list.getByRole('button')
    await expect(rows.nth(1)).toBeVisible()
    await page.keyboard.press('j')
    await expect.poll(() => disputes.openId).not.toBeNull()
    calls.hold('/disputes/list')
    await page.keyboard.press('Control+a')
    await expect.poll(calls.held).toBeGreaterThan(0)
    await page.keyboard.press('r')
    await page.getByRole('button', { name: /^Resolved/ }).click()
    await expect.poll(calls.held).toBeGreaterThan(1)
    calls.release()
    await expect(page.getByRole('button', { name: /^Resolved/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await page.getByRole('button', { name: /^Inbox/ }).click()
    await expect(rows.nth(1)).toBeVisible()
    const several = page.getByRole('toolbar', { name: 'Selected disputes' })
    await expect(several).toBeHidden()
    await expect(dialog).toBeHidden()
    await page.keyboard.press('Control+a')
    await expect(several).toContainText(/^\d+ selected/)
  })
  await test.step('disputes, selected before the rows of the new filter are shown', async () => {
    const several = page.getByRole('toolbar', { name: 'Selected disputes' })
    await page.keyboard.press('Escape')
    calls.hold('/disputes/list')
    await page.getByRole('button', { name: /^Resolved/ }).click()
    await expect.poll(calls.held).toBeGreaterThan(0)
    await expect(several).toBeHidden()
    await page.keyboard.press('Control+a')
    await expect(async () => {
      calls.release()
      await expect(several).toContainText(/^\d+ selected/, { timeout: 500 })
    }).toPass()
  })
  await test.step('more disputes than one reply answers: says so if they are selected', async () => {
    const several = page.getByRole('toolbar', { name: 'Selected disputes' })
    const most = page.getByText('200 disputes are selected')
    await page.keyboard.press('Escape')
    // A shop of the sandbox has far fewer disputes.
    calls.change('/disputes/list', (list: { total: number; rows: { disputeId: string }[] }) => {
      const [first] = list.rows
      if (first === undefined) return
      list.rows = Array.from({ length: 250 }, (_, at) => ({ ...first, disputeId: `dsp_${at}` }))
      list.total = list.rows.length
    })
    calls.hold('/disputes/list')
    await page.keyboard.press('Control+a')
    await expect.poll(calls.held).toBeGreaterThan(0)
    await page.getByRole('button', { name: /^Inbox/ }).click()
    calls.release()
    await expect(page.getByRole('button', { name: /^Inbox/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    // The rows of the new filter arrive after the late ones.
    await expect(page.getByRole('checkbox', { name: /, dsp_0$/ })).toBeVisible()
    await expect(several).toBeHidden()
    // A message would close later, so this doesn’t wait.
    expect(await most.count()).toBe(0)
    await page.keyboard.press('Control+a')
    await expect(several).toContainText('200 selected')
    await expect(most).toBeVisible()
  })
})

test('unselects the prices of an action that is done, also those of offers that are gone @long', async ({
  harness,
  page,
}) => {
  const calls = await watchCalls(page)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const watch = new PriceWatchPage(page)
  const selected = page.getByRole('toolbar', { name: /selected$/ })
  const dialog = page.getByRole('dialog')
  const check = async (...rows: readonly number[]): Promise<void> => {
    await expect(watch.market).toHaveAttribute('aria-busy', 'false')
    for (const row of rows)
      await watch.market.getByRole('row').nth(row).locator('[data-check]').click()
    await expect(selected).toHaveAccessibleName(`${rows.length} selected`)
  }
  await watch.open('Price watch')
  await watch.tab('All')

  await test.step('a failed action keeps the selection', async () => {
    await check(1, 2)
    calls.fail((address) => address === '/priceWatch/hold')
    await page.keyboard.press('h')
    await expect(page.getByText(/^2 offers/)).toBeVisible()
    await expect(selected).toHaveAccessibleName('2 selected')
    calls.fail(null)
    await page.keyboard.press('h')
    await expect(selected).toBeHidden()
  })
  await test.step('without a proposal, nothing is rejected or sent', async () => {
    calls.change('/priceWatch/market', (list: MarketAnswer) => {
      for (const row of list.rows) row.proposal = null
    })
    await check(1, 2)
    const sent: string[] = []
    calls.fail((address) => {
      sent.push(address)
      return false
    })
    await page.keyboard.press('d')
    await expect(page.getByText('No proposals to reject')).toBeVisible()
    await page.keyboard.press('a')
    await expect(page.getByText('No proposals to apply')).toBeVisible()
    expect(sent).not.toContain('/priceWatch/reject')
    expect(sent).not.toContain('/priceWatch/approve')
    await expect(selected).toHaveAccessibleName('2 selected')
    calls.fail(null)
  })
  await test.step('a failed Apply keeps the selection, a successful one clears it', async () => {
    let proposed: MarketAnswer['rows'] | null = null
    calls.change('/priceWatch/market', (list: MarketAnswer) => {
      proposed ??= list.rows.slice(0, 2).map((row) => ({
        ...row,
        proposal: { targetCents: row.priceCents - 1, targetCustomerCents: null, at: 0 },
      }))
      list.rows = proposed
    })
    await page.keyboard.press('a')
    calls.fail((address) => address === '/priceWatch/approve')
    await dialog.getByRole('button', { name: /^Apply/ }).click()
    await expect(dialog).toBeHidden()
    await expect(selected).toHaveAccessibleName('2 selected')
    calls.fail(null)
    await page.keyboard.press('a')
    await dialog.getByRole('button', { name: /^Apply/ }).click()
    await expect(selected).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })
  await test.step('asks before it applies the price of a selected offer that isn’t the current row', async () => {
    await check(1)
    await watch.market.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('a')
    await expect(dialog).toContainText('Apply 1 price?')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(selected).toHaveAccessibleName('1 selected')
    await page.keyboard.press('Escape')
    await expect(selected).toBeHidden()
  })
  await test.step('an offer that is gone', async () => {
    let gone = 0
    calls.change('/priceWatch/market', (list: MarketAnswer) => {
      list.rows.splice(0, gone)
    })
    await watch.tab('Losing')
    await watch.tab('All')
    await check(1, 2, 3)
    gone = 1
    await page.keyboard.press('h')
    await expect(page.getByText('2 offers: held for 4 hours')).toBeVisible()
    await expect(selected).toBeHidden()
    await check(1, 2)
    gone = 4
    await page.keyboard.press('h')
    await expect(page.getByText('The selected offers are gone')).toBeVisible()
    await expect(selected).toBeHidden()
  })
})

interface MarketAnswer {
  rows: { offerId: string; priceCents: number; proposal: object | null }[]
}
