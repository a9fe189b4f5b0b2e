import { expect } from '@playwright/test'
import { FirstRun, Shell } from './pages/shell.ts'
import { seriousViolations } from './support/axe.ts'
import { test } from './support/harness.ts'
import { SecretService } from './support/secret-service.ts'
import { ExternalService } from './support/service.ts'

const passphrase = 'quartz lantern meadow violin'

test.use({ bare: true })

test(
  'sets up a second proof for a vault in the keychain, and asks for it before a proxy is used',
  { tag: '@long' },
  async ({ harness, page }) => {
    test.setTimeout(180_000)
    const keychain = await SecretService.start(harness.home)
    test.skip(keychain === null, 'This machine has no Secret Service.')
    const service = new ExternalService(harness.home, 60)
    await service.start()
    const { key } = await service.issueKey('sellers')
    const shell = new Shell(page)
    const dialog = (name: string) => page.getByRole('dialog', { name })
    const proof = dialog('Confirm that it’s you')
    harness.environment['DBUS_SESSION_BUS_ADDRESS'] = keychain?.address ?? ''

    await test.step('the page says that none is set up, and sets one up', async () => {
      await page.goto(await harness.start())
      await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
      await shell.act('Security settings')
      await expect(page.getByText('No second proof is set up.')).toBeVisible()
      await expect(page.getByText('send an API key to a changed address')).toBeVisible()
      expect(await seriousViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Set up…' }).click()
      const setUp = dialog('Set up a security passphrase')
      const use = setUp.getByRole('button', { name: 'Use this passphrase' })
      await setUp.getByLabel('Security passphrase').fill('password')
      await setUp.getByLabel('Repeat passphrase').fill('password')
      await expect(setUp.getByText(/^Weak, about \d+ bits/)).toBeVisible()
      await expect(use).toBeDisabled()
      await setUp.getByRole('button', { name: 'Generate words' }).click()
      await expect(setUp.getByText(/^77 bits, .* from 7,776 words/)).toBeVisible()
      await expect(setUp.getByText(/^Strong, about \d+ bits/)).toBeVisible()
      await expect(use).toBeEnabled()
      expect(await seriousViolations(page)).toEqual([])
      await setUp.getByLabel('Security passphrase').fill(passphrase)
      await setUp.getByLabel('Repeat passphrase').fill(passphrase)
      await use.click()
      await expect(page.getByText('No second proof is set up.')).toBeHidden()
      await expect(page.getByText('Second proof set', { exact: true })).toBeVisible()
    })

    const own = async (): Promise<void> => {
      await page.getByRole('combobox', { name: 'Proxy' }).selectOption('own')
      const asked = dialog('Proxy')
      await asked.getByLabel('Address').fill('http://proxy.example:8080')
      await asked.getByRole('button', { name: 'Use this proxy' }).click()
      await expect(proof).toContainText('change the proxy')
    }
    await test.step('Escape closes only the question, and the proxy stays unused', async () => {
      await shell.open('Settings')
      await own()
      expect(await seriousViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await expect(proof).toBeHidden()
      await expect(dialog('Proxy')).toBeVisible()
      await expect(page.getByText('This needs your passphrase', { exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog('Proxy')).toBeHidden()
    })

    await test.step('a wrong passphrase is rejected; the right one lets the same action pass', async () => {
      await own()
      await proof.getByLabel('Security passphrase').fill('a wrong guess')
      await page.keyboard.press('Enter')
      await expect(proof.getByText('The security passphrase is wrong.')).toBeVisible()
      await shell.prove(passphrase)
      await expect(page.getByText(/^http:\/\/proxy\.example:8080/)).toBeVisible()
    })

    await test.step('the page lists both, and removes the proof only with itself', async () => {
      await shell.act('Security settings')
      const recent = page.getByRole('complementary', { name: 'Protection' })
      await expect(recent.getByText('Wrong passphrase', { exact: true })).toBeVisible()
      await expect(recent.getByText('Change the proxy')).toBeVisible()
      await page.getByRole('button', { name: 'Remove…' }).click()
      await dialog('Remove the second proof?').getByRole('button', { name: 'Remove it' }).click()
      await shell.prove(passphrase)
      await expect(page.getByText('No second proof is set up.')).toBeVisible()
    })
    await keychain?.end()
  },
)
