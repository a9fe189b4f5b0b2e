import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { Shell } from './shell.ts'

const passphrase = 'correct horse battery staple'

/** The dispute inbox, used only by keyboard. */
export class DisputesPage extends Shell {
  get list(): Locator {
    return this.page.getByRole('list', { name: 'Disputes' })
  }

  get messages(): Locator {
    return this.page.getByRole('log', { name: 'Messages' })
  }

  get answer(): Locator {
    return this.page.getByRole('textbox', { name: 'Answer to the customer' })
  }

  async goThere(): Promise<void> {
    // Two keys within a second and a half form a chord; on a busy machine the second one can arrive
    // too late.
    await expect(async () => {
      await this.page.keyboard.press('g')
      await this.page.keyboard.press('d')
      await expect(this.page.getByRole('heading', { level: 1, name: 'Disputes' })).toBeVisible({
        timeout: 2000,
      })
    }).toPass()
  }

  /** Finds the disputes of a product, opens the first one, and opens the vault. */
  async findAndUnlock(product: string, count: number): Promise<void> {
    const search = this.page.getByRole('searchbox', { name: 'Search product or ID' })
    await search.fill(product)
    const inbox = this.page.getByRole('button', { name: new RegExp(`^Inbox ${count}`) })
    await expect(inbox).toBeVisible({ timeout: 30_000 })
    await search.press('Enter')
    await this.enterVault()
    await this.page.keyboard.press('Escape')
  }

  /** The id of the open dispute, from the address. */
  get openId(): string | null {
    return /#\/disputes\/(dsp_[^/?]+)/.exec(this.page.url())?.[1] ?? null
  }

  /**
   * Chooses or types the passphrase by keyboard. Deriving a key from it takes long when many tests
   * share the processor. `shortcut`: the key that needs the vault.
   */
  async enterVault(shortcut = 'r'): Promise<void> {
    await expect(this.page.getByRole('button', { name: 'Unlock the vault…' })).toBeVisible()
    await this.page.keyboard.press(shortcut)
    const dialog = this.page
      .getByRole('dialog')
      .filter({ has: this.page.getByLabel('Passphrase', { exact: true }) })
    await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase)
    const again = dialog.getByLabel('Repeat passphrase')
    if (await again.isVisible()) await again.fill(passphrase)
    await this.page.keyboard.press('Enter')
    await expect(dialog).toBeHidden({ timeout: 90_000 })
  }

  /** Opens the next dispute and waits until it is shown. */
  async next(): Promise<string> {
    const before = this.openId
    await this.page.keyboard.press('j')
    await expect.poll(() => this.openId, { timeout: 15_000 }).not.toBe(before)
    const id = this.openId ?? ''
    await expect(this.page.getByText(id, { exact: true })).toBeVisible()
    await expect(this.messages.getByRole('article').first()).toBeVisible()
    return id
  }

  /** Confirms a dialog and types the text it asks for. */
  async confirm(): Promise<void> {
    const dialog = this.page.getByRole('dialog')
    const wanted = dialog.locator('label b')
    await expect(dialog.getByRole('listitem').first()).toBeVisible()
    if ((await wanted.count()) > 0)
      await this.page.keyboard.type((await wanted.textContent()) ?? '')
    await this.page.keyboard.press('Control+Enter')
  }
}
