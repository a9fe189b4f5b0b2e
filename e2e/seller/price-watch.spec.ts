import { expect } from '@playwright/test'
import { startFaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import { PriceWatchPage } from '../pages/price-watch.ts'
import { FirstRun } from '../pages/shell.ts'
import { seriousViolations } from '../support/axe.ts'
import { test } from '../support/harness.ts'
import { ExternalService } from '../support/service.ts'
import type { ServiceOffer } from '../support/service.ts'

type Standing = ServiceOffer & { customerPrice: number; isCheapest: boolean }

test(
  'proposes prices after a market change, sends an approved one, and stops before the next',
  { tag: '@long' },
  async ({ harness, page }) => {
    test.setTimeout(180_000)
    const watch = new PriceWatchPage(page)
    const service = new ExternalService(harness.home, 120)
    await service.start()
    const { key } = await service.issueKey('sellers')
    const proxy = await startFaultyProxy(service.baseUrl)
    const standings = async (): Promise<Standing[]> => (await service.offers(key)) as Standing[]
    let lists = 0
    const sent: string[] = []
    proxy.served = ({ method, path }) => {
      if (method === 'GET' && path.includes('/offers?')) lists += 1
    }
    await page.goto(await harness.start())
    await new FirstRun(page).connect(key, proxy.baseUrl, 'Kestrel Keys')
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await expect(page.getByRole('heading', { name: 'Price watch' })).toBeVisible()
    await expect(watch.market).toHaveAttribute('aria-busy', 'false')
    await expect(watch.market.getByRole('row').nth(1)).toBeVisible()
    await watch.view('Rules')
    await watch.newRule('0.50')
    await expect(page.getByText('You decide each price')).toBeVisible()

    await test.step('the market changes, and offers that lost the lead get proposals', async () => {
      const led = new Set(
        (await standings()).filter(({ isCheapest }) => isCheapest).map(({ id }) => id),
      )
      await service.dashboard('POST', '/market', {
        seed: 'watch',
        intensity: 10,
        sellers: 8,
        customers: 0,
      })
      await service.dashboard('POST', '/clock/advance', { ms: 2 * 3_600_000 })
      await service.dashboard('DELETE', '/market')
      const lost = (await standings()).find(
        ({ id, isCheapest, stock, status }) =>
          led.has(id) && !isCheapest && stock > 0 && status === 'active',
      )
      expect(lost, 'some offers lost the lead').toBeDefined()
      const { id = '', name = '', productId = '' } = lost ?? {}
      await watch.act('Sync now')
      await watch.view('Market')
      await watch.tab('Proposals')
      await page.getByRole('searchbox', { name: 'Filter the market' }).fill(id)
      await expect(watch.market.getByRole('row').nth(1)).toContainText(name)
      await expect(watch.market).toHaveAttribute('aria-busy', 'false')
      await watch.market.getByRole('row').nth(1).click()
      await expect(
        page.getByRole('complementary', { name }).getByText(/Another offer sells first/),
      ).toBeVisible()
      // While a row is checked, A applies the checked rows, so the panel doesn't show that key.
      const applyPrice = page
        .getByRole('complementary', { name })
        .getByRole('button', { name: /^Apply price/ })
      await expect(applyPrice.locator('kbd')).toHaveText('A')
      await page.keyboard.press('x')
      await expect(page.getByRole('button', { name: /^Apply 1…/ })).toBeVisible()
      await expect(applyPrice.locator('kbd')).toHaveCount(0)
      await page.keyboard.press('x')
      // Neither a digit nor Enter on the open row sends a price.
      await page.keyboard.press('1')
      await page.keyboard.press('Enter')
      await expect(applyPrice).toBeEnabled()
      await expect(page.getByText(/Checked again, then sent/)).toBeHidden()
      await page.keyboard.press('a')
      await expect(page.getByText(/Checked again, then sent/)).toBeVisible()
      await expect(
        page.getByRole('complementary', { name }).getByText('Changed once by a rule.'),
      ).toBeVisible()
      const now = (await standings()).find((offer) => offer.id === id)
      expect(now?.isCheapest).toBe(true)
      const {
        results: [product],
      } = (await service.seller(key, 'GET', `/products?search=${productId}`)) as {
        results: { shopPrice: number }[]
      }
      expect(product?.shopPrice, 'customers pay it').toBe(now?.customerPrice)
      await watch.view('Decisions')
      await page.getByRole('button', { name: 'Send attempts' }).click()
      await expect(
        watch.decisions.getByRole('row').filter({ hasText: name }).filter({ hasText: 'Sent' }),
      ).toBeVisible()
    })

    await test.step('stop an auto-apply rule while its first price is in flight', async () => {
      proxy.decide = (method, path) => {
        if (method === 'PATCH') sent.push(path)
        return method === 'PATCH' ? { kind: 'delay', ms: 1000 } : 'pass'
      }
      await watch.view('Rules')
      await page.getByRole('switch', { name: 'Auto-apply' }).focus()
      await page.keyboard.press('Space')
      await expect(page.getByRole('dialog').getByText(/change automatically/)).toBeVisible()
      await page.keyboard.press('Control+Enter')
      await expect.poll(() => sent.length, { timeout: 30_000 }).toBe(1)
      await page.keyboard.press('Control+.')
      await expect(page.getByText(/Price rules stopped since/)).toBeVisible()
      await watch.view('Market')
      await page.getByRole('searchbox', { name: 'Filter the market' }).fill('')
      await watch.tab('Losing')
      await expect(watch.market.getByText('Rules stopped').first()).toBeVisible()
      const before = lists
      await watch.act('Sync now')
      await expect.poll(() => lists, { timeout: 30_000 }).toBeGreaterThan(before)
      await expect.poll(() => watch.count('Proposals')).toBe(0)
      expect(sent, 'the next price wasn’t sent').toHaveLength(1)
    })

    await test.step('resume; the rule sends the others', async () => {
      proxy.decide = () => 'pass'
      const losing = await watch.count('Losing')
      await page.getByRole('button', { name: 'Resume sending' }).first().click()
      await expect.poll(() => watch.count('Losing'), { timeout: 40_000 }).toBeLessThan(losing - 2)
    })
    await proxy.close()
    await service.stop()
  },
)

test('simulates a rule on the bundled market, compared with no rule @long', async ({
  harness,
  page,
}) => {
  test.setTimeout(150_000)
  const watch = new PriceWatchPage(page)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  await page.getByRole('link', { name: 'Price watch' }).click()
  await expect(watch.market.getByRole('row').nth(1)).toBeVisible()
  await watch.view('Rules')
  await watch.newRule('0.50')
  await expect(page.getByText('You decide each price')).toBeVisible()
  const begins = page.getByRole('combobox', { name: 'Starts', exact: true })
  const rule = page
    .getByRole('navigation', { name: /^Rules/ })
    .getByRole('button', { name: /Rule 1/ })
  await begins.selectOption('at')
  await page.getByLabel('Starts at').fill('2040-01-02T10:00')
  await page.keyboard.press('Control+s')
  await expect(rule).toContainText('from 2 Jan 2040, 10:00')
  await expect(rule).toContainText('Scheduled')
  await begins.selectOption('none')
  await page.keyboard.press('Control+s')
  await expect(rule).toContainText('Proposes')
  await page.getByRole('button', { name: 'Simulate…' }).click()
  await page.getByRole('spinbutton', { name: 'Days' }).fill('1')
  await page.getByRole('spinbutton', { name: 'Offers' }).fill('6')
  await page.getByRole('button', { name: 'Simulate', exact: true }).click()
  await expect(page.getByRole('rowheader', { name: 'Time in the lead' })).toBeVisible({
    timeout: 90_000,
  })
  await expect(page.getByRole('columnheader', { name: 'B, Saved rules' })).toBeVisible()
  await expect(page.getByText('The market is simulated.')).toBeVisible()
  expect(await seriousViolations(page, 'all')).toEqual([])
  await test.step('auto-apply of a rule that is off names the offers that it would change', async () => {
    await watch.view('Rules')
    await page.getByRole('switch', { name: 'The rule proposes' }).press('Space')
    await expect(rule).toContainText('Off')
    await page.getByRole('switch', { name: 'Auto-apply' }).press('Space')
    const dialog = page.getByRole('dialog', { name: /^Turn on auto-apply/ })
    await expect(dialog).toContainText(/The prices of [1-9]\d+ offers change automatically/)
    await expect(dialog).toContainText(/(none|[1-9]\d*) now/)
    await page.keyboard.press('Escape')
    await page.getByRole('switch', { name: 'The rule proposes' }).press('Space')
    await expect(rule).toContainText('Proposes')
  })
})
