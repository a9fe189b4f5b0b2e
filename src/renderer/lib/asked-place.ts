import { z } from 'zod'
import { create } from 'zustand'

const placeSchema = z.object({
  path: z.string().regex(/^\/[a-z][A-Za-z0-9._~/-]*$/),
  accountId: z.string().nullable(),
})
/**
 * A place in the console that a link or a notice of the system leads to; null: nothing is asked
 * for.
 */
type Asked = { place: z.infer<typeof placeSchema> | null }

/**
 * What somebody outside the window wants to see. The shell goes there once it knows the accounts.
 */
export const useAskedPlace = create<Asked>(() => ({ place: null }))

/**
 * Hears of such places from the host, from when the page begins. Only its own window tells them.
 */
export function hearOfPlaces(): void {
  window.addEventListener('message', (event) => {
    if (event.source !== window || event.data?.type !== 'keydesk:place') return
    const place = placeSchema.safeParse(event.data.place)
    if (place.success) useAskedPlace.setState({ place: place.data })
  })
}
