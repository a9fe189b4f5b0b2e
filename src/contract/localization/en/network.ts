/** Messages about network settings. */
export const networkMessages = {
  'network.authority': '{name}, SHA-256 {fingerprint}',
  'network.authority-added': 'Certificate authority added',
  'network.authority-removed': 'Certificate authority removed',
  'network.no-proxy': 'Keydesk connects to services directly',
  'network.own-proxy': 'Keydesk connects through {address}',
  'network.proxy-changed': 'Proxy changed',
  'network.proxy-of-system': 'Keydesk follows the system’s settings',
} as const
