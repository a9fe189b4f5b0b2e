import { join } from 'node:path'
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'

/**
 * Electron's fuses: switches in its executable that no setting, argument or environment variable
 * overrides. `twin`: for Playwright, which drives the app through Node's inspector; a twin is never
 * published.
 *
 * @param {{ twin: boolean, signsItself?: boolean }} about `signsItself`: a Mac without a certificate
 *   runs the changed executable only with a new ad hoc signature
 * @returns {import('@electron/fuses').FuseConfig}
 */
export const fusesOf = ({ twin, signsItself = false }) => ({
  version: FuseVersion.V1,
  resetAdHocDarwinSignature: signsItself,
  // A later Electron with another fuse fails to package until someone decides about it.
  strictlyRequireAllFuses: true,
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: twin,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Chromium's own protection of WebAssembly memory, on as in Chrome.
  [FuseV1Options.WasmTrapHandlers]: true,
})

/**
 * The path of the app's executable, or on a Mac of its bundle.
 *
 * @param {import('electron-builder').AfterPackContext} context
 */
function executableOf({ appOutDir, electronPlatformName, packager }) {
  const { productFilename } = packager.appInfo
  if (electronPlatformName === 'darwin') return join(appOutDir, `${productFilename}.app`)
  return join(
    appOutDir,
    electronPlatformName === 'win32' ? `${productFilename}.exe` : productFilename.toLowerCase(),
  )
}

/**
 * Sets the fuses of a packed app, before it is signed.
 *
 * @param {import('electron-builder').AfterPackContext} context
 * @param {{ twin: boolean }} about
 */
export async function setFuses(context, { twin }) {
  const signsItself =
    context.electronPlatformName === 'darwin' &&
    process.platform === 'darwin' &&
    process.env['CSC_LINK'] === undefined
  await flipFuses(executableOf(context), fusesOf({ twin, signsItself }))
}
