/** The variables that any process of Keydesk needs: where programs, files and languages are. */
const common = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'KEYDESK_SANDBOX_KEYS',
  'TZ',
  'LANG',
]

/** Those that the core needs too: the keychain's bus, and authorities chosen for all programs. */
const forCore = [
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'XDG_CACHE_HOME',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
]

/**
 * The environment of a backend. It never contains the rest of ours: no access token of another
 * program, and nothing that changes how Node runs (`NODE_OPTIONS`, `LD_PRELOAD`).
 */
export const backendEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  pick(env, common)

/** The environment of the core, when it is a process of its own. */
export const coreEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  pick(env, [...common, ...forCore])

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
