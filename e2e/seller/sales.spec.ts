import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { FirstRun, Shell } from '../pages/shell.ts'
import { test } from '../support/harness.ts'
import { ExternalService } from '../support/service.ts'

type Served = {
  total: number
  results: { id: string; name: string; price: number; status: string; offerId: string }[]
}

test('finds, filters and exports sales by keyboard, opens their offers, and does the same offline @long', async ({
  harness,
  page,
}) => {
  test.setTimeout(120_000)
  const service = new ExternalService(harness.home, 120)
  await service.start()
  const { key } = await service.issueKey('sellers')
  const served = (await service.seller(key, 'GET', '/sales?limit=100')) as Served
  const shell = new Shell(page)
  const table = page.getByRole('grid', { name: 'Sales' })
  const views = page.getByRole('group', { name: 'Views' })
  const still = () => expect(table).toHaveAttribute('aria-busy', 'false')
  const [one] = served.results
  if (one === undefined) throw new Error('the demo seller has no sales')

  /** The amounts above the list, and their explanations, that are cut off, with millions in each. */
  const cutAmounts = () =>
    page.getByLabel('Balance and earnings').evaluate((list) => {
      const explanations = [...list.querySelectorAll('dd')].flatMap(({ childNodes }) =>
        [...childNodes].filter((node) => node instanceof Text),
      )
      const said = explanations.map(({ data }) => data)
      for (const text of explanations)
        text.data = text.data.replaceAll(/[\d,]+\.\d\d/g, '1,234,567.89')
      const amounts = [...list.querySelectorAll('b')]
      const real = amounts.map(({ textContent }) => textContent)
      for (const amount of amounts) amount.textContent = '72,883,230.22'
      const cut = amounts.filter((amount) => {
        const box = amount.closest('dd')?.getBoundingClientRect()
        const end = Math.min(box?.right ?? 0, list.getBoundingClientRect().right)
        const { scrollWidth = 0, clientWidth = 0 } = amount.closest('dd') ?? {}
        return amount.getBoundingClientRect().right > end + 0.5 || scrollWidth > clientWidth
      })
      const names = cut.map((amount) => amount.closest('div')?.querySelector('dt')?.textContent)
      for (const [index, amount] of amounts.entries()) amount.textContent = real[index] ?? ''
      for (const [index, text] of explanations.entries()) text.data = said[index] ?? ''
      return names
    })

  await test.step('every sale of the service appears, counted by status', async () => {
    await page.goto(await harness.start())
    await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await expect(page.getByRole('heading', { level: 1, name: 'Sales and balance' })).toBeVisible()
    await page.getByRole('group', { name: 'Period' }).getByRole('button', { name: 'All' }).click()
    await expect(views.getByRole('button', { name: `All ${served.total}` })).toBeVisible()
    for (const width of [1440, 1100, 960]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await cutAmounts()).toEqual([])
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const [status, name] of [
      ['released', 'Released'],
      ['cancelled', 'Canceled'],
    ] as const) {
      const count = served.results.filter((sale) => sale.status === status).length
      if (served.total <= 100)
        await expect(views.getByRole('button', { name: `${name} ${count}` })).toBeVisible()
    }
    await expect(page.getByLabel('Balance and earnings')).toContainText(/Available[\d,.]+/)
  })

  await test.step('find a sale by its id, open it, go to its offer and back', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type(one.id)
    await expect(table.getByRole('row')).toHaveCount(2)
    await still()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: one.name })
    await expect(panel.getByText(`EUR ${one.price.toFixed(2)}`)).toBeVisible()
    await panel.getByRole('button', { name: 'Offer' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Offers' })).toBeVisible()
    await page
      .getByRole('complementary', { name: one.name })
      .getByRole('button', { name: /sold$/ })
      .click()
    const ofOffer = served.results.filter(({ offerId }) => offerId === one.offerId).length
    if (served.total <= 100)
      await expect(views.getByRole('button', { name: `All ${ofOffer}` })).toBeVisible()
    await page.getByRole('button', { name: /^Remove the filter Offer/ }).click()
    await expect(views.getByRole('button', { name: `All ${served.total}` })).toBeVisible()
  })

  await test.step('the cost of an offer estimates the profit of its sales', async () => {
    const profit = page.getByLabel('Balance and earnings').locator('div', { hasText: /^Profit/ })
    await expect(profit).toContainText(/– [\d,]+ unknown$/)
    await page.goto(new URL(`#/offers/${one.offerId}`, page.url()).href)
    const offer = page.getByRole('complementary', { name: one.name })
    await offer.getByLabel('Cost per key').fill('1.00')
    await offer.getByLabel('Cost per key').press('Enter')
    await expect(offer.getByRole('button', { name: 'Save', exact: true })).toBeHidden()
    await page.goto(new URL(`#/sales/${one.id}`, page.url()).href)
    const panel = page.getByRole('complementary', { name: one.name })
    await expect(panel.getByText('EUR 1.00 estimated from the offer')).toBeVisible()
    await expect(panel.getByText(`EUR ${(one.price - 1).toFixed(2)}`)).toBeVisible()
    await page.getByRole('group', { name: 'Period' }).getByRole('button', { name: 'All' }).click()
    await expect(profit).toContainText(/\d [\d,]+ unknown, \d+ estimated$/)
    for (const width of [1100, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await cutAmounts()).toEqual([])
    }
  })

  await test.step('cost and profit are columns by choice, and other columns give way to them', async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Columns' }).click()
    for (const name of ['Cost', 'Profit'])
      await page.getByRole('checkbox', { name, exact: true }).check()
    await page.keyboard.press('Escape')
    const row = table.getByRole('row', { name: one.name }).first()
    await expect(row).toContainText(`≈ 1.00≈ ${(one.price - 1).toFixed(2)}`)
  })

  await test.step('a link replaces the search and the filters of the open page', async () => {
    await page.getByRole('group', { name: 'Period' }).getByRole('button', { name: '7' }).click()
    await page.getByRole('searchbox').fill('no such sale')
    await expect(table.getByRole('row')).toHaveCount(1)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill(one.name)
    await page
      .getByRole('option', { name: `Sales of your offer for ${one.name}` })
      .first()
      .click()
    await expect(page.getByRole('searchbox')).toHaveValue('')
    const ofOffer = served.results.filter(({ offerId }) => offerId === one.offerId).length
    if (served.total <= 100)
      await expect(views.getByRole('button', { name: `All ${ofOffer}` })).toBeVisible()
    await page.getByRole('button', { name: /^Remove the filter Offer/ }).click()
  })

  await test.step('offline: the same sales, the calendar and the export', async () => {
    await service.stop()
    await shell.act('Sync now')
    await expect(shell.status.getByText(/^Offline/)).toBeVisible({ timeout: 30_000 })
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await page.getByRole('group', { name: 'Period' }).getByRole('button', { name: 'All' }).click()
    await expect(views.getByRole('button', { name: `All ${served.total}` })).toBeVisible()
    await still()
    const viewport = page.viewportSize() ?? { width: 1440, height: 900 }
    const releases = page.getByRole('complementary', { name: 'Releases' })
    await page.setViewportSize({ width: 960, height: 640 })
    await expect(releases).toBeHidden()
    await page.getByRole('button', { name: 'Releases' }).click()
    await releases.getByRole('button', { name: 'Close' }).click()
    await page.setViewportSize(viewport)
    await expect(releases).toBeVisible()
    const release = page.getByRole('group', { name: 'Releases by day' }).getByRole('button').first()
    await release.click()
    await expect(page.getByRole('complementary', { name: 'Releases' })).toContainText(
      /\d+ sales? of|\d+ sales?, sold/,
    )
    const download = page.waitForEvent('download')
    await page.keyboard.press('e')
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(served.total + 1)
    expect(lines.find((line) => line.includes(`,${one.id},`))).toContain(
      `,1.00,${(one.price - 1).toFixed(2)},`,
    )
    for (const sale of served.results)
      expect(
        lines.filter(
          (line) => line.includes(`,${sale.id},`) && line.includes(`,${sale.price.toFixed(2)},`),
        ),
      ).toHaveLength(1)
  })
})
