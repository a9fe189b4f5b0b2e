/** The identity of the installed app for its system, the same in every version. */
export const appId = 'app.keydesk.Keydesk'
