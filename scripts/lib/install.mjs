import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { run } from './child.mjs'
import { root } from './paths.mjs'
import { PlainFailure } from './plain-failure.mjs'

const stampName = '.keydesk-installed'

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/**
 * @param {string} folder that holds the lock file
 * @returns {string} identifies an installation of it
 */
function lockDigest(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex')
}

/**
 * Whether node_modules already matches the lock file, however it was installed: npm's own record of
 * it lists every package that is not optional, in the locked version, and no others.
 *
 * @param {string} folder
 */
function recordMatchesLock(folder) {
  const record = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const locked = Object.entries(readJson(join(folder, 'package-lock.json')).packages).filter(
    ([path]) => path !== '',
  )
  const installed = readJson(record).packages
  const lockedPaths = new Set(locked.map(([path]) => path))
  return (
    locked.every(([path, entry]) =>
      installed[path] === undefined
        ? entry.optional === true || entry.devOptional === true
        : installed[path].version === entry.version,
    ) && Object.keys(installed).every((path) => lockedPaths.has(path))
  )
}

/**
 * @param {string} [folder]
 * @returns {boolean} whether node_modules matches the lock file. A match that was found the slow
 * way
 *   is stamped, so that the next check is fast.
 */
export function isInstalled(folder = root) {
  const stamp = join(folder, 'node_modules', stampName)
  const digest = lockDigest(folder)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return true
  if (!recordMatchesLock(folder)) return false
  writeFileSync(stamp, digest)
  return true
}

/**
 * npm as a program with its leading arguments. Prefers the Node that runs npm now, because the
 * pinned one can be in the folder that is about to be replaced.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{ program: string, first: string[], shell: boolean }}
 */
export function npmCommand(env = process.env) {
  const { npm_execpath: script, npm_node_execpath: node } = env
  if (script !== undefined && /\.c?js$/.test(script) && existsSync(script)) {
    return {
      program: node !== undefined && existsSync(node) ? node : process.execPath,
      first: [script],
      shell: false,
    }
  }
  // npm.cmd is a batch file, which only a shell can start.
  return { program: 'npm', first: [], shell: process.platform === 'win32' }
}

/** npm's error codes for a registry that can't be reached or doesn't respond properly. */
const systemCode =
  /^E(CONN\w+|NOTFOUND|TIMEDOUT|AI_AGAIN|HOSTUNREACH|NETUNREACH|PIPE|IDLETIMEOUT|[45]\d\d)$/
const fetchCode = /^(ERR_SOCKET_TIMEOUT|FETCH_ERROR|\w*CERT\w*)$/

/**
 * @param {string} words npm's output, with its stack
 * @param {number} status npm's exit status
 * @returns {string} the message for people
 */
export function whyNotInstalled(words, status) {
  const code = /^npm error code (\S+)/m.exec(words)?.[1]
  if (code === undefined || !(systemCode.test(code) || fetchCode.test(code)))
    return (
      `${words.trim()}\n` +
      `The packages could not be installed: npm exited with status ${status}. See its message above.`
    )
  return (
    `The packages could not be installed: the package registry can't be reached (${code}).\n` +
    'Check this computer’s connection with `npm ping`, and behind a proxy `npm config get proxy`. ' +
    'Then run the command again.'
  )
}

/**
 * Installs the packages of the lock file if node_modules doesn't match it. No package's install
 * script runs.
 */
export async function install() {
  if (isInstalled()) return
  const { program, first, shell } = npmCommand()
  const help = spawnSync(program, [...first, 'ci', '--help'], { encoding: 'utf8', shell })
  if (help.error !== undefined)
    throw new PlainFailure(
      'npm was not found. It comes with Node: install both from https://nodejs.org and run the command again.',
    )
  const scripts = help.stdout.includes('--strict-allow-scripts')
    ? '--strict-allow-scripts'
    : '--ignore-scripts'
  // Windows can't replace the running executable, and `npm ci` starts by removing it; `npm install`
  // leaves an unchanged package alone.
  const inPlace =
    process.platform === 'win32' && process.execPath.startsWith(join(root, 'node_modules') + sep)
  console.error(
    'Installing the packages of the lock file. This takes about half a minute the first time…',
  )
  let words = ''
  const status = await run(
    program,
    [...first, inPlace ? 'install' : 'ci', scripts, '--no-audit', '--no-fund', '--loglevel=error'],
    {
      shell,
      stdio: ['ignore', 2, 'pipe'],
      onSpawn: (child) =>
        void child.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
          words += text
        }),
    },
  )
  if (status !== 0) throw new PlainFailure(whyNotInstalled(words, status))
  writeFileSync(join(root, 'node_modules', stampName), lockDigest(root))
}
