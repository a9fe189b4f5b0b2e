import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

/** The sandbox's own pages. */
export class SandboxPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(): Promise<void> {
    await this.page.keyboard.press('g')
    await this.page.keyboard.press('n')
    await expect(this.page.getByRole('heading', { level: 1, name: 'Sandbox' })).toBeVisible()
    await expect(this.page.getByRole('group', { name: 'Sandbox pages' })).toBeVisible()
  }

  async part(
    name:
      | 'Control'
      | 'Requests'
      | 'Certificate'
      | 'Worlds'
      | 'Accounts and keys'
      | 'Products'
      | 'Claims'
      | 'Ledger',
  ): Promise<void> {
    await this.page
      .getByRole('group', { name: 'Sandbox pages' })
      .getByRole('button', { name })
      .click()
  }

  /** A list, once it has loaded. */
  async rows(label: string): Promise<Locator> {
    const grid = this.page.getByRole('grid', { name: label })
    await expect(grid).toHaveAttribute('aria-busy', 'false')
    return grid.getByRole('row')
  }

  /** The side panel of the open record. */
  panel(name: string): Locator {
    return this.page.getByRole('complementary', { name })
  }

  /** Sends a partner's webhooks to an address, and checks that its secret is present and masked. */
  async setEndpoint(url: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Endpoint…' }).click()
    await this.page.getByRole('textbox', { name: 'Address' }).fill(url)
    await this.page.keyboard.press('Enter')
    const dialog = this.page.getByRole('dialog')
    await expect(dialog.getByText('whsec_••••••••')).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(dialog).toBeHidden()
  }

  get deliveries(): Locator {
    return this.page.getByRole('table', { name: 'Webhook deliveries' }).getByRole('row')
  }

  get status(): Locator {
    return this.page.getByRole('contentinfo').last()
  }
}
