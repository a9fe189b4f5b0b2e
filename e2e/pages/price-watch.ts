import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { Shell } from './shell.ts'

/** The price watch: market, rules, decisions and simulation. */
export class PriceWatchPage extends Shell {
  get market(): Locator {
    return this.page.getByRole('grid', { name: 'Market' })
  }

  get decisions(): Locator {
    return this.page.getByRole('grid', { name: 'Decisions' })
  }

  /** Opens one of the page's views. */
  async view(name: 'Market' | 'Rules' | 'Decisions' | 'Simulation'): Promise<void> {
    await this.page
      .getByRole('group', { name: 'Price watch' })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click()
  }

  /** A tab of the market, such as Proposals. */
  async tab(name: string): Promise<void> {
    await this.page
      .getByRole('group', { name: 'Market' })
      .last()
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click()
  }

  /** The count of a market tab. */
  async count(name: string): Promise<number> {
    return Number(
      (
        (await this.page
          .getByRole('group', { name: 'Market' })
          .last()
          .getByRole('button', { name: new RegExp(`^${name}`) })
          .textContent()) ?? ''
      ).replace(/\D/g, ''),
    )
  }

  /**
   * Creates a rule for all offers with this floor for the seller's amount, saves it by keyboard and
   * turns on its proposals.
   */
  async newRule(floor: string): Promise<void> {
    await expect(this.page.getByRole('button', { name: /^New rule/ })).toBeVisible()
    await this.page.keyboard.press('n')
    await this.page
      .getByRole('combobox', { name: 'Never below', exact: true })
      .selectOption('receive')
    await this.page.getByRole('textbox', { name: 'Never below: amount' }).fill(floor)
    await this.page.keyboard.press('Control+s')
    const proposes = this.page.getByRole('switch', { name: 'The rule proposes' })
    await proposes.focus()
    await this.page.keyboard.press('Space')
  }
}
