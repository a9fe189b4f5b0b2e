import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { vaultPassphrase } from '../support/vault-passphrase.ts'

/** The parts around every page: navigation, accounts, vault and toasts. */
export class Shell {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(
    name:
      | 'Today'
      | 'Offers'
      | 'Import keys'
      | 'Import history'
      | 'Key history'
      | 'Catalogue'
      | 'Orders'
      | 'Keys'
      | 'Claims'
      | 'Balance'
      | 'Webhook inspector'
      | 'Queued changes'
      | 'Disputes'
      | 'Price watch'
      | 'Sales'
      | 'Activity'
      | 'Settings',
  ): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .click()
    await expect(this.page.getByRole('heading', { level: 1, name })).toBeVisible()
  }

  async switchTo(account: 'Demo seller' | 'Demo partner'): Promise<void> {
    await this.page.getByRole('button', { name: /Switch account$/ }).click()
    await this.page.getByRole('button', { name: new RegExp(`^${account} .*Ctrl \\d$`) }).click()
    await expect(
      this.page.getByRole('button', { name: new RegExp(`^${account} .*Switch account$`) }),
    ).toBeVisible()
  }

  /** Types the passphrase into the passphrase dialog, or chooses it for a new vault. */
  async openVault(): Promise<void> {
    const dialog = this.page
      .getByRole('dialog')
      .filter({ has: this.page.getByLabel('Passphrase', { exact: true }) })
    await dialog.getByLabel('Passphrase', { exact: true }).fill(vaultPassphrase)
    const again = dialog.getByLabel('Repeat passphrase')
    if (await again.isVisible()) await again.fill(vaultPassphrase)
    await dialog.getByRole('button', { name: /Use this passphrase|Unlock the vault/ }).click()
    await expect(dialog).toBeHidden({ timeout: 30_000 })
  }

  /** Types the words before keys are saved unencrypted, and gives the second proof. */
  async saveUnencrypted(what: string): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: 'Export keys unencrypted' })
    await expect(dialog).toContainText(what)
    await expect(dialog.getByRole('button', { name: 'Save unencrypted' })).toBeDisabled()
    await dialog.getByRole('textbox').fill('export unencrypted')
    await dialog.getByRole('button', { name: 'Save unencrypted' }).click()
    await this.prove()
  }

  /** Gives the second proof that an action asks for. */
  async prove(passphrase = vaultPassphrase): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: 'Confirm that it’s you' })
    await dialog.getByLabel(/Passphrase of the vault|Security passphrase/).fill(passphrase)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect(dialog).toBeHidden({ timeout: 30_000 })
  }

  /** Runs a palette action by its name. */
  async act(name: string): Promise<void> {
    await this.page.keyboard.press('Control+k')
    await this.page.getByRole('dialog').getByRole('combobox').fill(name)
    const option = this.page.getByRole('option', { name }).first()
    // Products, orders and the like arrive later and then become the first result.
    await expect(this.page.getByRole('listbox', { name: 'Results' })).toHaveAttribute(
      'aria-busy',
      'false',
    )
    while ((await option.getAttribute('aria-selected')) !== 'true')
      await this.page.keyboard.press('ArrowDown')
    await this.page.keyboard.press('Enter')
  }

  get status(): Locator {
    return this.page.getByRole('contentinfo').last()
  }

  /**
   * Enters an account's key again, as required after each start on a machine without a keychain.
   */
  async enterKey(key: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Enter the key…' }).click()
    const dialog = this.page.getByRole('dialog')
    await dialog.getByLabel('API key').fill(key)
    await dialog.getByLabel(/Keep the key in memory until Keydesk quits/).check()
    await dialog.getByRole('button', { name: 'Use this key' }).click()
    await expect(dialog).toBeHidden({ timeout: 30_000 })
  }
}

/** Opens a seller's offers or a partner's catalogue. */
async function openFirstList(page: Page): Promise<void> {
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages
    .getByRole('link', { name: /^(Offers|Catalogue)/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: /^(Offers|Catalogue)/ })).toBeVisible({
    timeout: 30_000,
  })
}

/** The first page of a new data folder. */
export class FirstRun {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** @param options.stay Stay on Today instead of opening the list that most tests begin with. */
  async startSandbox(options: { stay?: boolean } = {}): Promise<void> {
    await expect(this.page.getByRole('heading', { name: 'Welcome to Keydesk' })).toBeVisible({
      timeout: 30_000,
    })
    await this.page.getByRole('button', { name: 'Start the sandbox' }).click()
    await expect(this.page.getByRole('navigation', { name: 'Pages' })).toBeVisible({
      timeout: 60_000,
    })
    if (options.stay !== true) await openFirstList(this.page)
  }

  /**
   * Connects an account of an external service. Without a keychain, its key is stored until Keydesk
   * quits.
   */
  async connect(key: string, baseUrl: string, name: string): Promise<void> {
    await this.page.getByLabel('API key').fill(key)
    await this.page.getByLabel('Service address').fill(baseUrl)
    await this.page.getByLabel('Name in Keydesk').fill(name)
    const inMemory = this.page.getByLabel('Keep the key in memory until Keydesk quits')
    const stored = this.page.getByText(/^The key is stored in this system’s keychain \(/)
    await expect(inMemory.or(stored)).toBeVisible()
    if (await inMemory.isVisible()) await inMemory.check()
    await this.page.getByRole('button', { name: `Connect ${name}` }).click()
    await expect(
      this.page.getByRole('button', { name: new RegExp(`^${name} .*Switch account$`) }),
    ).toBeVisible({ timeout: 30_000 })
    await openFirstList(this.page)
  }
}
