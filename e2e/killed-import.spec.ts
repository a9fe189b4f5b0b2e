import { expect } from '@playwright/test'
import { ImportPage } from './pages/seller.ts'
import { FirstRun, Shell } from './pages/shell.ts'
import { test } from './support/desk.ts'
import { keyFile } from './support/key-file.ts'
import { seeded } from './support/seeded.ts'

const seed = Number(process.env['KEYDESK_SEED'] ?? Date.now() % 1_000_000)
const file = keyFile(seed, 40_000, 20, 10)

/**
 * The console's process dies three times while it uploads; the file is on the offer, each key once.
 */
test('an import that is killed three times uploads every key exactly once', async ({
  desk,
  page,
}, info) => {
  test.setTimeout(300_000)
  info.annotations.push({ type: 'seed', description: String(seed) })
  const below = seeded(seed)
  const shell = new Shell(page)
  const imports = new ImportPage(page)
  let name = ''
  let offerId = ''

  let address = await desk.start()
  await test.step('a full disk is told before there is an account', async () => {
    const another = await page.context().newPage()
    await another.routeWebSocket('**/rpc', (line) => {
      line
        .connectToServer()
        .onMessage((answer) => line.send(String(answer).replace('"full":false', '"full":true')))
    })
    await another.goto(address)
    await expect(another.getByRole('heading', { name: 'Welcome to Keydesk' })).toBeVisible()
    await expect(
      another.getByRole('status').filter({ hasText: 'The disk of this machine is full.' }),
    ).toBeVisible()
    address = await another.evaluate(async () =>
      (
        await fetch('/token', {
          method: 'POST',
          headers: { Authorization: `Bearer ${sessionStorage.getItem('keydesk.session')}` },
        })
      ).text(),
    )
    await another.close()
  })

  await test.step('an empty offer and a file of 40,000 lines', async () => {
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
    await test.step(`killed for the ${kill}. time`, async () => {
      await page.waitForTimeout(below(600))
      await desk.end('SIGKILL')
      const url = await desk.start()
      // The first time, what the page asks for first is cut off as well: its address is still good.
      if (kill === 1) await page.route('**/session', (route) => route.abort(), { times: 1 })
      await page.goto(`${url}${hash}`)
      const open = page.getByRole('button', { name: 'Open the vault…' })
      await expect(open.or(page.getByRole('button', { name: 'Import more' }))).toBeVisible({
        timeout: 20_000,
      })
      if (await open.isVisible()) {
        await open.click()
        await shell.openVault()
      }
    })
  }

  await test.step('it ends by itself, and the report agrees', async () => {
    await imports.isReported()
    await expect(page.getByText(/^39,970 keys uploaded/)).toBeVisible()
  })

  await test.step('a page without its console says so, and what helps', async () => {
    await page.clock.install()
    await desk.end()
    await expect(
      page.getByRole('alertdialog', { name: 'The part of Keydesk that does the work has stopped' }),
    ).toBeVisible()
    await page.clock.fastForward(10_000)
    const told = page.getByRole('alertdialog', { name: 'Keydesk is not running' })
    await expect(told).toBeVisible()
    await page.clock.pauseAt(Date.now() + 60_000)
    await desk.start()
    await expect(told.getByRole('button', { name: 'Try now' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(
      page.getByRole('heading', { name: 'This address has been used, or is too old' }),
    ).toBeVisible()
    await desk.end()
  })

  await test.step('the service has each key once', async () => {
    const service = await desk.service()
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
})
