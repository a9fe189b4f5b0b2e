/** The global that page-shim.js adds to the page. */
interface Window {
  __keydeskDouble: {
    toPage(message: { id: number; data: string | number[] | null }): void
    deliver(channel: string, message: unknown, ids: readonly number[]): void
  }
}
