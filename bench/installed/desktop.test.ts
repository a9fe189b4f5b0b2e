import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect as expectPage } from '@playwright/test'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ImportPage } from '../../e2e/pages/seller.ts'
import { FirstRun, Shell } from '../../e2e/pages/shell.ts'
import { watchCommandLines } from '../../e2e/support/command-lines.ts'
import { connectionTo } from '../../e2e/support/core-connection.ts'
import { keyFile } from '../../e2e/support/key-file.ts'
import { vaultPassphrase } from '../../e2e/support/vault-passphrase.ts'
import { buildDebianPackage, productVersion } from '../../scripts/lib/deb/debian-package.mjs'
import { createCleanRoot, missingForCleanRoot } from './clean-root.ts'
import { buildCompletely, missingForDesktop, startDesktop } from './desktop-session.ts'

const missing = missingForCleanRoot() ?? missingForDesktop()
if (missing !== null) console.warn(`The Debian package isn't tested on a desktop: ${missing}.`)
const minutes = 60_000
const date = 1_790_000_000
const newer = '99.0.0'
const file = keyFile(7, 5000, 37, 12)

let folder = ''
const built: string[] = []
let clean: Awaited<ReturnType<typeof createCleanRoot>>
let desktop: Awaited<ReturnType<typeof startDesktop>>

/** The versions of the running Keydesk, by its program. */
const runningVersions = (): string[] => [
  ...new Set(
    clean
      .programs()
      .flatMap(
        (path) =>
          /\/usr\/lib\/keydesk\/([^/]+)-[0-9a-f]{8}\/node(?: \(deleted\))?$/.exec(path)?.[1] ?? [],
      ),
  ),
]

type Connection = Awaited<ReturnType<typeof connectionTo>>
type Rpc = Connection['rpc']
async function connect(page: Page): Promise<Connection> {
  await page.waitForFunction(() => sessionStorage.getItem('keydesk.session') !== null)
  return connectionTo(page)
}

