/** The version in package.json, inserted by the build. */
declare const __KEYDESK_VERSION__: string
/** Where updates come from, inserted by the build. */
declare const __KEYDESK_UPDATE_SOURCE__: {
  address: string | null
  keys: { id: string; publicKey: string }[]
}
