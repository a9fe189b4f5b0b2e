import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { run } from './child.mjs'
import { electronBinary, hasDisplay } from './electron-binary.mjs'
import { downloadElectron, failureMemory, hurried, patient } from './electron-download.mjs'
import { install } from './install.mjs'
import { memoryFlags } from './memory-flags.mjs'
import { modulesFolder, root } from './paths.mjs'
import { withoutCoreDumps } from './core-dumps.mjs'
import { productNode } from './pinned-node.mjs'
import { PlainFailure, runCommand } from './plain-failure.mjs'
import { help, readStartOptions } from './start-options.mjs'

/** @typedef {import('./start-options.mjs').StartOptions} StartOptions */

/**
 * `npm start`: installs and builds what is missing, then runs the desktop app, or the browser
 * console if the app can't run.
 *
 * @param {readonly string[]} args
 */
export async function main(args) {
  await runCommand(async () => {
    const options = readStartOptions(args)
    if (options.help) {
      process.stdout.write(help)
      return 0
    }
    await install()
    const node = productNode()
    if ((await build()) !== 0) throw new PlainFailure('The build failed. See the reason above.')
    if (options.browser) return startBrowserHost(node, options)

    const choice = await findElectron(options)
    if ('binary' in choice) return startElectron(choice.binary, options)
    console.error(`Starting the console in a browser: ${choice.lacking}.`)
    return startBrowserHost(node, options)
  })
}

/**
 * @param {StartOptions} options
 * @returns {Promise<{ binary: string } | { lacking: string }>} the executable, or why no window can
 *   be shown
 */
async function findElectron(options) {
  if (!hasDisplay())
    return { lacking: 'this session has no display (neither DISPLAY nor WAYLAND_DISPLAY is set)' }
  const present = electronBinary()
  if (present !== undefined) return { binary: present }

  const { version } = JSON.parse(
    readFileSync(join(modulesFolder, 'electron', 'package.json'), 'utf8'),
  )
  const failure = failureMemory(join(modulesFolder, '.cache', 'electron-download-failed'), version)
  const again = '`npm start -- --fetch-electron` retries it'
  if (!options.fetchElectron && failure.isFresh(Date.now())) {
    return {
      lacking: `Electron is not installed, and its download failed within the last day (${again})`,
    }
  }
  const reason = await downloadElectron(options.fetchElectron ? patient : hurried)
  const binary = electronBinary()
  if (binary !== undefined) {
    failure.forget()
    return { binary }
  }
  failure.remember(Date.now())
  return {
    lacking: `Electron could not be downloaded: ${reason ?? 'the executable is still missing'} (${again})`,
  }
}

/**
 * @param {string} binary
 * @param {StartOptions} options
 */
async function startElectron(binary, { data, port }) {
  if (port !== undefined) console.error('--port is ignored: the desktop app opens no port.')
  const startedAt = Date.now()
  const args = [root, ...(data === undefined ? [] : [`--data=${data}`])]
  const status = await run(...withoutCoreDumps(binary, args), { stdio: ['inherit', 2, 2] })
  if (status !== 0 && Date.now() - startedAt < 5000)
    console.error(
      `The desktop app exited immediately (status ${status}). \`npm start -- --browser\` works without it.`,
    )
  return status
}

/**
 * @param {string} node
 * @param {StartOptions} options
 */
async function startBrowserHost(node, { port, data, open }) {
  const args = [
    // Otherwise a signal opens a debugger's port in the process, without a question.
    '--disable-sigusr1',
    ...memoryFlags,
    join('out', 'browser-host', 'index.js'),
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(data === undefined ? [] : ['--data', data]),
    ...(open ? [] : ['--no-open']),
  ]
  return run(...withoutCoreDumps(node, args), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
}
