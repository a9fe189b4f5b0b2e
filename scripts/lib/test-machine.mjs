import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './child.mjs'
import { modulesFolder } from './paths.mjs'
import { productNode } from './pinned-node.mjs'

/**
 * What the tests use besides npm's packages: a program that proves the presence of each Debian
 * package.
 */
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
 * Brings the browser and the keychain that the tests need: Debian's packages where we may install
 * them, else Playwright's own browser. What can't be had is said; the tests that need it then say
 * so themselves.
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
      'These packages could not be installed; the tests that need them fail or say that they are skipped.',
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
  // The list of packages may be old or absent in a fresh image, and refreshing it is the slower
  // half.
  if ((await installNow()) === 0) return true
  return (
    (await run('apt-get', ['update', '--quiet'], { ...quiet, stdio: [...quiet.stdio] })) === 0 &&
    (await installNow()) === 0
  )
}
