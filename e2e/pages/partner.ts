import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { CataloguePage } from './seller.ts'
import { Shell } from './shell.ts'

/** The page for a new order. */
export class NewOrderPage extends Shell {
  /** Adds the first product with exactly that name. */
  async add(product: string): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Add a product' }).fill(product)
    await this.page
      .getByRole('option')
      .filter({ has: this.page.locator('b').getByText(product, { exact: true }) })
      .first()
      .click()
  }

  async place(): Promise<void> {
    await this.page.getByRole('button', { name: /^Place .*order/ }).click()
  }
}

/** The page of one order. */
export class OrderPage extends Shell {
  /**
   * Orders one unit of an available product that matches the catalogue filters, and waits for its
   * delivery.
   */
  async placeOne(...filters: readonly RegExp[]): Promise<void> {
    const catalogue = new CataloguePage(this.page)
    await catalogue.open('Catalogue')
    await catalogue.narrow(...filters, /^In stock/)
    const product = await catalogue.nameInStock()
    await this.open('Orders')
    await this.page.getByRole('button', { name: 'New order' }).first().click()
    const composer = new NewOrderPage(this.page)
    await composer.add(product)
    await composer.place()
    await expect(this.page.getByText('Completed')).toBeVisible({ timeout: 20_000 })
  }

  get keys(): Locator {
    return this.page
      .getByRole('row')
      .filter({ has: this.page.getByRole('button', { name: /^(Reveal|Hide) key/ }) })
  }

  async downloadKeys(): Promise<void> {
    await this.page.getByRole('button', { name: 'Download keys…' }).click()
  }

  async confirmDownload(): Promise<void> {
    await this.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Download \d+ keys?/ })
      .click()
    await expect(this.keys.first()).toBeVisible()
  }

  /** Reveals a key and returns its value. */
  async reveal(index: number): Promise<string> {
    const row = this.keys.nth(index)
    const masked = await row.getByRole('cell').first().textContent()
    await row.getByRole('button', { name: /^Reveal key/ }).click()
    await expect(row.getByRole('button', { name: /^Hide key/ })).toBeVisible()
    const value = (await row.getByRole('cell').first().textContent()) ?? ''
    expect(value).not.toBe(masked)
    return value
  }
}
