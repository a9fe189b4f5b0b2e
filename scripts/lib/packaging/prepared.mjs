import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmCommand } from '../install.mjs'
import { modulesFolder, root } from '../paths.mjs'
import { PlainFailure } from '../plain-failure.mjs'

/*
 * What packaging needs besides the build: the keychain's library for the system of the package, which
 * npm installs only on that system, and the icon in the sizes that Linux looks for.
 */

const folder = '.cache/dist'
/** Has a folder per system, such as `win32-x64`, to be copied into node_modules. */
export const keyringFolder = `${folder}/keyring`
export const iconFolder = `${folder}/icons`

/** @type {Record<string, string>} */
const keyringPackages = {
  'darwin-arm64': '@napi-rs/keyring-darwin-arm64',
  'darwin-x64': '@napi-rs/keyring-darwin-x64',
  'linux-arm64': '@napi-rs/keyring-linux-arm64-gnu',
  'linux-x64': '@napi-rs/keyring-linux-x64-gnu',
  'win32-arm64': '@napi-rs/keyring-win32-arm64-msvc',
  'win32-x64': '@napi-rs/keyring-win32-x64-msvc',
}

/**
 * Copies the keychain's library for a system from node_modules, or fetches the locked version if it
 * belongs to another system, and checks it against the lock file.
 *
 * @param {string} system Node's names of platform and architecture, such as `win32-x64`
 */
export function prepareKeyring(system) {
  const name = keyringPackages[system]
  if (name === undefined) throw new PlainFailure(`Keydesk has no keychain library for ${system}.`)
  const target = join(root, keyringFolder, system, name)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const installed = join(modulesFolder, name)
  if (existsSync(installed)) cpSync(installed, target, { recursive: true })
  else execFileSync('tar', ['-xzf', fetchLocked(name), '-C', target, '--strip-components=1'])
}

/**
 * @param {string} name of a package in the lock file
 * @returns {string} path of its archive, with the locked checksum
 */
function fetchLocked(name) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { version, integrity } = packages[`node_modules/${name}`]
  const archives = join(root, folder, 'archives')
  const archive = join(archives, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  if (!existsSync(archive)) {
    mkdirSync(archives, { recursive: true })
    const { program, first, shell } = npmCommand()
    const args = [
      ...first,
      'pack',
      '--silent',
      `${name}@${version}`,
      '--pack-destination',
      archives,
    ]
    execFileSync(program, args, { shell, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const checksum = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (integrity === `sha512-${checksum}`) return archive
  rmSync(archive)
  throw new PlainFailure(
    `The registry's ${name} ${version} doesn't match the lock file, so nothing was packaged.`,
  )
}

/** Writes the icon as one file per size: the pictures inside resources/icon.ico, and the large one. */
export function prepareIcons() {
  const icons = join(root, iconFolder)
  mkdirSync(icons, { recursive: true })
  for (const { size, png } of picturesOf(readFileSync(join(root, 'resources', 'icon.ico'))))
    writeFileSync(join(icons, `${size}x${size}.png`), png)
  cpSync(join(root, 'resources', 'icon.png'), join(icons, '512x512.png'))
}

/**
 * The PNG pictures of a Windows icon: a table of entries of 16 bytes, each with size and place.
 *
 * @param {Buffer} ico
 * @returns {{ size: number, png: Buffer }[]} size in pixels
 */
export function picturesOf(ico) {
  return Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + 16 * index
    const start = ico.readUInt32LE(entry + 12)
    return {
      size: ico[entry] || 256,
      png: ico.subarray(start, start + ico.readUInt32LE(entry + 8)),
    }
  })
}
