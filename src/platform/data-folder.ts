import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Where the console keeps its data when nobody says otherwise: the same folder in both hosts, so
 * that both show the same desk.
 */
export function defaultDataFolder(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Keydesk')
  if (platform === 'win32')
    return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Keydesk')
  return join(environment['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'Keydesk')
}
