import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './child.mjs'
import { modulesFolder } from './paths.mjs'
import { productNode } from './pinned-node.mjs'

/** The system packages that the tests use, each with a program that proves that it is installed. */
const debianPackages = [
  { program: 'chromium', packages: ['chromium'] },
  { program: 'dbus-run-session', packages: ['dbus', 'dbus-daemon'] },
  { program: 'gnome-keyring-daemon', packages: ['gnome-keyring'] },
  { program: 'secret-tool', packages: ['libsecret-tools'] },
]

/** @param {string} program */
const isOnPath = (program) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, program)))

/**
 * Installs the browser and the keychain that the tests need: Debian's packages if we have the
 * rights, otherwise Playwright's own browser. Prints what could not be installed; the tests that
 * need it report that themselves.
 */
export async function prepareMachine() {
  const missing = debianPackages
    .filter(({ program }) => !isOnPath(program))
    .flatMap(({ packages }) => packages)
  if (missing.length === 0) return
  const mayInstall =
    existsSync('/etc/debian_version') && isOnPath('apt-get') && process.getuid?.() === 0
  if (mayInstall) {
    console.error(`Installing ${missing.join(', ')}…`)
    if (await installDebian(missing)) return
    console.error(
      'These packages could not be installed. Tests that need them fail or are reported as skipped.',
    )
  }
  if (!isOnPath('chromium'))
    await run(productNode(), [
      join(modulesFolder, '@playwright', 'test', 'cli.js'),
      'install',
      'chromium',
    ])
}

/** @param {string[]} packages */
async function installDebian(packages) {
  const quiet = {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: /** @type {const} */ (['ignore', 'ignore', 2]),
  }
  const installNow = () =>
    run('apt-get', ['install', '--yes', '--quiet', '--no-install-recommends', ...packages], {
      ...quiet,
      stdio: [...quiet.stdio],
    })
  // The package list may be old or missing in a fresh image, and refreshing it is the slower step.
  if ((await installNow()) === 0) return true
  return (
    (await run('apt-get', ['update', '--quiet'], { ...quiet, stdio: [...quiet.stdio] })) === 0 &&
    (await installNow()) === 0
  )
}
