/**
 * Facts that every document of the service has. The license is the package's: "UNLICENSED" in the
 * package registry's words.
 */
export const commonInfo = {
  version: '1.0.0',
  contact: { name: 'Keydesk' },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
} as const
