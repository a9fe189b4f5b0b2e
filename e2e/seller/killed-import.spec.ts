import { expect } from '@playwright/test'
import { ImportPage } from '../pages/seller.ts'
import { FirstRun, Shell } from '../pages/shell.ts'
import { newAddress } from '../support/address.ts'
import { test } from '../support/harness.ts'
import { keyFile } from '../support/key-file.ts'
import { seeded } from '../support/seeded.ts'

const seed = Number(process.env['KEYDESK_SEED'] ?? Date.now() % 1_000_000)
const file = keyFile(seed, 40_000, 20, 10)

/**
 * The console's process dies three times during the upload. All keys end up on the offer, each
 * once.
 */
test(
  'uploads every key exactly once after three kills',
  { tag: '@long' },
  async ({ harness, page }, info) => {
    test.setTimeout(300_000)
    info.annotations.push({ type: 'seed', description: String(seed) })
    const below = seeded(seed)
    const shell = new Shell(page)
    const imports = new ImportPage(page)
    let name = ''
    let offerId = ''

    let address = await harness.start()
    await test.step('a full disk is reported before there is an account', async () => {
      const another = await page.context().newPage()
      await another.routeWebSocket('**/rpc', (line) => {
        line
          .connectToServer()
          .onMessage((answer) => line.send(String(answer).replace('"full":false', '"full":true')))
      })
      await another.goto(address)
      await expect(another.getByRole('heading', { name: 'Welcome to Keydesk' })).toBeVisible()
      await expect(
        another.getByRole('status').filter({ hasText: 'This computer’s disk is full.' }),
      ).toBeVisible()
      address = await newAddress(another)
      await another.close()
    })

    await test.step('import 40,000 lines to an empty offer', async () => {
      await page.goto(address)
      await new FirstRun(page).startSandbox()
      const empty = await imports.intoEmptyOffer('restock.csv', file.csv, 40_000)
      offerId = empty.offerId
      name = empty.name
      await imports.upload()
      await expect(page.getByText(/keys settled/)).toBeVisible({ timeout: 20_000 })
    })

    const { hash } = new URL(page.url())
    for (let kill = 1; kill <= 3; kill++) {
      await test.step(`kill ${kill}`, async () => {
        await page.waitForTimeout(below(600))
        await harness.end('SIGKILL')
        const url = await harness.start()
        // The first time, the page's first requests are cut off too, and its address still works.
        if (kill === 1) await page.route('**/session', (route) => route.abort(), { times: 1 })
        await page.goto(`${url}${hash}`)
        const open = page.getByRole('button', { name: 'Unlock the vault…' })
        await expect(open.or(page.getByRole('button', { name: 'Import more' }))).toBeVisible({
          timeout: 20_000,
        })
        if (await open.isVisible()) {
          await open.click()
          await shell.openVault()
        }
      })
    }

    await test.step('it finishes automatically, and the report agrees', async () => {
      await imports.isReported()
      await expect(page.getByText(/^39,970 keys uploaded/)).toBeVisible()
    })

    await test.step('a page without its console says so and names the remedy', async () => {
      await page.clock.install()
      await harness.end()
      await expect(
        page.getByRole('alertdialog', { name: 'Keydesk’s background process stopped' }),
      ).toBeVisible()
      await page.clock.fastForward(10_000)
      const notice = page.getByRole('alertdialog', { name: 'Keydesk is not running' })
      await expect(notice).toBeVisible()
      await page.clock.pauseAt(Date.now() + 60_000)
      await harness.start()
      await expect(notice.getByRole('button', { name: 'Retry now' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(
        page.getByRole('heading', { name: 'This address was already used or has expired' }),
      ).toBeVisible()
      await harness.end()
    })

    await test.step('the service has each key once', async () => {
      const service = await harness.service()
      const headers = {
        Authorization: `Bearer ${service.ready.demo.sellerKey}`,
        'Content-Type': 'application/json',
      }
      const answer = await fetch(`${service.ready.sellerUrl}/offers/${offerId}/withdraw`, {
        method: 'POST',
        headers,
        body: '{}',
      })
      const { keys } = (await answer.json()) as { keys: string[] }
      await service.end()
      expect(keys.length, name).toBe(file.keys.length)
      expect(keys.toSorted()).toEqual(file.keys.toSorted())
    })
  },
)
