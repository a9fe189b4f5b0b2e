import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../child.mjs'
import { folderSize } from '../folder-size.mjs'
import { root } from '../paths.mjs'
import { PlainFailure } from '../plain-failure.mjs'
import { fixFacts, writeTree } from './package-tree.mjs'

/** @type {Partial<Record<NodeJS.Architecture, 'amd64' | 'arm64'>>} */
const architectures = { x64: 'amd64', arm64: 'arm64' }

/** Seconds since 1970 that all files of the package have: SOURCE_DATE_EPOCH, or the last commit's. */
export function sourceDate(env = process.env) {
  const given = env['SOURCE_DATE_EPOCH']
  if (given !== undefined && /^\d{1,11}$/.test(given)) return Number(given)
  if (given !== undefined)
    throw new PlainFailure(`SOURCE_DATE_EPOCH must be seconds since 1970, not “${given}”.`)
  try {
    return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root }).toString())
  } catch {
    throw new PlainFailure(
      'The date of the sources is unknown outside Git. Set SOURCE_DATE_EPOCH (seconds since 1970).',
    )
  }
}

/** Debian sorts a prerelease before its release only with a tilde. */
const debianVersion = (/** @type {string} */ version) => version.replace('-', '~')

/** @param {{ version: string, architecture: string, kib: number }} about */
const control = ({ version, architecture, kib }) => `Package: keydesk
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: the owner of Keydesk <keydesk@localhost>
Installed-Size: ${kib}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6
Recommends: xdg-utils, chromium | www-browser, gnome-keyring | kwalletmanager
Section: misc
Priority: optional
Description: operations console for people who sell and buy digital goods
 Keydesk imports keys, prices offers, answers disputes and places orders, and
 resumes all of it after a crash. It runs on its own Node and opens in Chromium
 or the default browser. A complete copy of the service is included for
 practice without a network.
`

/**
 * Builds `keydesk_VERSION_ARCHITECTURE.deb`. The same sources, packages and date result in the same
 * bytes.
 *
 * @param {{ target: string, version: string, date: number, level?: number }} options `target`: the
 *   folder of the package; `level`: of xz
 * @returns {Promise<{ path: string, bytes: number, parts: { name: string, bytes: number }[] }>}
 */
export async function buildDebianPackage({ target, version, date, level = 9 }) {
  const architecture = architectures[process.arch]
  if (process.platform !== 'linux' || architecture === undefined)
    throw new PlainFailure('A Debian package can be built only on Linux, on amd64 or arm64.')
  const folder = join(target, 'keydesk-deb')
  const day = new Date(date * 1000).toISOString().slice(0, 10)
  await writeTree({ folder, version, architecture, date: day })
  const controls = join(folder, 'DEBIAN')
  const kib = Math.ceil(folderSize(folder) / 1024)
  mkdirSync(controls)
  writeFileSync(join(controls, 'control'), control({ version, architecture, kib }))
  for (const name of ['preinst', 'postinst', 'postrm'])
    cpSync(join(root, 'resources/linux/debian', name), join(controls, name))
  fixFacts(folder, date)
  const path = join(target, `keydesk_${debianVersion(version)}_${architecture}.deb`)
  const status = await run(
    'dpkg-deb',
    ['--root-owner-group', '-Zxz', `-z${level}`, '--threads-max=1', '--build', folder, path],
    // The date of the archive's own entries.
    { env: { ...process.env, SOURCE_DATE_EPOCH: String(date), LC_ALL: 'C' } },
  )
  if (status === 127)
    throw new PlainFailure('dpkg-deb is missing. It is part of Debian and its relatives.')
  if (status !== 0) throw new PlainFailure('dpkg-deb failed. See the reason above.')
  return { path, bytes: statSync(path).size, parts: partsOf(folder) }
}

/** Unpacked size of each part of the package. */
function partsOf(/** @type {string} */ folder) {
  const current = join(folder, 'usr/lib/keydesk/current')
  const parts = ['browser-host', 'server', 'workers', 'renderer', 'node_modules'].map((name) => ({
    name,
    bytes: folderSize(join(current, name)),
  }))
  return [
    { name: 'node', bytes: statSync(join(current, 'node')).size },
    ...parts,
    { name: 'icons, manual, notices', bytes: folderSize(join(folder, 'usr/share')) },
  ]
}

/** The version in package.json. */
export function productVersion() {
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return version
}
