/** Messages about updates of Keydesk. */
export const updatesMessages = {
  'updates.reason': 'Reason: {reason}',
  'updates.rejected': 'Update rejected',
  'updates.verified': 'Update downloaded and verified',
  'updates.version': 'Keydesk {version}',
} as const
