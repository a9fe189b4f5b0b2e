import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { Shell } from '../pages/shell.ts'
import type { Stop } from './stop.ts'

/**
 * "Where your secrets are" in its states, opened from the settings. The vault is open before and
 * after.
 */
export async function secrets(page: Page, shell: Shell, at: Stop): Promise<void> {
  const dialog = async (button: string, stop: string): Promise<void> => {
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await at(stop)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await page.getByRole('button', { name: 'Show all…' }).click()
  await expect(
    page.getByRole('heading', { level: 1, name: 'Where your secrets are' }),
  ).toBeVisible()
  await at('secrets')
  await dialog('Replace key…', 'secrets-new-key')
  await dialog('Make a copy…', 'secrets-recovery')
  await dialog('Open an export…', 'secrets-read-export')
  await page.getByRole('button', { name: /^Lock/ }).click()
  await expect(page.getByText('Locked', { exact: true })).toBeVisible()
  await at('secrets-locked')
  await page.getByRole('button', { name: 'Unlock', exact: true }).click()
  await shell.openVault()
}
