import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { FirstRun } from '../../pages/shell.ts'
import { connectionTo } from '../../support/core-connection.ts'
import { vaultPassphrase } from '../../support/vault-passphrase.ts'

/** Unlocks the vault, which needs a passphrase on a computer without a keychain. */
async function openVault(page: Page): Promise<void> {
  const core = await connectionTo(page)
  await core.rpc.vault.choosePassphrase({ passphrase: vaultPassphrase })
  core.close()
}

/** Starts the sandbox as on a later day: the vault is open, and the first steps are dismissed. */
export async function startSandbox(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await new FirstRun(page).startSandbox({ stay: true })
  await openVault(page)
  await dismissFirstSteps(page)
}

export async function dismissFirstSteps(page: Page): Promise<void> {
  const dismiss = page.getByRole('button', { name: 'Dismiss first steps' })
  await dismiss.click()
  await expect(dismiss).toBeHidden()
}

/** The buttons of Today's rows with this action. */
export const rowOf = (page: Page, action: string): Locator =>
  page.getByRole('button', { name: new RegExp(`^${action}: `) })

/** Chooses a file in the system's dialog, which `open` opens. */
export async function chooseFile(
  page: Page,
  file: { name: string; mimeType: string; buffer: Buffer },
  open: () => Promise<void>,
): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await open()
  await (await chooser).setFiles(file)
}

/** A page in the navigation. */
export const link = (page: Page, name: string): Locator =>
  page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
