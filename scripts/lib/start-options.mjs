import { PlainFailure } from './plain-failure.mjs'

export const help = `npm start [-- OPTIONS]

Starts Keydesk: the desktop app, or the same console in a browser where there is no Electron or no display.

  --browser          use the browser even where Electron is at hand
  --port N           port of the browser console (default: any free one)
  --data DIR         folder for Keydesk's data (default: the user's data folder)
  --no-open          print the address, do not open a browser
  --fetch-electron   try the download of Electron again, and wait for it as long as it moves
  --help             print this
`

/**
 * @typedef {{ browser: boolean, help: boolean, fetchElectron: boolean, open: boolean, port?:
 *   number, data?: string }} StartOptions
 */

/**
 * @param {readonly string[]} args
 * @returns {StartOptions}
 * @throws {PlainFailure} at an unknown option or a bad value
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
      `--port takes a number from 0 to 65535${value === undefined ? '' : `, not ${value}`}.`,
    )
  }
  return Number(value)
}

/** @param {string | undefined} value */
function folderFrom(value) {
  if (value === undefined || value === '' || value.startsWith('--'))
    throw new PlainFailure('--data takes a folder.')
  return value
}
