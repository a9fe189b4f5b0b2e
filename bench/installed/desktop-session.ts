import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import type { createCleanRoot } from './clean-root.ts'

type CleanRoot = Awaited<ReturnType<typeof createCleanRoot>>

/** Programs of a desktop, and Debian's packages that contain them. */
const needed = {
  '/usr/bin/chromium': 'chromium',
  '/usr/bin/Xvfb': 'xvfb',
  '/usr/bin/gio': 'libglib2.0-bin',
  '/usr/bin/xdg-open': 'xdg-utils',
  '/usr/bin/update-desktop-database': 'desktop-file-utils',
}
const entry = '/usr/share/applications/keydesk.desktop'
const display = ':97'
const patienceMs = 60_000

/** Installs the missing programs. Returns why that isn't possible; null if all are there. */
export function missingForDesktop(): string | null {
  const packages = Object.entries(needed)
    .filter(([program]) => !existsSync(program))
    .map(([, name]) => name)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '-y', '--no-install-recommends', ...packages]
  for (const args of packages.length === 0 ? [] : [['update'], install])
    if (spawnSync('apt-get', args, { env }).status !== 0)
      return `${packages.join(', ')} can’t be installed`
  return existsSync('/etc/chromium.d') ? null : 'its Chromium isn’t Debian’s'
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/**
 * A person's desktop in a clean root: a display, the desktop entries, and Chromium, which a test
 * drives. Chromium runs without its own sandbox, which isn't possible in a changed root.
 */
export async function startDesktop(clean: CleanRoot) {
  const port = await freePort()
  const flags = [
    '--no-sandbox',
    '--no-first-run',
    `--user-data-dir=${clean.home}/chromium`,
    `--remote-debugging-port=${port}`,
  ]
  clean.run(
    'sh',
    '-c',
    `echo 'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS ${flags.join(' ')}"' > /etc/chromium.d/keydesk-test`,
  )
  clean.start('Xvfb', display, '-screen', '0', '1440x900x24')
  const start = (...args: string[]): void => {
    const child = clean.start(`DISPLAY=${display}`, ...args)
    child.stdout?.resume()
    child.stderr?.resume()
  }
  const seen = new Set<Page>()
  let browser: Browser | undefined

  async function newWindow(): Promise<Page> {
    for (const end = performance.now() + patienceMs; performance.now() < end; await wait(200)) {
      if (browser?.isConnected() !== true)
        browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`).catch(() => undefined)
      const pages = browser?.contexts().flatMap((context) => context.pages()) ?? []
      const page = pages.find(
        (each) => !seen.has(each) && /^http:\/\/(?:keydesk-|127)/.test(each.url()),
      )
      if (page === undefined) continue
      seen.add(page)
      return page
    }
    throw new Error('No window of Keydesk opened.')
  }

  return {
    /** Starts Keydesk from its desktop entry, as a click on its icon does. */
    launch(): Promise<Page> {
      start('gio', 'launch', entry)
      return newWindow()
    },
    /** Opens a `keydesk:` link, as another program does. */
    follow(link: string): Promise<Page> {
      start('xdg-open', link)
      return newWindow()
    },
    /** The program and arguments in the systemd unit. */
    unitCommand: (): string[] =>
      (
        /^ExecStart=(.+)$/m.exec(clean.run('cat', '/usr/lib/systemd/user/keydesk.service'))?.[1] ??
        ''
      ).split(' '),
    /** Quits Keydesk with the command of its desktop entry, and waits for it. */
    async quit(): Promise<void> {
      const command = /^\[Desktop Action quit\][^[]*^Exec=(.+)$/m.exec(clean.run('cat', entry))?.[1]
      await once(clean.start(...(command ?? '').split(' ')), 'close')
    },
    async close(): Promise<void> {
      await browser?.close()
    },
  }
}

/** Builds the package as a person does, with complete compression. */
export function buildCompletely(folder: string, date: number): void {
  execFileSync(process.execPath, ['scripts/deb.mjs', folder], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(date) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
