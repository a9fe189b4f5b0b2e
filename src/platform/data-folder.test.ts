import { expect, test } from 'vitest'
import { defaultDataFolder } from './data-folder.ts'

test.each([
  ['linux', { XDG_CONFIG_HOME: '/data/ada' }, '/data/ada/Keydesk'],
  ['linux', {}, '/home/ada/.config/Keydesk'],
  // Otherwise the data would be in the folder in which Keydesk was started.
  ['linux', { XDG_CONFIG_HOME: '' }, '/home/ada/.config/Keydesk'],
  ['linux', { XDG_CONFIG_HOME: 'data' }, '/home/ada/.config/Keydesk'],
  ['darwin', {}, '/home/ada/Library/Application Support/Keydesk'],
  ['win32', { APPDATA: '' }, '/home/ada/AppData/Roaming/Keydesk'],
] as const)('keeps its data in the user’s own folder: %s, %j', (platform, environment, folder) => {
  expect(defaultDataFolder(platform, environment, '/home/ada')).toBe(folder)
})
