import { PlainFailure } from './plain-failure.mjs'

export const help = `npm start [-- OPTIONS]

Starts Keydesk: the desktop app, or the same console in a browser if Electron or a display is missing.

  --browser          use the browser even if Electron is available
  --port N           port of the browser console (default: any free one)
  --data DIR         folder for Keydesk's data (default: the user's data folder)
  --no-open          print the address without opening a browser
  --fetch-electron   retry the download of Electron, and wait as long as data arrives
  --help             print this help`

/**
 * @typedef {{ browser: boolean, help: boolean, fetchElectron: boolean, open: boolean, port?:
 *   number, data?: string }} StartOptions
 */

/**
 * @param {readonly string[]} args
 * @returns {StartOptions}
 * @throws {PlainFailure} for an unknown option or an invalid value
 */
export function readStartOptions(args) {
  /** @type {StartOptions} */
  const options = { browser: false, help: false, fetchElectron: false, open: true }
  const rest = args.flatMap((arg) =>
    /^--\w+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg],
  )
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '--browser') options.browser = true
    else if (name === '--help' || name === '-h') options.help = true
    else if (name === '--fetch-electron') options.fetchElectron = true
    else if (name === '--no-open') options.open = false
    else if (name === '--port') options.port = portFrom(rest.shift())
    else if (name === '--data') options.data = folderFrom(rest.shift())
    else
      throw new PlainFailure(`Unknown option ${name}. \`npm start -- --help\` lists the options.`)
  }
  return options
}

/** @param {string | undefined} value */
function portFrom(value) {
  if (value === undefined || !/^\d{1,5}$/.test(value) || Number(value) > 65_535) {
    throw new PlainFailure(
      `--port must be a number from 0 to 65535${value === undefined ? '' : `, not ${value}`}.`,
    )
  }
  return Number(value)
}

/** @param {string | undefined} value */
function folderFrom(value) {
  if (value === undefined || value === '' || value.startsWith('--'))
    throw new PlainFailure('--data needs a folder.')
  return value
}
