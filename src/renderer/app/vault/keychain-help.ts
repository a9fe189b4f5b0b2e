const missing: Partial<Record<string, readonly string[]>> = {
  linux: [
    'Sign in to a desktop session that starts GNOME Keyring or KWallet, and unlock it.',
    'Start Keydesk in that session. In a terminal without one, DBUS_SESSION_BUS_ADDRESS is missing.',
    'If none is installed, install gnome-keyring or kwallet and sign in again.',
  ],
  darwin: [
    'Open Keychain Access and unlock the login keychain.',
    'If macOS asked whether Keydesk may use it, choose Always Allow.',
  ],
  win32: [
    'Start the service “Credential Manager” in services.msc.',
    'Sign in to Windows with the account that created this vault.',
  ],
}
const lost: Partial<Record<string, readonly string[]>> = {
  linux: [
    'Unlock the keyring that held the entry “Keydesk”; in Passwords and Keys it is listed under Login.',
    'Use the system account that created this vault.',
  ],
  darwin: [
    'Look for “Keydesk” in Keychain Access, in the login keychain of the user who created this vault.',
    'Restore the keychain from Time Machine if it was reset.',
  ],
  win32: [
    'Look for “Keydesk” under Windows Credentials in Credential Manager.',
    'Sign in to Windows with the account that created this vault.',
  ],
}
const elsewhere = ['Start this system’s keychain, unlock it, then try again.']

/**
 * How to make a system's keychain provide the vault's key again.
 *
 * @param platform Node's name of the system on which the core runs
 * @param isLost the keychain responds, but doesn't have the key
 */
export const keychainHelp = (platform: string, isLost: boolean): readonly string[] =>
  (isLost ? lost : missing)[platform] ?? elsewhere
