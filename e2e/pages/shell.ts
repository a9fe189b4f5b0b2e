import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

/** The passphrase of every vault that a test makes on a machine without a keychain. */
const passphrase = 'correct horse battery staple'

/** What stands around every page: navigation, accounts, vault, toasts. */
export class Shell {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(name: 'Offers' | 'Import keys' | 'Catalogue' | 'Orders' | 'Settings'): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: new RegExp(`^${name}`) }).click()
    await expect(this.page.getByRole('heading', { level: 1, name })).toBeVisible()
  }

  async switchTo(account: 'Demo seller' | 'Demo partner'): Promise<void> {
    await this.page.getByRole('button', { name: /Switch account$/ }).click()
    await this.page.getByRole('button', { name: new RegExp(`^${account} .*Ctrl \\d$`) }).click()
    await expect(this.page.getByRole('button', { name: new RegExp(`^${account} .*Switch account$`) })).toBeVisible()
  }

  /** Types the passphrase into the dialog that asks for it, choosing it where the vault is new. */
  async openVault(): Promise<void> {
    const dialog = this.page.getByRole('dialog').filter({ has: this.page.getByLabel('Passphrase', { exact: true }) })
    await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase)
    const again = dialog.getByLabel('The same again')
    if (await again.isVisible()) await again.fill(passphrase)
    await dialog.getByRole('button', { name: /Use this passphrase|Open the vault/ }).click()
    await expect(dialog).toBeHidden()
  }

  get status(): Locator {
    return this.page.getByRole('contentinfo').last()
  }
}

/** The first page of a new desk. */
export class FirstRun {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async startSandbox(): Promise<void> {
    await expect(this.page.getByRole('heading', { name: 'Welcome to Keydesk' })).toBeVisible()
    await this.page.getByRole('button', { name: 'Start the sandbox' }).click()
    await expect(this.page.getByRole('navigation', { name: 'Pages' })).toBeVisible({ timeout: 60_000 })
  }
}
