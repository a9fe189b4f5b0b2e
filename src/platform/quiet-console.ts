/**
 * Libraries print failures with a part of the data received: the RPC library, for example, the
 * beginning of a page's malformed message. Standard error passes no redactor, so only the kind of
 * each failure is printed, and once.
 */
export function quietConsole(print: (line: string) => void): void {
  const printed = new Set<string>()
  console.error = console.warn = (...given: unknown[]): void => {
    const kind = given.map(kindOf).join(' ')
    if (printed.has(kind)) return
    printed.add(kind)
    print(`A library reported a failure: ${kind}`)
  }
}

const kindOf = (value: unknown): string => (value instanceof Error ? value.name : typeof value)
