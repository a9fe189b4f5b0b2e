import type { Transport } from './api/client/client.ts'

/** The client's transport over `fetch`. */
export const fetchTransport: Transport<AbortSignal> = async ({
  method,
  url,
  headers,
  body,
  signal,
}) => {
  const answer = await fetch(url, {
    method,
    headers: { ...headers },
    body,
    ...(signal === undefined ? {} : { signal }),
  })
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    text: await answer.text(),
  }
}
