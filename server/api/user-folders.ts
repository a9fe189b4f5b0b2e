/**
 * The sandbox's folders in the user's data, which the service writes and consoles read. Pure, so
 * that both can use it; `/` separates folders on every platform.
 */

/** The name of the sandbox's folders. */
export const SANDBOX_FOLDER = 'keydesk-sandbox'

export type Machine = {
  readonly platform: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The folder in an environment variable, or `otherwise` if it has none. A relative path counts as
 * none, as the XDG Base Directory Specification requires: it would be in the current folder.
 */
export const folderIn = (variable: string | undefined, otherwise: string): string =>
  variable !== undefined && /^(?:[\\/]|[A-Za-z]:[\\/])/.test(variable) ? variable : otherwise

/**
 * The user's data folder: `%LOCALAPPDATA%`, `~/Library/Application Support`, `$XDG_DATA_HOME` or
 * `~/.local/share`.
 */
export function userDataFolder({ platform, home, env }: Machine): string {
  const under = (parent: string): string => `${parent}/${SANDBOX_FOLDER}`
  if (platform === 'win32') return under(folderIn(env['LOCALAPPDATA'], `${home}/AppData/Local`))
  if (platform === 'darwin') return under(`${home}/Library/Application Support`)
  return under(folderIn(env['XDG_DATA_HOME'], `${home}/.local/share`))
}

/**
 * The folder in which sandboxes publish their public keys (Decision 48): `$KEYDESK_SANDBOX_KEYS`, or
 * `keys` in the user's data folder. It belongs to the user alone, so a key in it was put there by
 * one of the user's programs.
 */
export const publishedKeysFolder = (machine: Machine): string =>
  machine.env['KEYDESK_SANDBOX_KEYS'] ?? `${userDataFolder(machine)}/keys`

/** The file of a public key, in base64url. */
export const publishedKeyFile = (folder: string, publicKey: string): string =>
  `${folder}/${publicKey}.pub`

/** The public key in a file name; undefined for another file. */
export const publishedKeyOf = (fileName: string): string | undefined =>
  /^([A-Za-z0-9_-]{43})\.pub$/.exec(fileName)?.[1]

/** The folder of a user's lock files outside the data folders, in the system's temporary folder. */
export const lockFilesFolder = (temporary: string, user: string): string =>
  `${temporary}/keydesk-locks-${user}`
