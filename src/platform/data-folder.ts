import { homedir } from 'node:os'
import { join } from 'node:path'
import { folderIn, publishedKeysFolder } from '../../server/api/user-folders.ts'

/** The folder in which sandboxes of this user publish their public keys. */
export const defaultSandboxKeysFolder = (): string =>
  publishedKeysFolder({ platform: process.platform, home: homedir(), env: process.env })

/** The default data folder. It is the same in both hosts, so that both show the same data. */
export function defaultDataFolder(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Keydesk')
  if (platform === 'win32')
    return join(folderIn(environment['APPDATA'], join(home, 'AppData', 'Roaming')), 'Keydesk')
  return join(folderIn(environment['XDG_CONFIG_HOME'], join(home, '.config')), 'Keydesk')
}
