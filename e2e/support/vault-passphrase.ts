/** The passphrase of every vault that a test creates on a machine without a keychain. */
export const vaultPassphrase = 'correct horse battery staple'
