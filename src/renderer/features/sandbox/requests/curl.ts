import type { SandboxWhy } from '../../../../contract/sandbox/sandbox-control.ts'

type Call = {
  method: string
  path: string
  query?: string
  body: unknown
  idempotencyKey?: string | null
}

/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The environment variable for the key of an interface. A command never contains a key. */
const variableOf = (path: string): string =>
  path.startsWith('/dashboard') ? 'KEYDESK_DASHBOARD_TOKEN' : 'KEYDESK_API_KEY'

function curlOf(origin: string, { method, path, query = '', body, idempotencyKey }: Call): string {
  const hasBody = body !== null && body !== undefined
  return [
    `curl -X ${method} ${quoted(`${origin}${path}${query === '' ? '' : `?${query}`}`)}`,
    `-H "Authorization: Bearer $${variableOf(path)}"`,
    ...(idempotencyKey == null ? [] : [`-H ${quoted(`Idempotency-Key: ${idempotencyKey}`)}`]),
    ...(hasBody
      ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]
      : []),
  ].join(' \\\n  ')
}

/**
 * The suggestion as shell commands: the calls that come first, the wait, then the request.
 *
 * @param origin of the sandbox, without a slash at its end
 */
export function suggestionCommands(
  origin: string,
  { steps, waitMs, request }: NonNullable<SandboxWhy['suggestion']>,
): string {
  return [
    ...steps.map((step) => curlOf(origin, step)),
    ...(waitMs > 0 ? [`sleep ${Math.ceil(waitMs / 1000)}`] : []),
    curlOf(origin, request),
  ].join('\n')
}
