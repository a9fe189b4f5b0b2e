import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { cents, fromCents, subtractCents } from '../../../server/api/money.ts'
import { sellerReceives } from '../../../src/renderer/lib/commission.ts'
import { DisputesPage } from '../../pages/disputes.ts'
import { ImportPage } from '../../pages/seller.ts'
import { connectionTo } from '../../support/core-connection.ts'
import { keyFile } from '../../support/key-file.ts'
import type { Film } from './film.ts'
import { chooseFile, link, rowOf, startSandbox } from './stage.ts'

const file = keyFile(11, 60, 3, 2)
const restock = {
  name: 'restock.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(file.csv),
}

/** The amount to receive that makes the open offer the cheapest by a cent. */
async function leadingPrice(page: Page): Promise<string> {
  const core = await connectionTo(page)
  const { rpc } = core
  const seller = (await rpc.accounts.list()).find(({ role }) => role === 'seller')
  const offerId = /off_\w+/.exec(page.url())?.[0] ?? ''
  const offer = await rpc.offers.offer({ accountId: seller?.id ?? '', offerId })
  core.close()
  const customer = subtractCents(offer.lowestCustomerCents ?? cents(0), cents(1))
  return fromCents(sellerReceives(customer, offer.commission?.percent ?? 0)).toFixed(2)
}

/** Prepares the demo seller with an unlocked vault; Today is open. */
export async function prepareSeller(page: Page, address: string): Promise<void> {
  await startSandbox(page, address)
  await expect(rowOf(page, 'Re-price').first()).toBeVisible({ timeout: 60_000 })
  await expect(rowOf(page, 'Import').first()).toBeVisible()
}

/** A seller's day: a lost lead, keys for an empty offer, a dispute, and the earnings. */
export async function sellerDay(film: Film): Promise<void> {
  await film.step('today', {
    keyboard: async () => {},
    mouse: async () => {},
    settled: () => expect(film.page.getByLabel('The shop today')).toContainText(/\d/),
  })
  await winBackLead(film)
  await restockOffer(film)
  await answerDispute(film)
  const sales = film.page.getByRole('grid', { name: 'Sales' })
  await film.step('sales', {
    keyboard: () => film.go('e', 'Sales and balance'),
    mouse: () => film.click(link(film.page, 'Sales')),
    settled: () => expect(sales.getByRole('row').nth(5)).toBeVisible(),
  })
}

async function winBackLead(film: Film): Promise<void> {
  const { page } = film
  const panel = page.getByRole('complementary').last()
  const lost = rowOf(page, 'Re-price').first()
  await film.step('lost-lead', {
    keyboard: async () => {
      await film.moveTo(lost)
      await film.keys('Enter')
    },
    mouse: () => film.click(lost),
    settled: () => expect(panel.getByRole('button', { name: /^Undercut by/ })).toBeVisible(),
  })
  await film.step('price', {
    keyboard: async () => film.type(await leadingPrice(page)),
    mouse: () => film.click(panel.getByRole('button', { name: /^Undercut by/ })),
    settled: () => expect(panel.getByText(/^Takes the lead by/)).toBeVisible(),
  })
  await film.step('saved', {
    keyboard: () => film.keys('Enter'),
    mouse: () => film.click(panel.getByRole('button', { name: /^Save price/ })),
    settled: () => expect(page.getByRole('button', { name: /^Undo/ })).toBeVisible(),
  })
}

async function restockOffer(film: Film): Promise<void> {
  const { page } = film
  const imports = new ImportPage(page)
  const empty = rowOf(page, 'Import').first()
  await film.step('low-stock', {
    keyboard: async () => {
      await film.go('t', 'Today')
      await film.moveTo(empty)
      await film.keys('Enter')
    },
    mouse: async () => {
      await film.click(link(page, 'Today'))
      await film.click(empty)
    },
    settled: () => expect(page.getByText(/^All lines go to/)).toBeVisible(),
  })
  const zone = page.locator('[data-drop-zone]')
  await film.step('check', {
    keyboard: () =>
      chooseFile(page, restock, async () => {
        await film.tabTo(zone)
        await film.keys('Enter')
      }),
    mouse: () => chooseFile(page, restock, () => film.click(zone)),
    settled: () => imports.isChecked(60),
  })
  await film.step('uploaded', {
    keyboard: () => film.keys('Control+Enter'),
    mouse: () => film.click(page.getByRole('button', { name: /^Upload [\d,]+ keys?/ })),
    settled: () => imports.isReported(),
  })
}

async function answerDispute(film: Film): Promise<void> {
  const { page } = film
  const inbox = new DisputesPage(page)
  await film.step('dispute', {
    keyboard: async () => {
      await film.go('d', 'Disputes')
      await expect(inbox.list).toBeVisible()
      await film.keys('j', '1')
    },
    mouse: async () => {
      await film.click(link(page, 'Disputes'))
      await film.click(inbox.list.getByRole('button').first())
      await film.click(page.getByRole('button', { name: /New key on its way/ }))
    },
    settled: () => expect(inbox.answer).toHaveValue(/^Sorry about that/),
  })
  await film.step('answered', {
    keyboard: () => film.keys('Control+Enter'),
    mouse: () => film.click(page.getByRole('button', { name: /^Send answer/ })),
    settled: () => expect(page.getByText(/^Sending 1 reply in \d+ s\./)).toBeVisible(),
  })
}
