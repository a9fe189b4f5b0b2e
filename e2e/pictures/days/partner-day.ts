import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { Shell } from '../../pages/shell.ts'
import { connectionTo } from '../../support/core-connection.ts'
import type { Film } from './film.ts'
import { dismissFirstSteps, link, startSandbox } from './stage.ts'

/**
 * The product of the day: keys on Steam with a name of its own, enough in stock for an order and a
 * replacement.
 */
async function productInStock(page: Page): Promise<string> {
  const core = await connectionTo(page)
  const { world } = core.rpc.sandbox
  const { results } = await world.products({ search: '', limit: 100 })
  const fits = results.filter(
    ({ qty, price, platform, region, deliveryType }) =>
      (qty ?? 0) > 9 &&
      price > 500 &&
      price < 3000 &&
      platform === 'Steam' &&
      region === 'Global' &&
      deliveryType === 'key',
  )
  try {
    for (const { name } of fits) {
      const { results: alike } = await world.products({ search: name, limit: 10 })
      if (alike.filter((each) => each.name.startsWith(name)).length === 1) return name
    }
  } finally {
    core.close()
  }
  throw new Error('No product fits the film')
}

/** Prepares the demo partner with an unlocked vault; Today is open. Returns the product to order. */
export async function preparePartner(page: Page, address: string): Promise<string> {
  await startSandbox(page, address)
  const product = await productInStock(page)
  const shell = new Shell(page)
  await shell.switchTo('Demo partner')
  await shell.open('Today')
  await dismissFirstSteps(page)
  await expect(page.getByRole('table', { name: 'Needs attention' })).toBeVisible()
  return product
}

/** A partner's day: an order, its keys, one handed over, and one claimed and replaced. */
export async function partnerDay(film: Film, product: string): Promise<void> {
  await film.step('today', {
    keyboard: async () => {},
    mouse: async () => {},
    settled: () => expect(film.page.getByLabel('Balance and orders')).toContainText(/\d/),
  })
  await order(film, product)
  await handOver(film)
  await claim(film)
  await film.step('balance', {
    keyboard: () => film.go('b', 'Balance'),
    mouse: () => film.click(link(film.page, 'Balance')),
    settled: () => expect(film.page.getByRole('figure', { name: 'Spending by day' })).toBeVisible(),
  })
}

async function order(film: Film, product: string): Promise<void> {
  const { page } = film
  const row = page.getByRole('grid', { name: 'Products' }).getByRole('row').nth(1)
  const isFound = () => expect(row).toContainText(product)
  await film.step('product', {
    keyboard: async () => {
      await film.go('c', 'Catalogue')
      await film.keys('/')
      await film.type(product)
      await isFound()
      await film.keys('Enter')
    },
    mouse: async () => {
      await film.click(link(page, 'Catalogue'))
      await film.fill(page.getByRole('searchbox', { name: 'Search the catalogue' }), product)
      await isFound()
      await film.click(row)
    },
    settled: () => expect(page.getByRole('button', { name: /^Add to order/ })).toBeVisible(),
  })
  await film.step('order', {
    keyboard: async () => {
      await film.keys('n', 'n')
      await film.go('o', 'Orders')
      await film.keys('n')
    },
    mouse: async () => {
      await film.click(page.getByRole('button', { name: /^Add to order/ }))
      await film.click(page.getByRole('button', { name: /^Add to order/ }))
      await film.click(page.getByRole('complementary').getByRole('button', { name: 'View order' }))
    },
    settled: () =>
      expect(page.getByRole('textbox', { name: /^Maximum price/ })).not.toHaveValue(''),
  })
  await film.step('ordered', {
    keyboard: () => film.keys('Control+Enter'),
    mouse: () => film.click(page.getByRole('button', { name: /^Place .*order/ })),
    settled: () => expect(page.getByText('Completed', { exact: true })).toBeVisible(),
  })
}

async function handOver(film: Film): Promise<void> {
  const { page } = film
  const dialog = page.getByRole('dialog')
  const download = page.getByRole('button', { name: 'Download keys…' })
  await film.step('keys', {
    keyboard: async () => {
      await film.keys('d')
      await expect(dialog).toBeVisible()
      await film.keys('Control+Enter')
    },
    mouse: async () => {
      await film.click(download)
      await film.click(dialog.getByRole('button', { name: 'Download 2 keys' }))
    },
    settled: () => expect(page.getByRole('button', { name: /^Reveal key/ })).toHaveCount(2),
  })
  const mark = page.getByRole('button', { name: 'Mark key 1 of line 1 as handed over…' })
  const note = dialog.getByLabel('Note (optional)')
  await film.step('handed-over', {
    keyboard: async () => {
      await film.keys('j')
      await film.tabTo(mark)
      await film.keys('Enter')
      await expect(note).toBeFocused()
      await film.type('shop 17')
      await film.keys('Control+Enter')
    },
    mouse: async () => {
      await film.click(mark)
      await film.fill(note, 'shop 17')
      await film.click(dialog.getByRole('button', { name: 'Mark 1 key' }))
    },
    settled: async () => {
      await expect(dialog).toBeHidden()
      await expect(page.getByText('Handed over', { exact: true })).toBeVisible()
    },
  })
}

async function claim(film: Film): Promise<void> {
  const { page } = film
  const panel = page.getByRole('complementary').last()
  const flag = page.getByRole('button', { name: 'Claim key 1 of line 1…' })
  const text = page.getByRole('textbox', { name: 'What happened' })
  const claimText = 'The platform says that this key is already used.'
  await film.step('claim', {
    keyboard: async () => {
      await film.tabTo(flag)
      await film.keys('Enter')
      await film.tabTo(text)
      await film.keys('Control+a')
      await film.type(claimText)
    },
    mouse: async () => {
      await film.click(flag)
      await film.fill(text, claimText)
    },
    settled: () => expect(text).toHaveValue(claimText),
  })
  await film.step('claimed', {
    keyboard: () => film.keys('Control+Enter'),
    mouse: () => film.click(page.getByRole('button', { name: /^File claim/ })),
    settled: () => expect(panel.getByText('Claim filed', { exact: true })).toBeVisible(),
  })
  const send = page.getByRole('button', { name: 'Send a new key' })
  const open = page.getByRole('button', { name: 'Open the new key' })
  await film.step('replacement', {
    keyboard: async () => {
      await film.tabTo(send)
      await film.keys('Enter')
      await film.tabTo(open)
      await film.keys('Enter')
    },
    mouse: async () => {
      await film.click(send)
      await film.click(open)
    },
    settled: () => expect(page.getByText('New, replaces a claimed key')).toBeVisible(),
  })
}
