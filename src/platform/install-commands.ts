/** A path as one word of a shell's command. */
const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`

/** The command that installs a Debian package. */
export const aptInstall = (path: string): string => `sudo apt install ${quoted(path)}`

/** The command that installs a bundle for the present user. */
export const flatpakInstall = (path: string): string => `flatpak install --user ${quoted(path)}`

/** The command that opens a disk image of macOS. */
export const openImage = (path: string): string => `open ${quoted(path)}`
