import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The addresses of one page, each with its own token. */
export type Addresses = {
  /** At the origin of this start. */
  page: string
  /** For browsers that can't resolve the page's; null if every browser can. */
  entry: string | null
}

/** A file that opens an address. Command lines are readable by every user of a computer. */
export type AddressFile = { path: string; remove(): void }

/**
 * Writes a file that opens an address in a browser: 0600 in a new folder with mode 0700, so that
 * only this user can read the token. Remove it as soon as the token is used or has expired.
 */
export function writeAddressFile(addresses: Addresses, parent: string = tmpdir()): AddressFile {
  const folder = mkdtempSync(join(parent, 'keydesk-open-'))
  const path = join(folder, 'open-keydesk.html')
  writeFileSync(path, redirectPage(addresses), { mode: 0o600, flag: 'wx' })
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Safari doesn't resolve `*.localhost` unless the system does; Chromium and Firefox always do. */
function redirectPage({ page, entry }: Addresses): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Opening Keydesk</title>
<script>
const page = ${JSON.stringify(page)}
const entry = ${JSON.stringify(entry)}
const resolves = /Chrom(e|ium)\\/|Firefox\\//.test(navigator.userAgent)
location.replace(entry === null || resolves ? page : entry)
</script>
<noscript><p>Opening Keydesk needs JavaScript.</p></noscript>
`
}

/**
 * Asks the system to open a file in its browser. Resolves false if the system can't (a server
 * without a desktop).
 */
export function openFile(
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const address = pathToFileURL(path).href
  const [command, args] =
    platform === 'darwin'
      ? (['open', [address]] as const)
      : platform === 'win32'
        ? (['rundll32', ['url.dll,FileProtocolHandler', address]] as const)
        : (['xdg-open', [address]] as const)
  return launch(command, args)
}

/** Browsers that can show a page without tabs and address bar, as `--app`. */
const windowBrowsers = [
  'chromium',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'brave-browser',
]

/**
 * The first browser on the PATH that can show a window of its own; null if there is none. Those of
 * snaps can't read the file.
 */
export function windowBrowser(path = process.env['PATH'] ?? ''): string | null {
  for (const name of windowBrowsers)
    for (const folder of path.split(delimiter)) {
      try {
        const found = join(folder, name)
        accessSync(found, constants.X_OK)
        if (!/\/snap(?:\/|$)/.test(realpathSync(found))) return found
      } catch {
        // Not in this folder.
      }
    }
  return null
}

/** Opens a file in a window of its own where a browser can, otherwise in the system's browser. */
export async function openWindow(path: string): Promise<boolean> {
  const browser = process.platform === 'linux' ? windowBrowser() : null
  if (browser !== null && (await launch(browser, [`--app=${pathToFileURL(path).href}`])))
    return true
  return openFile(path)
}

/**
 * A program that can't open the file exits with another status than 0 within this time; one that
 * runs longer shows the page. In milliseconds.
 */
const failsWithinMs = 2000

/** Whether the program opened the page. It runs on after this process ends. */
function launch(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => child.unref())
    const timer = setTimeout(() => resolve(true), failsWithinMs)
    child.once('exit', (status) => {
      clearTimeout(timer)
      resolve(status === 0)
    })
  })
}
