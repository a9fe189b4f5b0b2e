/** The version in package.json, inserted by the build. */
declare const __KEYDESK_VERSION__: string