/** The sandbox's service as another program uses it. */
async function askService(
  rpc: Rpc,
  which: 'seller' | 'dashboard',
  [method, path]: readonly [string, string],
  body?: unknown,
) {
  const { sellerUrl, dashboardUrl } = await rpc.sandbox.addresses()
  const { value } = await rpc.sandbox.secret({ which })
  const answer = await fetch((which === 'seller' ? sellerUrl : dashboardUrl) + path, {
    method,
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect([path, answer.status]).toEqual([path, 200])
  return answer.json() as Promise<unknown>
}
const slowUploads = (rpc: Rpc): Promise<unknown> =>
  askService(rpc, 'dashboard', ['PUT', '/faults'], [{ match: { method: 'POST' }, latencyMs: 5000 }])

/** The keys of an offer, as the service counts them. */
async function stockOf(rpc: Rpc, offerId: string): Promise<number> {
  const offer = await askService(rpc, 'seller', ['GET', `/offers/${offerId}`])
  return (offer as { stock: number }).stock
}

async function untilSandboxRuns(rpc: Rpc): Promise<void> {
  await expect
    .poll(async () => (await rpc.sandbox.state()).state, { timeout: minutes })
    .toBe('running')
}

describe.skipIf(missing !== null)(
  'the Debian package on a desktop (only as root on Debian)',
  () => {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'keydesk-desktop-'))
      for (const name of ['first', 'second']) {
        mkdirSync(join(folder, name))
        buildCompletely(join(folder, name), date)
        const made = readdirSync(join(folder, name)).find((each) => each.endsWith('.deb')) ?? ''
        built.push(join(folder, name, made))
      }
      const { path } = await buildDebianPackage({
        target: join(folder, 'second'),
        version: newer,
        date,
        level: 0,
      })
      copyFileSync(path, join(folder, 'newer.deb'))
      clean = await createCleanRoot()
      desktop = await startDesktop(clean)
    }, 20 * minutes)
    afterAll(async () => {
      await desktop.close()
      await clean.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('has the same bytes in two complete builds', () => {
      const [first = '', second = ''] = built
      expect(readFileSync(first).equals(readFileSync(second))).toBe(true)
    })

    test(
      'imports 5,000 keys once, although it is upgraded and quit in the middle, and rolled back',
      async () => {
        const [current = '', next = ''] = [built[0] ?? '', join(folder, 'newer.deb')].map((path) =>
          clean.bring(path),
        )
        const lines = watchCommandLines(50)
        const secrets = new Set<string>()
        const learn = async (page: Page, { rpc }: Connection): Promise<void> => {
          for (const which of ['seller', 'dashboard'] as const)
            secrets.add((await rpc.sandbox.secret({ which })).value)
          secrets.add(await page.evaluate(() => sessionStorage.getItem('keydesk.session') ?? ''))
        }

        clean.run('dpkg', '--force-depends', '-i', current)
        let page = await desktop.launch()
        await new FirstRun(page).startSandbox()
        const { offerId } = await new ImportPage(page).intoEmptyOffer('restock.csv', file.csv, 5000)
        let connection = await connect(page)
        await learn(page, connection)
        await slowUploads(connection.rpc)
        await new ImportPage(page).upload()
        await expect
          .poll(() => stockOf(connection.rpc, offerId), { timeout: minutes })
          .toBeGreaterThan(0)

        clean.run('dpkg', '--force-depends', '-i', next)
        expect(await connection.rpc.updates.state()).toMatchObject({
          status: 'installed',
          busy: { uploads: 1 },
        })
        await expect(connection.rpc.updates.restart({ when: 'now' })).rejects.toMatchObject({
          data: { code: 'CONFLICT' },
        })
        expect(runningVersions()).toEqual([productVersion()])
        connection.close()
        await desktop.quit()

        page = await desktop.launch()
        expect(runningVersions()).toEqual([newer])
        connection = await connect(page)
        await untilSandboxRuns(connection.rpc)
        await learn(page, connection)
        expect(await stockOf(connection.rpc, offerId)).toBeLessThan(file.keys.length)
        await connection.rpc.vault.unlock({ passphrase: vaultPassphrase })
        await expect
          .poll(() => stockOf(connection.rpc, offerId), { timeout: 2 * minutes, interval: 500 })
          .toBe(file.keys.length)
        connection.close()
        await desktop.quit()

        clean.run('dpkg', '--force-depends,downgrade', '-i', current)
        page = await desktop.launch()
        expect(runningVersions()).toEqual([productVersion()])
        connection = await connect(page)
        const link = await desktop.follow('keydesk://open/sales')
        await expectPage(link.getByRole('heading', { level: 1, name: 'Sales' })).toBeVisible({
          timeout: 30_000,
        })
        await new Shell(page).open('Import history')
        await expectPage(page.getByText(/4,951/).first()).toBeVisible({ timeout: 30_000 })
        await untilSandboxRuns(connection.rpc)
        await learn(page, connection)
        const { keys } = (await askService(
          connection.rpc,
          'seller',
          ['POST', `/offers/${offerId}/withdraw`],
          {},
        )) as { keys: string[] }
        expect(keys.toSorted()).toEqual(file.keys.toSorted())
        connection.close()
        await desktop.quit()

        // The systemd unit starts it without a window, and the desktop entry opens one.
        const unit = clean.start(...desktop.unitCommand())
        const [ready] = (await once(unit.stdout ?? unit, 'data')) as [Buffer]
        expect(ready.toString()).toBe('{"ready":true}\n')
        await expectPage(
          (await desktop.launch()).getByRole('navigation', { name: 'Pages' }),
        ).toBeVisible({ timeout: 30_000 })
        await Promise.all([desktop.quit(), once(unit, 'close')])

        const seen = lines.stop(/keydesk/)
        expect(seen.some((line) => line.includes('--app=file:///tmp/keydesk-open-'))).toBe(true)
        expect(seen.filter((line) => /token=/.test(line))).toEqual([])
        for (const secret of secrets)
          expect(seen.filter((line) => line.includes(secret))).toEqual([])

        clean.run('dpkg', '--purge', 'keydesk')
        expect(clean.status('test', '-e', '/usr/lib/keydesk')).toBe(1)
        expect(clean.status('test', '-s', `${clean.home}/.config/Keydesk/keydesk.db`)).toBe(0)
      },
      15 * minutes,
    )
  },
)
