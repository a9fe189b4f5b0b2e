import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { Shell } from './shell.ts'

const digits = (text: string | null): number => Number((text ?? '').replace(/\D/g, ''))

/** The catalogue page. */
export class CataloguePage extends Shell {
  get table(): Locator {
    return this.page.getByRole('grid', { name: 'Products' })
  }

  async search(words: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Search the catalogue' }).fill(words)
  }

  /** Waits until all products are synced. */
  async isComplete(products: number): Promise<void> {
    await expect(
      this.page.getByText(`${new Intl.NumberFormat('en-GB').format(products)} products`),
    ).toBeVisible({ timeout: 60_000 })
  }

  row(name: string | RegExp): Locator {
    return this.table.getByRole('row', { name })
  }

  /**
   * Selects filters and waits for their rows. It uses the keyboard, so that a filter is selected
   * even if new counts move it at that moment.
   */
  async narrow(...filters: readonly RegExp[]): Promise<void> {
    for (const filter of filters) {
      const box = this.page.getByRole('checkbox', { name: filter })
      await box.press('Space')
      await expect(box).toBeChecked()
      await expect(this.table).toHaveAttribute('aria-busy', 'false')
    }
  }

  /**
   * The first product with a stock of ten or more. On a slow machine, earlier rows can still be
   * visible.
   */
  async nameInStock(): Promise<string> {
    return (
      (await this.table
        .getByRole('row')
        .filter({ has: this.page.getByRole('gridcell', { name: /^\d\d$/ }) })
        .first()
        .locator('b')
        .first()
        .textContent()) ?? ''
    )
  }
}

/** The offers page. */
export class OffersPage extends Shell {
  get table(): Locator {
    return this.page.getByRole('grid', { name: 'Offers' })
  }

  /** Creates offers without stock one after the other; the last one stays open. */
  async openEmpty(count: number): Promise<{ offerId: string; name: string }[]> {
    await this.open('Offers')
    await this.page.getByRole('button', { name: /^Empty/ }).click()
    await expect(this.table).toHaveAttribute('aria-busy', 'false')
    const title = this.page.getByRole('complementary').getByRole('heading', { level: 2 })
    const found: { offerId: string; name: string }[] = []
    for (let row = 1; found.length < count; row++) {
      await this.table.getByRole('row').nth(row).click()
      await expect(async () => {
        const offerId = /off_\w+/.exec(this.page.url())?.[0] ?? ''
        const name = (await title.textContent()) ?? ''
        expect(offerId).not.toBe('')
        // The heading appears once the offer has loaded.
        expect(name).not.toBe('Offer')
        expect(found.map((each) => each.name)).not.toContain(name)
        await expect(this.page.getByRole('complementary')).toContainText(offerId)
        found.push({ offerId, name })
      }).toPass({ timeout: 10_000 })
    }
    return found
  }

  /** Searches an offer by its id and makes it the active row. */
  async find(offerId: string, name: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Filter these offers' }).fill(offerId)
    await expect(this.table.getByRole('row')).toHaveCount(2)
    await expect(this.table.getByRole('row').nth(1).locator('b').first()).toHaveText(name)
    await this.page.keyboard.press('ArrowDown')
  }

  /** Searches an offer by its id, types another price and saves it. */
  async setPrice(offerId: string, name: string, price: number): Promise<void> {
    await this.find(offerId, name)
    await this.page.keyboard.press('0')
    await this.page.getByRole('textbox', { name: `Price of ${name}, EUR` }).fill(price.toFixed(2))
    await this.page.keyboard.press('Enter')
  }

  async stockInPanel(): Promise<number> {
    return digits(
      await this.page
        .getByRole('complementary')
        .getByText(/^[\d,]+ keys?$/)
        .textContent(),
    )
  }
}

/** The page of queued changes. */
export class OutboxPage extends Shell {
  get table(): Locator {
    return this.page.getByRole('grid', { name: 'Queued changes' })
  }

  /** The entries with a name, including their change. */
  row(name: string, kind: 'Price' | 'Status' | 'New offer' | 'Answer'): Locator {
    return this.table
      .getByRole('row')
      .filter({ hasText: name })
      .filter({ has: this.page.getByText(new RegExp(`^${kind}( ·|$)`)) })
  }

  group(
    name: 'Needs your decision' | 'Not compared yet' | 'Ready to send' | 'Nothing to send',
  ): Locator {
    return this.table
      .getByRole('row')
      .filter({ has: this.page.locator('b').getByText(name, { exact: true }) })
  }
}

/** The pages of an import, from the first file to the report. */
export class ImportPage extends Shell {
  /**
   * Starts an import of one file with this many lines to an offer without stock, and waits for its
   * check.
   */
  async intoEmptyOffer(
    name: string,
    text: string,
    lines: number,
  ): Promise<{ offerId: string; name: string }> {
    const [empty] = await new OffersPage(this.page).openEmpty(1)
    if (empty === undefined) throw new Error('There is no offer without stock')
    await this.page.getByRole('complementary').getByRole('button', { name: 'Import keys' }).click()
    await this.drop(name, text)
    await this.openVault()
    await this.isChecked(lines)
    return empty
  }

  async drop(name: string, text: string): Promise<void> {
    await this.page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  }

  /**
   * Drops a file or folder from this computer on the center of the page, as a file manager does.
   */
  async dropFromDisk(...paths: readonly string[]): Promise<void> {
    const { width, height } = this.page.viewportSize() ?? { width: 0, height: 0 }
    const session = await this.page.context().newCDPSession(this.page)
    const data = { items: [], files: [...paths], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', {
        type,
        x: Math.round(width / 2),
        y: Math.round(height * 0.8),
        data,
      })
      if (type === 'dragOver')
        await expect(this.page.getByText('Drop to add these files')).toBeVisible()
    }
    await expect(this.page.getByText('Drop to add these files')).toBeHidden()
    await session.detach()
  }

  /** The figure of a part in "lines read = ready + …". */
  async sum(
    term:
      | 'Lines read'
      | 'Ready to upload'
      | 'No offer yet'
      | 'Set aside'
      | 'Duplicates'
      | 'Rejected',
  ): Promise<number> {
    const figure = this.page
      .locator('dl[aria-label^="Lines read"] > div')
      .filter({ hasText: term })
      .locator('dd')
      .first()
    return digits(await figure.textContent())
  }

  async isChecked(lines: number): Promise<void> {
    await expect(async () => expect(await this.sum('Lines read')).toBe(lines)).toPass({
      timeout: 30_000,
    })
    await expect(this.page.getByText('Checking…')).toBeHidden()
  }

  async chooseOffer(name: string): Promise<void> {
    await this.page.getByRole('combobox', { name: /^Offer for/ }).fill(name)
    await this.page
      .getByRole('option', { name: new RegExp(`^${name}`) })
      .first()
      .click()
  }

  async upload(): Promise<void> {
    await this.page.getByRole('button', { name: /^Upload [\d,]+ keys?/ }).click()
  }

  async isReported(): Promise<void> {
    await expect(this.page.getByRole('button', { name: 'Import more' })).toBeVisible({
      timeout: 60_000,
    })
  }
}
