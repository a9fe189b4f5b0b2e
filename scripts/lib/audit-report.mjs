/**
 * @param {string} output of `npm audit --json`
 * @returns {{ status: 0 | 1 | 2, text: string }} `status`: no vulnerability is known, some are, or
 *   the registry doesn't say
 */
export function readAudit(output) {
  const report = parse(output)
  const found = report?.vulnerabilities
  if (found === undefined)
    return {
      status: 2,
      text:
        'This registry offers no advisories' +
        `${report?.message === undefined ? '' : ` (${report.message})`}. ` +
        'Nothing was checked. Run the command with a registry that does: ' +
        '`npm config get registry` shows the current one.',
    }
  const lines = Object.values(found).map(
    ({ name, severity, range }) => `${severity}: ${name} ${range}`,
  )
  return lines.length === 0
    ? { status: 0, text: 'No vulnerability of these packages is known.' }
    : { status: 1, text: lines.sort().join('\n') }
}

/**
 * @param {string} output
 * @returns {{ message?: string, vulnerabilities?: Record<string, { name: string, severity: string,
 *   range: string }> } | null}
 */
function parse(output) {
  try {
    return JSON.parse(output)
  } catch {
    return null
  }
}
