/** Messages about the sessions of browser tabs. */
export const sessionMessages = {
  'sessions.address-reused': 'An address of Keydesk was used twice',
  'sessions.address-reused-effect': 'The session that it had opened was ended',
  'sessions.address-reused-notice': `Its session was ended. If you didn’t open it twice, another \
program or person may have read it: check the activity.`,
  'sessions.ended': 'Session ended',
  'sessions.ended-browser': '{browser}',
} as const
