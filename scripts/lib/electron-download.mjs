import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from './child.mjs'
import { folderSize } from './folder-size.mjs'
import { modulesFolder } from './paths.mjs'
import { productNode } from './pinned-node.mjs'

const day = 24 * 60 * 60 * 1000
const second = 1000

/** Limits in milliseconds: without any new byte, and in total. */
export const hurried = { still: 20 * second, total: 90 * second }
/** The limits when a person requested the download explicitly: as long as data arrives. */
export const patient = { still: 60 * second, total: Number.POSITIVE_INFINITY }

/**
 * Remembers a failed download, so that the next starts don't wait for it. The record expires after
 * a day and with another version of Electron.
 *
 * @param {string} file
 * @param {string} version of Electron
 */
export function failureMemory(file, version) {
  return {
    /** @param {number} now milliseconds since 1970 */
    isFresh(now) {
      if (!existsSync(file)) return false
      const [failedVersion, at] = readFileSync(file, 'utf8').split(' ')
      const age = now - Number(at)
      return failedVersion === version && age >= 0 && age < day
    },
    /** @param {number} now milliseconds since 1970 */
    remember(now) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${version} ${now}`)
    },
    forget() {
      rmSync(file, { force: true })
    },
  }
}

/**
 * Watches a download by the bytes that have arrived, and decides when to give up and why.
 *
 * @param {{ still: number, total: number }} limits in milliseconds
 * @param {number} startedAt milliseconds
 */
export function downloadWatch(limits, startedAt) {
  let bytes = 0
  let movedAt = startedAt
  return {
    /**
     * @param {number} bytesNow
     * @param {number} now milliseconds
     * @returns {string | undefined} why to stop; undefined while it can continue
     */
    look(bytesNow, now) {
      if (bytesNow !== bytes) {
        bytes = bytesNow
        movedAt = now
      }
      if (now - movedAt >= limits.still)
        return `nothing arrived for ${Math.round(limits.still / second)} s`
      if (now - startedAt >= limits.total)
        return `it took longer than ${Math.round(limits.total / second)} s`
      return undefined
    },
  }
}

/**
 * Runs Electron's own installer, prints its progress every few seconds, and stops it at the limits.
 *
 * @param {{ still: number, total: number }} limits in milliseconds
 * @param {{ installer?: string, environment?: NodeJS.ProcessEnv }} [about]
 * @returns {Promise<string | undefined>} why it failed; undefined when it succeeded
 */
export async function downloadElectron(limits, about = {}) {
  const electron = join(modulesFolder, 'electron')
  const { installer = join(electron, 'install.js'), environment = process.env } = about
  const arriving = join(modulesFolder, '.cache', 'electron-download')
  rmSync(arriving, { recursive: true, force: true })
  mkdirSync(arriving, { recursive: true })
  const env = {
    ...environment,
    TMPDIR: arriving,
    TMP: arriving,
    TEMP: arriving,
    ELECTRON_GET_NO_PROGRESS: '1',
    ELECTRON_GET_USE_PROXY: '1',
  }

  const watch = downloadWatch(limits, Date.now())
  /** @type {string | undefined} */
  let reason
  let told = 0
  let words = ''
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const status = await run(productNode(), [installer], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    onSpawn(child) {
      timer = setInterval(() => {
        const bytes = folderSize(arriving) + folderSize(join(electron, 'dist'))
        const now = Date.now()
        if (now - told >= 5 * second) {
          told = now
          console.error(`Downloading Electron: ${(bytes / 1_000_000).toFixed(0)} MB so far…`)
        }
        reason ??= watch.look(bytes, now)
        if (reason !== undefined) child.kill('SIGKILL')
      }, 500)
      child.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        words += text
      })
    },
  })
  clearInterval(timer)
  rmSync(arriving, { recursive: true, force: true })
  if (status === 0) return undefined
  return reason ?? firstLine(words) ?? `its installer exited with status ${status}`
}

/** @param {string} text the installer's output */
function firstLine(text) {
  const line = text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')
  return line === 'TypeError: fetch failed' ? 'its address can’t be reached' : line
}
