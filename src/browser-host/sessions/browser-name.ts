const browsers: readonly [RegExp, string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrom(e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (list: readonly [RegExp, string][], agent: string): string | undefined =>
  list.find(([pattern]) => pattern.test(agent))?.[1]

/** A browser's name for people, from its User-Agent: "Firefox on Linux". */
export function browserName(agent: string | undefined): string {
  const browser = nameIn(browsers, agent ?? '') ?? 'Unknown program'
  const system = nameIn(systems, agent ?? '')
  return system === undefined ? browser : `${browser} on ${system}`
}

/**
 * Whether a browser asks the system for the address of `*.localhost` (Safari and others with
 * WebKit). Chromium and Firefox know that it is this computer.
 */
export const asksTheSystemForLocalhost = (agent: string | undefined): boolean =>
  agent !== undefined && /AppleWebKit/.test(agent) && !/Chrom(e|ium)\//.test(agent)
