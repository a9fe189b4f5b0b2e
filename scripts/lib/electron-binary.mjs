import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { modulesFolder } from './paths.mjs'

/**
 * Finds the Electron executable. It doesn't load the `electron` module, which would try a download
 * that blocks for minutes on a network that doesn't respond.
 *
 * @param {{ folder?: string, env?: NodeJS.ProcessEnv }} [about] node_modules and the environment,
 *   unless overridden
 * @returns {string | undefined} its path; undefined if there is none
 */
export function electronBinary({ folder = modulesFolder, env = process.env } = {}) {
  const pathFile = join(folder, 'electron', 'path.txt')
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : undefined
  const elsewhere = env['ELECTRON_OVERRIDE_DIST_PATH']
  if (elsewhere !== undefined && elsewhere !== '')
    return existing(join(elsewhere, name ?? defaultName()))
  if (name === undefined || isAbsolute(name)) return undefined
  return existing(join(folder, 'electron', 'dist', name))
}

/** @param {string} path */
function existing(path) {
  return existsSync(path) ? path : undefined
}

function defaultName() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron'
  return process.platform === 'win32' ? 'electron.exe' : 'electron'
}

/**
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 * @returns {boolean} whether a window can be shown; only Linux can lack a display
 */
export function hasDisplay(platform = process.platform, env = process.env) {
  return platform !== 'linux' || Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])
}
