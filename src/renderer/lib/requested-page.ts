import { z } from 'zod'
import { create } from 'zustand'

const placeSchema = z.object({
  path: z.string().regex(/^\/[a-z][A-Za-z0-9._~/-]*$/),
  accountId: z.string().nullable(),
})
/** A page that a link or system notification leads to; null: no request is pending. */
type RequestedPage = { place: z.infer<typeof placeSchema> | null }

/** The page requested from outside the window. The shell opens it once it knows the accounts. */
export const useRequestedPage = create<RequestedPage>(() => ({ place: null }))

/**
 * Receives such requests from the host, from the start of the page: the address of a new tab, and
 * messages of this window.
 */
export function listenForPageRequests(): void {
  const asked = /^#\/open(\/[^?]*)(?:\?account=([A-Za-z0-9-]{1,64}))?$/.exec(location.hash)
  if (asked !== null) {
    const [, path, accountId = null] = asked
    history.replaceState(history.state, '', '#/')
    const place = placeSchema.safeParse({ path, accountId })
    if (place.success) useRequestedPage.setState({ place: place.data })
  }
  window.addEventListener('message', (event) => {
    if (event.source !== window || event.data?.type !== 'keydesk:place') return
    const place = placeSchema.safeParse(event.data.place)
    if (place.success) useRequestedPage.setState({ place: place.data })
  })
}
