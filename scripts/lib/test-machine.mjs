import { existsSync, statfsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './child.mjs'
import { modulesFolder } from './paths.mjs'
import { productNode } from './pinned-node.mjs'

const browsers = ['chromium-headless-shell', 'chromium']

/** The system packages that the tests use, each with programs of which one proves it is installed. */
const debianPackages = [
  { programs: browsers, packages: ['chromium-headless-shell'] },
  { programs: ['dbus-run-session'], packages: ['dbus', 'dbus-daemon'] },
  { programs: ['gnome-keyring-daemon'], packages: ['gnome-keyring'] },
  { programs: ['secret-tool'], packages: ['libsecret-tools'] },
]

/** @param {string} program */
const isOnPath = (program) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, program)))

/** Linux's file system in memory. */
const memoryFolder = '/dev/shm'
/** The tests use a few hundred megabytes at a time. */
const enoughBytes = 4 * 1024 ** 3

/**
 * Where the tests create their temporary folders: in memory if there is enough, because no test
 * depends on the disk and waiting for it makes them slower; otherwise the system's folder.
 *
 * @returns {Record<string, string>} environment variables
 */
export function temporaryFolder() {
  if (!existsSync(memoryFolder)) return {}
  const { bavail, bsize } = statfsSync(memoryFolder)
  return bavail * bsize < enoughBytes ? {} : { TMPDIR: memoryFolder }
}

/**
 * Installs the browser and the keychain that the tests need: Debian's packages if we have the
 * rights, otherwise Playwright's own browser. Prints what could not be installed; the tests that
 * need it report that themselves.
 */
export async function prepareMachine() {
  const missing = debianPackages
    .filter(({ programs }) => !programs.some(isOnPath))
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
  if (!browsers.some(isOnPath))
    await run(productNode(), [
      join(modulesFolder, '@playwright', 'test', 'cli.js'),
      'install',
      '--only-shell',
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
