import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { writeAddressFile } from '../src/browser-host/open-address.ts'
import { newAddress } from './support/address.ts'
import { test } from './support/harness.ts'

test.use({ bare: true })

const welcome = (page: Page) => page.getByRole('heading', { name: 'Welcome to Keydesk' })

/** Answers every navigation itself, and exchanges the token in its address. */
const worker = `
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const token = new URL(event.request.url).searchParams.get('token')
  if (token === null || event.request.mode !== 'navigate') return
  event.respondWith((async () => {
    const read = await fetch(event.request)
      .then((answer) => answer.type + ' ' + answer.headers.get('location'))
    const exchanged = await fetch('/session', { method: 'POST', body: token })
      .then(async (answer) => answer.status + ' ' + await answer.text())
    return new Response('stolen ' + exchanged + ' | ' + read)
  })())
})`

test('a service worker that an earlier page left on the port gets no session @long', async ({
  page,
  harness,
}) => {
  const earlier = createServer((request, response) => {
    const isWorker = request.url === '/worker.js'
    response.writeHead(200, { 'Content-Type': isWorker ? 'text/javascript' : 'text/html' })
    response.end(isWorker ? worker : '<title>Earlier</title>')
  })
  await new Promise<void>((resolve) => {
    earlier.listen(0, '127.0.0.1', resolve)
  })
  const { port } = earlier.address() as AddressInfo
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js')
    await navigator.serviceWorker.ready
  })
  earlier.closeAllConnections()
  await new Promise((resolve) => {
    earlier.close(resolve)
  })

  harness.usePort(port)
  const address = await harness.start()
  await page.goto(address)
  const shown = await page.textContent('body')
  expect(shown).toMatch(/^stolen 401/)
  expect(shown).toContain('opaqueredirect null')

  // The file that Keydesk opens itself leads to an origin that the worker doesn't have.
  await page.goto('about:blank')
  await harness.end()
  const next = await harness.start()
  const opened = await fetchRedirect(next)
  const parent = mkdtempSync(join(tmpdir(), 'keydesk-open-e2e-'))
  const file = writeAddressFile({ page: opened, entry: null }, parent)
  await page.goto(pathToFileURL(file.path).href)
  await expect(welcome(page)).toBeVisible()
  expect(new URL(page.url()).hostname).toMatch(/^keydesk-[0-9a-f]{20}\.localhost$/)
  await page.reload()
  await expect(welcome(page)).toBeVisible()
  const registered = await page.evaluate(() =>
    navigator.serviceWorker.register('/worker.js').then(
      () => 'registered',
      () => 'rejected',
    ),
  )
  expect(registered).toBe('rejected')
  rmSync(parent, { recursive: true })
})

/** The address that a browser is sent to, as Keydesk writes it to the file that it opens. */
async function fetchRedirect(address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(
      address,
      {
        headers: {
          'Sec-Fetch-Site': 'none',
          'Sec-Fetch-Mode': 'navigate',
          'Sec-Fetch-Dest': 'document',
        },
      },
      (response) => {
        response.resume()
        resolve(response.headers.location ?? '')
      },
    )
      .on('error', reject)
      .end()
  })
}

test('an address from the history opens nothing, ends the session and is reported @long', async ({
  page,
  context,
  harness,
}) => {
  const address = await harness.start()
  await page.goto(`${address}#/settings`)
  await expect(welcome(page)).toBeVisible()
  const history = await page.evaluate(() => location.href)
  expect(history).not.toContain('token')

  const leaked = await context.newPage()
  await leaked.goto(address)
  const used = { name: 'This address was already used or has expired' }
  await expect(leaked.getByRole('heading', used)).toBeVisible()
  await expect(page.getByRole('heading', used)).toBeVisible()
})

test('lists and ends the sessions of other tabs @long', async ({ page, context, harness }) => {
  await page.goto(await harness.start())
  await page
    .getByRole('button', { name: /sandbox/i })
    .first()
    .click()
  await page.getByRole('link', { name: 'Settings' }).first().click()
  const another = await context.newPage()
  await another.goto(await newAddress(page))
  await expect(another.getByRole('heading', { name: 'Today' })).toBeVisible()
  const buttons = page.getByRole('button', { name: /^End session of/ })
  await expect(buttons).toHaveCount(2)
  await expect(page.getByText('(this tab)')).toHaveCount(1)
  await buttons.first().click()
  await expect(buttons).toHaveCount(1)
  await expect(
    another.getByRole('heading', { name: 'This address was already used or has expired' }),
  ).toBeVisible()
})
