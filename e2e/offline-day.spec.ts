import { expect } from '@playwright/test'
import { CataloguePage, OffersPage, OutboxPage } from './pages/seller.ts'
import { FirstRun } from './pages/shell.ts'
import { test } from './support/harness.ts'
import { ExternalService } from './support/service.ts'
import type { ServiceOffer } from './support/service.ts'

const products = 200
const cents = (price: number): number => Math.round(price * 100)
const typed = (price: number): string => price.toFixed(2)

test(
  'reads and changes everything offline, then compares, decides and sends each change once',
  { tag: '@long' },
  async ({ harness, page }) => {
    test.setTimeout(300_000)
    const service = new ExternalService(harness.home, products)
    await service.start()
    const { key } = await service.issueKey('sellers')
    const mine = (await service.offers(key)).filter(
      ({ status, stock }) => status === 'active' && stock > 0,
    )
    const [unhurt, disputed, paused, pausedTwice] = mine as [
      ServiceOffer,
      ServiceOffer,
      ServiceOffer,
      ServiceOffer,
    ]
    const shell = new OutboxPage(page)
    const offers = new OffersPage(page)
    const catalogue = new CataloguePage(page)
    const outbox = new OutboxPage(page)
    let product = ''

    await test.step('connect an account of an external service, whose key lasts until Keydesk quits', async () => {
      await page.goto(await harness.start())
      await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
      await shell.open('Catalogue')
      await catalogue.isComplete(products)
    })

    await test.step('the service goes offline: everything stays readable and searchable, with its age', async () => {
      await service.stop()
      await shell.open('Offers')
      await offers.setPrice(unhurt.id, unhurt.name, unhurt.price + 0.11)
      await expect(
        page.getByText(`${unhurt.name}: ${typed(unhurt.price + 0.11)} queued`),
      ).toBeVisible()
      await expect(
        page.getByText(/You’re seeing data as of \d\d:\d\d:\d\d\. Your changes are queued/),
      ).toBeVisible()
      await expect(shell.status.getByText(/^Offline/)).toBeVisible()
      await expect(shell.status.getByText('1 queued change')).toBeVisible()
      await shell.open('Catalogue')
      await catalogue.search(unhurt.name.slice(0, 6))
      await expect(catalogue.row(new RegExp(unhurt.name)).first()).toBeVisible()
      await shell.open('Import keys')
      await expect(page.getByText(/You’re seeing data as of/)).toBeVisible()
    })

    await test.step('queue prices, pauses and a new offer', async () => {
      await shell.open('Offers')
      await offers.setPrice(disputed.id, disputed.name, disputed.price + 0.05)
      await expect(
        page.getByText(`${disputed.name}: ${typed(disputed.price + 0.05)} queued`),
      ).toBeVisible()
      for (const { id, name } of [paused, pausedTwice]) {
        await offers.find(id, name)
        await page.keyboard.press('u')
        await expect(
          page.getByRole('grid', { name: 'Offers' }).getByText('Pause queued'),
        ).toBeVisible()
      }
      await page.getByRole('searchbox', { name: 'Filter these offers' }).fill('')
      const beside = page.getByRole('complementary', { name: 'Queued changes' })
      await expect(
        beside.getByRole('list', { name: 'Queued changes' }).getByRole('listitem'),
      ).toHaveCount(4)
      await expect(
        beside.getByText(`Price ${typed(disputed.price)} to ${typed(disputed.price + 0.05)}`),
      ).toBeVisible()

      await shell.open('Catalogue')
      await page.getByRole('checkbox', { name: /^Not sold by me/ }).check()
      const row = catalogue.table.getByRole('row').nth(1)
      product = (await row.locator('b').first().textContent()) ?? ''
      await row.click()
      await page
        .getByRole('complementary')
        .getByRole('button', { name: /^(Create offer|Offer at)/ })
        .click()
      await page.getByRole('dialog').getByLabel('You receive').fill('9.87')
      await page.getByRole('dialog').getByRole('button', { name: 'Offer at EUR 9.87' }).click()
      await expect(page.getByText(new RegExp(`^${product} .*: new offer queued`))).toBeVisible()
    })

    await test.step('discard one change and undo that; nothing can be sent', async () => {
      await page.keyboard.press('g')
      await page.keyboard.press('x')
      await expect(page.getByRole('heading', { level: 1, name: 'Queued changes' })).toBeVisible()
      await expect(
        page.getByText('Nothing can be sent until the connection is back.'),
      ).toBeVisible()
      await outbox.row(paused.name, 'Status').first().click()
      await page.keyboard.down('Delete')
      await expect(page.getByRole('button', { name: 'Queued 4' })).toBeVisible()
      // A held key doesn't act on the changes that follow.
      for (let repeat = 0; repeat < 3; repeat += 1) await page.keyboard.down('Delete')
      await page.keyboard.up('Delete')
      await page.getByRole('button', { name: 'Discarded 1', exact: true }).click()
      await page.getByRole('button', { name: `Restore: status of ${paused.name}` }).click()
      await page.getByRole('button', { name: 'Queued 5' }).click()
    })

    await test.step('restart Keydesk: the changes are still there, the API key isn’t, and it says so', async () => {
      await harness.end('SIGKILL')
      await page.goto(await harness.start())
      await expect(
        page.getByText('The API key isn’t on this computer anymore.').first(),
      ).toBeVisible()
      await shell.open('Queued changes')
      await expect(page.getByRole('button', { name: 'Queued 5' })).toBeVisible()
      await expect(outbox.row(product, 'New offer')).toBeVisible()
      await shell.open('Offers')
      await expect(page.getByRole('grid', { name: 'Offers' }).getByRole('row').nth(3)).toBeVisible()
    })

    await test.step('others changed two offers; with the key, all is compared and nothing is sent', async () => {
      await service.start()
      await service.seller(key, 'PATCH', `/offers/${disputed.id}`, {
        price: cents(disputed.price + 0.4) / 100,
      })
      await service.seller(key, 'PATCH', `/offers/${pausedTwice.id}`, { status: 'paused' })
      await shell.enterKey(key)
      await shell.open('Queued changes')
      await expect(page.getByText(/All 5 were compared with the service at/)).toBeVisible({
        timeout: 30_000,
      })
      await expect(page.getByText(/^Back online since \d\d:\d\d:\d\d\.$/)).toBeVisible()
      await expect(outbox.group('Needs your decision')).toContainText('1')
      await expect(outbox.group('Ready to send')).toContainText('3')
      await expect(outbox.group('Nothing to send')).toContainText('1')
      await expect(outbox.row(disputed.name, 'Price')).toContainText(typed(disputed.price + 0.4))
      const now = await service.offers(key)
      expect(now.find(({ id }) => id === unhurt.id)?.price).toBe(unhurt.price)
      expect(now.find(({ id }) => id === paused.id)?.status).toBe('active')
    })

    await test.step('send the ready changes, decide the conflict with another price, clear the others', async () => {
      await page.keyboard.press('Control+Enter')
      await expect(page.getByRole('button', { name: 'Sent 3' })).toBeVisible()
      await outbox
        .row(disputed.name, 'Price')
        .getByRole('button', { name: /^Decide/ })
        .click()
      const panel = page.getByRole('complementary', { name: disputed.name })
      await expect(panel.getByText('The price changed while you were offline')).toBeVisible()
      await panel.getByLabel('Another price, EUR').fill(typed(disputed.price + 0.07))
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: 'Sent 4' })).toBeVisible()
      await page.getByRole('button', { name: `Clear: status of ${pausedTwice.name}` }).click()
      await expect(page.getByText('No queued changes')).toBeVisible()
      await page.getByRole('button', { name: 'Sent 4' }).click()
      await expect(outbox.row(product, 'New offer')).toBeVisible()
    })

    await test.step('the service has exactly the approved changes, each once', async () => {
      const now = await service.offers(key)
      const of = (id: string): ServiceOffer | undefined => now.find((offer) => offer.id === id)
      expect(of(unhurt.id)?.price).toBeCloseTo(unhurt.price + 0.11, 5)
      expect(of(disputed.id)?.price).toBeCloseTo(disputed.price + 0.07, 5)
      expect([of(paused.id)?.status, of(pausedTwice.id)?.status]).toEqual(['paused', 'paused'])
      expect(now.filter(({ name, price }) => name === product && price === 9.87)).toHaveLength(1)
      const { results } = (await service.dashboard(
        'GET',
        '/requests?limit=100&path=/v1/seller/offers*',
      )) as { results: { method: string; path: string; status: number }[] }
      // This test reads with the same key, so that the service may turn a request away for its rate.
      const writes = results
        .filter(({ method, status }) => method !== 'GET' && status !== 429)
        .map(({ method, path }) => `${method} ${path.split('/').at(-1) ?? ''}`)
      // Two of the changes were made by others.
      expect(writes.toSorted()).toEqual(
        [unhurt, disputed, disputed, paused, pausedTwice]
          .map(({ id }) => `PATCH ${id}`)
          .concat('POST offers')
          .toSorted(),
      )
    })
    await service.stop()
  },
)
