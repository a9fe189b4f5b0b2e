import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { test as base, expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { signManifest } from '../../src/core/updates/manifest.ts'
import { ImportPage } from '../pages/seller.ts'
import { FirstRun, Shell } from '../pages/shell.ts'
import { keyFile } from '../support/key-file.ts'
import { ExternalService } from '../support/service.ts'
import { calls } from './electron.ts'
import { forked } from './utility-process.ts'

/*
 * Updates of an AppImage: the built main with a core that looks for updates at this test's server.
 * Main runs once per process, so that this file has a process of its own.
 */
const test = base.extend<object, { ownProcess: string }>({
  ownProcess: ['updates', { scope: 'worker', option: true }],
})
test.skip(process.platform !== 'linux', 'Only Linux has AppImages.')
test.skip(process.env['KEYDESK_APP_FOLDER'] !== undefined, 'A package has no address for updates.')
test.use({ ownProcess: 'electron-updates' })
test.describe.configure({ mode: 'serial' })

const day = 86_400_000
const image = 'the new image '.repeat(2000)
const first = generateKeyPairSync('ed25519')
const foreign = generateKeyPairSync('ed25519')
const answers = new Map<string, string>()
const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '')
  response.writeHead(answer === undefined ? 404 : 200).end(answer)
})

let home: string
let service: ExternalService
let installed: string
let page: Page

function serveManifest(privateKey: KeyObject, sequence: number): void {
  const now = Date.now()
  const manifest = {
    product: 'keydesk' as const,
    version: '99.0.0',
    sequence,
    released: now - day,
    expires: now + 30 * day,
    floor: '0.1.0',
    rollout: 100,
    changes: ['Replies can be undone.'],
    files: [
      {
        platform: `linux-${process.arch}-appimage`,
        name: 'Keydesk-99.0.0.AppImage',
        bytes: image.length,
        sha512: createHash('sha512').update(image).digest('hex'),
      },
    ],
  }
  answers.set('/manifest.json', signManifest(manifest, '2026-a', privateKey))
}

/** The built app with a core that has this test's source of updates. */
function buildApp(): string {
  const app = resolve('test-results', 'updates-app')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/manifest.json`
  const publicKey = first.publicKey.export({ format: 'jwk' }).x
  rmSync(app, { recursive: true, force: true })
  mkdirSync(join(app, 'out'), { recursive: true })
  for (const name of ['main', 'preload'])
    cpSync(join('out', name), join(app, 'out', name), { recursive: true })
  for (const name of ['renderer', 'server', 'workers'])
    symlinkSync(resolve('out', name), join(app, 'out', name))
  symlinkSync(resolve('resources'), join(app, 'resources'))
  const source = join(app, 'update-source.json')
  writeFileSync(source, JSON.stringify({ address, keys: [{ id: '2026-a', publicKey }] }))
  const program = `
    const { buildSeparately } = await import('./scripts/lib/build-separately.mjs')
    const { separateBuilds } = await import('./vite.shared.ts')
    const core = separateBuilds.find(({ name }) => name === 'core')
    await buildSeparately(core, ${JSON.stringify(join(app, 'out', 'core'))})`
  execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, KEYDESK_UPDATE_SOURCE: source },
    stdio: 'inherit',
  })
  return app
}

test.beforeAll(async ({ browser }) => {
  home = mkdtempSync(join(tmpdir(), 'keydesk-updates-'))
  mkdirSync(join(home, 'run'), { mode: 0o700 })
  installed = join(home, 'Keydesk.AppImage')
  writeFileSync(installed, 'the installed image', { mode: 0o755 })
  process.env['APPIMAGE'] = installed
  process.env['APPDIR'] = dirname(process.execPath)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  answers.set('/Keydesk-99.0.0.AppImage', image)
  process.env['KEYDESK_APP_FOLDER'] = buildApp()
  service = new ExternalService(home, 60)
  await service.start()
  // It reads the folder when it is loaded.
  const { runMain, showWindow } = await import('./run-main.ts')
  await runMain(home)
  page = await showWindow(await browser.newContext())
})
test.afterAll(async () => {
  await Promise.all(forked.filter(({ ended }) => !ended).map((each) => each.kill()))
  await page.context().close()
  await service.stop()
  server.close()
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
})

const button = (name: string | RegExp) => page.getByRole('button', { name })
const isUnchanged = (): void => {
  expect(readFileSync(installed, 'utf8')).toBe('the installed image')
  expect([calls.relaunches, calls.ended]).toEqual([[], false])
}

test('rejects a manifest that another key signed, and changes nothing @long', async () => {
  const { key } = await service.issueKey('sellers')
  await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
  serveManifest(foreign.privateKey, 1)
  await new Shell(page).open('Settings')
  await button('Check for updates').click()
  await expect(page.getByText('This update was rejected')).toBeVisible()
  await expect(button(/^Download/)).toHaveCount(0)
  isUnchanged()
})

test('installs nothing while an upload is in flight, and the verified image afterwards @long', async () => {
  test.setTimeout(120_000)
  const imports = new ImportPage(page)
  await imports.intoEmptyOffer('restock.csv', keyFile(7, 500, 0, 0).csv, 500)
  await service.dashboard('PUT', '/faults', [{ match: { method: 'POST' }, latencyMs: 15_000 }])
  await imports.upload()

  serveManifest(first.privateKey, 2)
  await new Shell(page).open('Settings')
  await button('Check for updates').click()
  await button(/^Download/).click()
  await expect(page.getByText('Update ready: Keydesk 99.0.0')).toBeVisible()
  await expect(button('Restart now')).toBeInViewport()
  await button('Update ready').click()
  const card = page.getByRole('dialog')
  await expect(card).toContainText('1 upload must finish first')
  await expect(card).toContainText('Import, 0 of 500 done')
  await expect(card.getByRole('button', { name: 'Restart now' })).toBeDisabled()
  // Neither opening the card nor Enter restarts anything.
  await page.keyboard.press('Enter')
  await card.getByRole('button', { name: 'Restart when it finishes' }).click()
  await expect(card).toContainText('Keydesk restarts when the work has finished.')
  await page.keyboard.press('Escape')
  await expect(button('Update ready')).toBeFocused()
  isUnchanged()

  await expect.poll(() => calls.ended, { timeout: 60_000 }).toBe(true)
  expect(readFileSync(installed, 'utf8')).toBe(image)
  expect(statSync(installed).mode & 0o777).toBe(0o755)
  expect(calls.relaunches).toEqual([{ execPath: installed, args: [] }])
  expect(forked.filter(({ ended }) => !ended)).toEqual([])
  const { key } = await service.issueKey('sellers')
  const offers = await service.offers(key)
  expect(Math.max(...offers.map(({ stock }) => stock))).toBeGreaterThanOrEqual(500)
})
